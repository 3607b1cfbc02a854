#include "control/deployment_pass.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "control/json_document.h"
#include "control/owner_patches.h"
#include "control/template_identity.h"
#include "model/requests.h"
#include "schema/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;
using What = Write::What;
using Kind = Step::Kind;

// A pass of more steps than this goes round in circles: something that it writes does not stay.
constexpr int kMostSteps = 12;

const schema::Kind* deployment_kind() { return schema::find_kind("apps/v1", "Deployment"); }
const schema::Kind* set_kind() { return schema::find_kind("apps/v1", "ReplicaSet"); }

bool refused_with(const Answer& answer, int code) {
  return answer.outcome == Answer::Outcome::kAnswered && answer.response.code == code;
}

bool has_unfinished_pods(const Store& store, std::string_view set_uid) {
  const std::vector<const Pod*> pods = store.pods_of(set_uid);
  return std::any_of(pods.begin(), pods.end(), [](const Pod* pod) { return !pod->finished(); });
}

void keep_set(Snapshot& snapshot, SetView set) {
  const auto known = std::find_if(snapshot.sets.begin(), snapshot.sets.end(),
                                  [&](const SetView& each) { return each.uid == set.uid; });
  if (known == snapshot.sets.end()) {
    snapshot.sets.push_back(std::move(set));
  } else {
    set.has_unfinished_pods = known->has_unfinished_pods;
    *known = std::move(set);
  }
  std::sort(snapshot.sets.begin(), snapshot.sets.end(), older);
}

}  // namespace

Pass::Pass(const ControllerContext& context, OwnWrites& own_writes, Key key)
    : context_(context), own_writes_(own_writes), key_(std::move(key)) {}

std::optional<PassEnd> Pass::start(Now now) { return claim(now); }

// Everything that outlives this call is copied here: records may move between steps.
std::optional<PassEnd> Pass::claim(Now now) {
  const Deployment* deployment = context_.store.deployment(key_.namespace_name, key_.name);
  if (deployment == nullptr) return end_;
  auto document = parse_document(deployment->json);
  if (!document) return unreadable("its document");
  snapshot_.deployment = read_deployment(std::move(*document));
  if (snapshot_.deployment.selects_everything) return work(now);

  SetClaim found = claim_sets(context_.store, *deployment);
  for (const ReplicaSet* set : found.kept) {
    auto set_document = parse_document(set->json);
    if (!set_document) return unreadable(set->name.view());
    SetView view = read_set(std::move(*set_document));
    view.has_unfinished_pods =
        deployment->recreate && has_unfinished_pods(context_.store, view.uid);
    snapshot_.sets.push_back(std::move(view));
  }
  std::sort(snapshot_.sets.begin(), snapshot_.sets.end(), older);
  patches_ = std::move(found.patches);
  if (patches_.empty()) return work(now);

  const bool adopts = std::any_of(patches_.begin(), patches_.end(),
                                  [](const SetClaim::Patch& patch) { return patch.adopts; });
  if (!adopts) {
    send_claims();
    return std::nullopt;
  }
  // The cache may not know yet that the Deployment is being deleted, and what it adopts then
  // would be deleted with it.
  stage_ = Stage::kConfirming;
  awaited_.emplace(context_.port.send(Call::Kind::kRead, model::get_request(model::object_path(
                                                             *deployment_kind(), key_))),
                   0);
  return std::nullopt;
}

// The store has decoded it, so this is for documents that are nested absurdly.
PassEnd Pass::unreadable(std::string_view what) {
  context_.telemetry.log(
      Severity::kError, 0,
      fmt::format("deployment {}/{}: cannot read {}", key_.namespace_name, key_.name, what),
      {{"deployment", ObjectName{key_.namespace_name, key_.name}}});
  end_.failed = true;
  return end_;
}

void Pass::send_claims() {
  stage_ = Stage::kClaiming;
  const Owner owner{deployment_kind(), key_.name, snapshot_.deployment.uid};
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const SetClaim::Patch& patch = patches_[i];
    std::string path = model::object_path(*set_kind(), {key_.namespace_name, patch.name});
    const json::object body =
        patch.adopts ? adopt_patch(owner, patch.uid) : release_patch(owner.uid, patch.uid);
    awaited_.emplace(context_.port.send(Call::Kind::kWrite,
                                        model::strategic_patch_request(std::move(path), body)),
                     i);
  }
}

