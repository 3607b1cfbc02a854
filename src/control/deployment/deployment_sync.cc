#include "control/deployment/deployment_sync.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "control/core/json_document.h"
#include "control/core/object_json.h"
#include "control/core/owner_patches.h"
#include "control/deployment/template_identity.h"
#include "model/api/requests.h"
#include "model/records/ownership.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;
using What = Write::What;
using Kind = Step::Kind;

constexpr std::uint64_t kUnitsPerView = 10;  // to copy it

// At most this many ReplicaSets with the digest of the Deployment's template are read to compare
// their templates. More than one with another template is an attack: digests can be made to
// collide.
constexpr int kMaxLookalikes = 4;

// A sync with more steps than this is looping: something that it writes does not persist.
constexpr int kMaxSteps = 12;

const schema::Kind* deployment_kind() { return schema::find_kind("apps/v1", "Deployment"); }
const schema::Kind* set_kind() { return schema::find_kind("apps/v1", "ReplicaSet"); }

bool refused_with(const Answer& answer, int code) {
  return answer.outcome == Answer::Outcome::kAnswered && answer.response.code == code;
}

bool has_unfinished_pods(const Store& store, const ReplicaSet& set, WorkBudget& budget) {
  const std::vector<const Pod*> pods = store.pods_of(set);
  budget.spend(pods.size());
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

Sync::Sync(const ControllerContext& context, OwnWrites& own_writes, SetViews& views,
           WorkBudget& budget, Key key)
    : context_(context),
      own_writes_(own_writes),
      views_(views),
      budget_(budget),
      key_(std::move(key)) {}

std::optional<SyncResult> Sync::start(Now now) { return claim(now); }

// Copies everything that outlives this call: records may move between steps.
std::optional<SyncResult> Sync::claim(Now now) {
  const Deployment* deployment = context_.store.deployment(key_.namespace_name, key_.name);
  if (deployment == nullptr) return end_;
  budget_.spend(kUnitsPerDocument + units_to_parse(deployment->json.size()));
  auto document = parse_document(deployment->json);
  if (!document) return unreadable("its document");
  snapshot_.deployment = read_deployment(std::move(*document));
  if (snapshot_.deployment.selects_everything) return work(now);

  SetClaim found = claim_sets(context_.store, *deployment);
  budget_.spend(found.examined + kUnitsPerView * found.kept.size());
  std::uint64_t units = 0;
  for (const ReplicaSet* set : found.kept) {
    if (!views_.knows(*set)) {
      // The next sync continues here, because views are kept.
      if (units >= kUnitsPerRun) return start_again();
      units += kUnitsPerDocument + units_to_parse(set->json.size());
    }
    const SetView* view = views_.read(*set, budget_);
    if (view == nullptr) return unreadable(set->name.view());
    snapshot_.sets.push_back(*view);
    snapshot_.sets.back().has_unfinished_pods =
        deployment->recreate && has_unfinished_pods(context_.store, *set, budget_);
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
  // The cache may not show yet that the Deployment is being deleted, and adopted ReplicaSets would
  // be deleted with it.
  stage_ = Stage::kConfirming;
  awaited_.emplace(context_.sink.send(Call::Kind::kRead, model::get_request(model::object_path(
                                                             *deployment_kind(), key_))),
                   0);
  return std::nullopt;
}

// The store has decoded it, so this happens only for documents that are nested too deeply.
SyncResult Sync::unreadable(std::string_view what) {
  context_.telemetry.log(
      Severity::kError, 0,
      fmt::format("deployment {}/{}: cannot read {}", key_.namespace_name, key_.name, what),
      {{"deployment", ObjectName{key_.namespace_name, key_.name}}});
  end_.failed = true;
  return end_;
}

SyncResult Sync::start_again() {
  end_.again = true;
  return end_;
}

// False if the cache shows another version by now.
bool Sync::read_whole(SetView& view) {
  if (view.whole) return true;
  const ReplicaSet* set = context_.store.replica_set(key_.namespace_name, view.name);
  if (set == nullptr || set->uid.view() != view.uid ||
      set->resource_version != view.resource_version) {
    return false;
  }
  budget_.spend(units_to_parse(set->json.size()));
  auto document = parse_document(set->json);
  if (!document) return false;
  SetView whole = read_set(std::move(*document));
  whole.has_unfinished_pods = view.has_unfinished_pods;
  whole.bytes = view.bytes;
  view = std::move(whole);
  return true;
}

// Oldest first, until one has the Deployment's template. Only digests of the others are compared.
bool Sync::read_new_set() {
  const json::object* wanted = schema::object_at(snapshot_.deployment.object, {"spec", "template"});
  if (wanted == nullptr) return true;
  const std::uint64_t digest = template_digest(*wanted);
  int lookalikes = 0;
  for (SetView& set : snapshot_.sets) {
    if (!set.whole && set.template_digest != digest) continue;
    if (!set.whole && ++lookalikes > kMaxLookalikes) return true;
    if (!read_whole(set)) return false;
    const json::object* has = schema::object_at(set.object, {"spec", "template"});
    if (has != nullptr && same_template(*has, *wanted)) return true;
  }
  return true;
}

void Sync::send_claims() {
  stage_ = Stage::kClaiming;
  const Owner owner{deployment_kind(), key_.name, snapshot_.deployment.uid};
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const SetClaim::Patch& patch = patches_[i];
    std::string path = model::object_path(*set_kind(), {key_.namespace_name, patch.name});
    const json::object body =
        patch.adopts ? adopt_patch(owner, patch.uid) : release_patch(owner.uid, patch.uid);
    awaited_.emplace(context_.sink.send(Call::Kind::kWrite,
                                        model::strategic_patch_request(std::move(path), body)),
                     i);
  }
}

bool Sync::may_adopt(const Answer& answer) const {
  if (!answer.succeeded()) return false;
  const auto live = parse_document(answer.response.body.str());
  return live && schema::text_at(*live, {"metadata", "uid"}) == snapshot_.deployment.uid &&
         schema::text_at(*live, {"metadata", "deletionTimestamp"}).empty();
}

void Sync::claim_answered(std::size_t index, const Answer& answer) {
  const SetClaim::Patch& patch = patches_[index];
  if (answer.succeeded()) {
    context_.telemetry.count(patch.adopts ? Count::kAdoptions : Count::kReleases);
    own_writes_.wrote_set(key_, snapshot_.deployment.uid, patch.name,
                          revision_of(parse_document(answer.response.body.str())));
    end_.again = true;
    return;
  }
  // 404, and 422 on a release: it is gone, or has another owner. The cache will show that, so a
  // later sync is all that is needed either way.
  end_.failed = true;
  if (!refused_with(answer, 404)) log_failure("patch of ReplicaSet " + patch.name, answer);
}

std::optional<SyncResult> Sync::answered(CallId id, const Answer& answer, bool wind_down, Now now) {
  const auto call = awaited_.find(id);
  EBB_CHECK(call != awaited_.end());
  const std::size_t index = call->second;
  awaited_.erase(call);
  budget_.spend(kUnitsPerDocument + snapshot_.sets.size() +
                units_to_parse(answer.response.body.size()));
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
      // Work continues once the cache shows the claimed ReplicaSets.
      return end_;
    case Stage::kWorking:
      write_answered(step_.writes[index], answer, now);
      if (!awaited_.empty()) return std::nullopt;
      return step_done(wind_down, now);
  }
  return end_;
}