bool Pass::may_adopt(const Answer& answer) const {
  if (!answer.succeeded()) return false;
  const auto live = parse_document(answer.response.body.str());
  return live && schema::text_at(*live, {"metadata", "uid"}) == snapshot_.deployment.uid &&
         schema::text_at(*live, {"metadata", "deletionTimestamp"}).empty();
}

void Pass::claim_answered(std::size_t index, const Answer& answer) {
  const SetClaim::Patch& patch = patches_[index];
  if (answer.succeeded()) {
    context_.telemetry.count(patch.adopts ? Count::kAdoptions : Count::kReleases);
    own_writes_.wrote_set(key_, snapshot_.deployment.uid, patch.name,
                          revision_of(parse_document(answer.response.body.str())));
    end_.again = true;
    return;
  }
  // 404, and 422 on a release: it is gone, or not ours any more. The cache will see that, so
  // looking again later is all that can be done either way.
  end_.failed = true;
  if (!refused_with(answer, 404)) log_failure("patch of ReplicaSet " + patch.name, answer);
}

std::optional<PassEnd> Pass::answered(CallId id, const Answer& answer, bool wind_down, Now now) {
  const auto call = awaited_.find(id);
  EBB_CHECK(call != awaited_.end());
  const std::size_t index = call->second;
  awaited_.erase(call);
  switch (stage_) {
    case Stage::kConfirming:
      if (!may_adopt(answer)) {
        context_.telemetry.count(Count::kAdoptionsRefused);
        end_.failed = true;
      }
      if (end_.failed || wind_down) return end_;
      send_claims();
      return std::nullopt;
    case Stage::kClaiming:
      claim_answered(index, answer);
      if (!awaited_.empty()) return std::nullopt;
      // What was claimed is worked with once the cache has it.
      return end_;
    case Stage::kWorking:
      write_answered(step_.writes[index], answer, now);
      if (!awaited_.empty()) return std::nullopt;
      return step_done(wind_down, now);
  }
  return end_;
}

std::optional<PassEnd> Pass::work(Now now) {
  stage_ = Stage::kWorking;
  if (++steps_ > kMostSteps) {
    context_.telemetry.log(Severity::kWarning, 0,
                           fmt::format("deployment {}/{}: what is written to it does not stay",
                                       key_.namespace_name, key_.name),
                           {{"deployment", ObjectName{key_.namespace_name, key_.name}}});
    end_.failed = true;
    return end_;
  }
  return begin(next_step(snapshot_, done_, {now.wall, context_.gates}), now);
}

std::optional<PassEnd> Pass::begin(Step step, Now now) {
  step_ = std::move(step);
  step_failed_ = false;
  if (step_.notice) tell(*step_.notice, now);
  if (!step_.problem.empty()) {
    context_.telemetry.log(
        Severity::kError, 0,
        fmt::format("deployment {}/{}: {}", key_.namespace_name, key_.name, step_.problem),
        {{"deployment", ObjectName{key_.namespace_name, key_.name}}, {"err", step_.problem}});
    end_.failed = true;
  }
  if (step_.writes.empty()) {
    end_.look_again_ns = step_.look_again_ns;
    return end_;
  }
  for (std::size_t i = 0; i < step_.writes.size(); ++i) {
    awaited_.emplace(context_.port.send(Call::Kind::kWrite, std::move(step_.writes[i].request)), i);
  }
  return std::nullopt;
}

void Pass::write_answered(const Write& write, const Answer& answer, Now now) {
  if (answer.succeeded()) {
    take_in(write, answer);
    if (write.once_done) tell(*write.once_done, now);
    return;
  }
  if (write.what == What::kCreateSet) create_answer_ = answer;
  // One that is gone already need not be deleted; one that has changed is looked at again when
  // the change is seen.
  const bool passes =
      write.what == What::kDeleteSet && (refused_with(answer, 404) || refused_with(answer, 409));
  if (passes) return;
  step_failed_ = true;
  log_failure(write.what == What::kReplaceDeployment ? "write of the Deployment"
                                                     : "write of ReplicaSet " + write.name,
              answer);
}

// What the API server made of a write takes the place of what was known.
void Pass::take_in(const Write& write, const Answer& answer) {
  if (write.what == What::kDeleteSet) {
    std::erase_if(snapshot_.sets, [&](const SetView& set) { return set.name == write.name; });
    return;
  }
  auto written = parse_document(answer.response.body.str());
  if (!written || schema::text_at(*written, {"metadata", "uid"}).empty()) {
    step_failed_ = true;
    return;
  }
  const std::string uid = snapshot_.deployment.uid;
  const model::Revision revision = revision_of(written);
  if (write.what == What::kReplaceDeployment) {
    own_writes_.wrote_deployment(key_, uid, revision);
    snapshot_.deployment = read_deployment(std::move(*written));
  } else {
    own_writes_.wrote_set(key_, uid, write.name, revision);
    keep_set(snapshot_, read_set(std::move(*written)));
  }
}

std::optional<PassEnd> Pass::step_done(bool wind_down, Now now) {
  end_.failed |= step_failed_;
  if (step_.kind == Kind::kFinish || wind_down) return end_;
  switch (step_.kind) {
    case Kind::kCopyPicker:
      done_.copied_picker = true;
      break;
    case Kind::kCreate:
      if (step_failed_) return create_failed(now);
      done_.created = true;
      break;
    case Kind::kScale:
      done_.scaled = true;
      done_.scaled_plainly = step_.plain;
      break;
    case Kind::kCleanUp:
      done_.cleaned_up = true;
      break;
    case Kind::kPrepare:
    case Kind::kFinish:
      if (step_failed_) return end_;
      break;
  }
  return work(now);
}

std::optional<PassEnd> Pass::create_failed(Now now) {
  if (!create_answer_ || create_answer_->outcome != Answer::Outcome::kAnswered) return end_;
  const Refusal refusal = read_refusal(*create_answer_);
  if (refusal.has_cause("NamespaceTerminating")) {
    // Nothing can be made there any more, and nothing else is to be done about it.
    end_.failed = false;
    return end_;
  }
  const std::string name = step_.writes.front().name;
  if (refusal.reason == "AlreadyExists") {
    const ReplicaSet* there = context_.store.replica_set(key_.namespace_name, name);
    // Made by a request whose answer was lost; the cache will have it.
    if (there == nullptr) return end_;
    const auto document = parse_document(there->json);
    const bool ours =
        there->controller != nullptr && there->controller->uid.view() == snapshot_.deployment.uid;
    const json::object* has =
        document ? schema::object_at(*document, {"spec", "template"}) : nullptr;
    const json::object* wanted =
        schema::object_at(snapshot_.deployment.object, {"spec", "template"});
    if (ours && has != nullptr && wanted != nullptr && same_template(*has, *wanted)) {
      end_ = {.again = true};
      return end_;
    }
    context_.telemetry.count(Count::kHashCollisions);
    return begin(count_collision(snapshot_), now);
  }
  return begin(report_refusal(snapshot_, name, refusal.message, {now.wall, context_.gates}), now);
}

void Pass::tell(const Notice& notice, Now now) {
  if (notice.reason == "DeploymentRollback") context_.telemetry.count(Count::kRollbacks);
  context_.port.note({.kind = deployment_kind(),
                      .name_space = key_.namespace_name,
                      .name = key_.name,
                      .uid = snapshot_.deployment.uid,
                      .resource_version = std::string(schema::text_at(
                          snapshot_.deployment.object, {"metadata", "resourceVersion"})),
                      .warning = notice.warning,
                      .reason = notice.reason,
                      .message = notice.message,
                      .component = "deployment-controller"},
                     now);
}

void Pass::log_failure(std::string_view what, const Answer& answer) const {
  // Conflicts are part of life.
  const int verbosity = refused_with(answer, 409) ? 2 : 0;
  if (!context_.telemetry.logs(verbosity)) return;
  std::string how = "no answer";
  if (answer.outcome == Answer::Outcome::kNotSent) how = "not sent";
  if (answer.outcome == Answer::Outcome::kAnswered) {
    how = fmt::format("{} {}", answer.response.code, read_refusal(answer).message);
  }
  context_.telemetry.log(
      Severity::kWarning, verbosity,
      fmt::format("deployment {}/{}: {}: {}", key_.namespace_name, key_.name, what, how),
      {{"deployment", ObjectName{key_.namespace_name, key_.name}}, {"err", how}});
}

}  // namespace ebb::control::deployments