std::optional<SyncResult> Sync::work(Now now) {
  stage_ = Stage::kWorking;
  if (++steps_ > kMaxSteps) {
    context_.telemetry.log(Severity::kWarning, 0,
                           fmt::format("deployment {}/{}: writes to it do not persist",
                                       key_.namespace_name, key_.name),
                           {{"deployment", ObjectName{key_.namespace_name, key_.name}}});
    end_.failed = true;
    return end_;
  }
  if (!read_new_set()) return start_again();
  const SyncContext context{now.wall, context_.gates};
  Step step = next_step(snapshot_, done_, context);
  while (!step.unread.empty()) {
    for (SetView& set : snapshot_.sets) {
      const auto& unread = step.unread;
      if (std::find(unread.begin(), unread.end(), set.name) == unread.end()) continue;
      if (!read_whole(set)) return start_again();
    }
    step = next_step(snapshot_, done_, context);
  }
  return begin(std::move(step), now);
}

std::optional<SyncResult> Sync::begin(Step step, Now now) {
  step_ = std::move(step);
  step_failed_ = false;
  if (step_.notice) record_event(*step_.notice, now);
  if (!step_.problem.empty()) {
    context_.telemetry.log(
        Severity::kError, 0,
        fmt::format("deployment {}/{}: {}", key_.namespace_name, key_.name, step_.problem),
        {{"deployment", ObjectName{key_.namespace_name, key_.name}}, {"err", step_.problem}});
    end_.failed = true;
  }
  if (step_.writes.empty()) {
    end_.requeue_after_ns = step_.requeue_after_ns;
    return end_;
  }
  for (std::size_t i = 0; i < step_.writes.size(); ++i) {
    budget_.spend(units_to_parse(step_.writes[i].request.body.size()));
    awaited_.emplace(context_.sink.send(Call::Kind::kWrite, std::move(step_.writes[i].request)), i);
  }
  return std::nullopt;
}

void Sync::write_answered(const Write& write, const Answer& answer, Now now) {
  if (answer.succeeded()) {
    take_in(write, answer);
    if (write.once_done) record_event(*write.once_done, now);
    return;
  }
  if (write.what == What::kCreateSet) create_answer_ = answer;
  // A ReplicaSet that is gone need not be deleted; one that has changed is synced when the cache
  // shows the change.
  const bool passes = write.what == What::kDeleteSet &&
                      (refused_with(answer, 404) || refused_with(answer, 409)) &&
                      !is_admission_denial(answer);
  if (passes) return;
  step_failed_ = true;
  log_failure(write.what == What::kReplaceDeployment ? "write of the Deployment"
                                                     : "write of ReplicaSet " + write.name,
              answer);
}

// Replaces the known state by the API server's answer to a write.
void Sync::take_in(const Write& write, const Answer& answer) {
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
    SetView set = read_set(std::move(*written));
    set.bytes = answer.response.body.size();
    keep_set(snapshot_, std::move(set));
  }
}

std::optional<SyncResult> Sync::step_done(bool wind_down, Now now) {
  end_.failed |= step_failed_;
  if (step_.kind == Kind::kFinish || wind_down) return end_;
  if (step_.partial) {
    // The delay before the next sync grows, in case the writes do not persist.
    end_.failed = true;
    return end_;
  }
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

std::optional<SyncResult> Sync::create_failed(Now now) {
  if (!create_answer_ || create_answer_->outcome != Answer::Outcome::kAnswered) return end_;
  const Refusal refusal = read_refusal(*create_answer_);
  const bool is_denied = refusal.is_admission_denial();
  if (!is_denied && refusal.has_cause("NamespaceTerminating")) {
    // Nothing can be created in this namespace any more, and nothing else needs to be done.
    end_.failed = false;
    return end_;
  }
  const std::string name = step_.writes.front().name;
  if (!is_denied && refusal.reason == "AlreadyExists") {
    const ReplicaSet* there = context_.store.replica_set(key_.namespace_name, name);
    // Created by a request whose answer was lost; the cache will show it.
    if (there == nullptr) return end_;
    budget_.spend(units_to_parse(there->json.size()));
    const auto document = parse_document(there->json);
    const Deployment* deployment = context_.store.deployment(key_.namespace_name, key_.name);
    const bool ours = deployment != nullptr && deployment->uid.view() == snapshot_.deployment.uid &&
                      model::controls(*deployment, *there);
    const json::object* has =
        document ? schema::object_at(*document, {"spec", "template"}) : nullptr;
    const json::object* wanted =
        schema::object_at(snapshot_.deployment.object, {"spec", "template"});
    if (ours && has != nullptr && wanted != nullptr && same_template(*has, *wanted)) {
      // If it was known, it has too many lookalikes, and trying again at once would not help.
      const bool was_known = std::any_of(snapshot_.sets.begin(), snapshot_.sets.end(),
                                         [&](const SetView& set) { return set.name == name; });
      end_ = was_known ? SyncResult{.failed = true} : SyncResult{.again = true};
      return end_;
    }
    context_.telemetry.count(Count::kHashCollisions);
    return begin(count_collision(snapshot_), now);
  }
  return begin(
      report_refusal(snapshot_, name, error_text(*create_answer_), {now.wall, context_.gates}),
      now);
}

void Sync::record_event(const Notice& notice, Now now) {
  if (notice.reason == "DeploymentRollback") context_.telemetry.count(Count::kRollbacks);
  context_.sink.record_event({.kind = deployment_kind(),
                              .namespace_name = key_.namespace_name,
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

void Sync::log_failure(std::string_view what, const Answer& answer) const {
  // Conflicts are normal.
  const int verbosity = refused_with(answer, 409) ? 2 : 0;
  if (!context_.telemetry.logs(verbosity)) return;
  const std::string how = error_text(answer);
  context_.telemetry.log(
      Severity::kWarning, verbosity,
      fmt::format("deployment {}/{}: {}: {}", key_.namespace_name, key_.name, what, how),
      {{"deployment", ObjectName{key_.namespace_name, key_.name}}, {"err", how}});
}

}  // namespace ebb::control::deployments
