#include "sim/world/rival.h"

#include <utility>

#include <fmt/format.h>

#include "model/api/requests.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {

using control::Process;

Rival::Rival(const LinkContext& link, Truth& truth, const RivalSettings& settings)
    : context_(link), truth_(truth), settings_(settings), random_(settings.seed) {}

Rival::~Rival() {
  if (link_) link_->die();
}

Now Rival::now() const {
  return {.wall = context_.time.now(),
          .mono = Timestamp::from_nanoseconds(5000 * kSecond + context_.time.elapsed())};
}

void Rival::begin() {
  if (random_.chance(0.5)) start();
  if (settings_.lease) renew_lease();
  act();
}

// A lease that is not renewed stays as it is.
void Rival::renew_lease() {
  if (left_) return;
  if (process_ && !paused_) {
    const model::ObjectName name{.namespace_name = "kube-system",
                                 .name = "kube-controller-manager"};
    const boost::json::object spec{{"holderIdentity", fmt::format("stock-{}", starts_)},
                                   {"leaseDurationSeconds", 15},
                                   {"renewTime", model::micro_time_text(context_.time.now())}};
    const auto& kind = *model::lease_kind();
    const auto patched = context_.api.request(
        model::merge_patch_request(model::object_path(kind, name), {{"spec", spec}}));
    if (patched.code == 404) {
      (void)context_.api.request(model::create_request(
          model::collection_path(kind, name.namespace_name), {{"apiVersion", kind.api_version()},
                                                              {"kind", kind.name},
                                                              {"metadata", {{"name", name.name}}},
                                                              {"spec", spec}}));
    }
  }
  context_.time.after(2 * kSecond, [this] { renew_lease(); });
}

void Rival::act() {
  context_.time.after(static_cast<Nanoseconds>(random_.below(40)) * kSecond, [this] {
    if (left_) return;
    const std::uint64_t drawn = random_.below(100);
    if (!process_) {
      if (drawn < 50) start();
    } else if (drawn < 25) {
      crash();
    } else if (drawn < 35) {
      input([this](Process& process) { process.stop(now()); });
    } else if (drawn < 50) {
      pause(static_cast<Nanoseconds>(random_.below(30)) * kSecond);
    } else if (drawn < 65) {
      // It acts on its cached state and receives nothing new.
      held_ = !held_;
      held_ ? link_->hold_streams() : link_->let_streams_go();
    }
    act();
  });
}

void Rival::leave() {
  left_ = true;
  crash();
}

void Rival::start() {
  control::ProcessSettings settings;
  settings.deployments = settings_.deployments;
  settings.qps = random_.chance(0.5) ? 0 : 20;
  settings.seed = random_.next();
  settings.gates.set(model::Gate::kDownscalePodPicker, false);
  settings.gates.set(model::Gate::kPodCostRanking, false);
  const std::string name = fmt::format("stock-{}", ++starts_);
  process_ = std::make_unique<Process>(std::move(settings), silent_);
  link_ = std::make_shared<Link>(context_, name, random_.next(), *this, *this);
  context_.trace.line(name, "starts");
  input([this](Process& process) { process.start(now()); });
}

void Rival::crash() {
  if (!process_) return;
  context_.trace.line("stock", "is gone");
  link_->die();
  link_.reset();
  process_.reset();
  missed_.clear();
  paused_ = held_ = false;
  alarm_ = {};
}

void Rival::pause(Nanoseconds duration) {
  if (paused_) return;
  context_.trace.line("stock", fmt::format("pauses for {} s", duration / kSecond));
  paused_ = true;
  context_.time.after(duration, [this, life = starts_] {
    if (!process_ || starts_ != life) return;
    paused_ = false;
    for (const Input& each : std::exchange(missed_, {})) {
      if (process_ && starts_ == life) input(each);
    }
    input([this](Process& process) { process.wake(now()); });
  });
}

void Rival::changed(const schema::Kind* kind) {
  if (link_) link_->changed(kind);
}

void Rival::answered(control::CallId id, const control::Answer& answer) {
  input([this, id, answer](Process& process) { process.answered(id, answer, now()); });
}

void Rival::received(control::CallId id, std::string_view bytes) {
  input([this, id, piece = std::string(bytes)](Process& process) {
    process.received(id, piece, now());
  });
}

void Rival::input(const Input& input) {
  if (!process_) return;
  if (paused_) return missed_.push_back(input);
  input(*process_);
  carry_out();
}

void Rival::carry_out() {
  for (const control::CallId id : process_->take_cancelled()) link_->cancel(id);
  // No picker answers it; its own time budget ends each call.
  (void)process_->take_picker_requests();
  (void)process_->take_withdrawn();
  for (control::Call& call : process_->take_calls()) {
    const std::uint64_t tag = tag_of(call);
    link_->send(std::move(call), tag);
  }
  if (process_->done()) return crash();
  set_alarm();
}

void Rival::set_alarm() {
  const Timestamp wake = process_->wake_at();
  if (wake.is_zero() || wake == alarm_) return;
  alarm_ = wake;
  context_.time.after(elapsed_ns(now().mono, wake), [this, life = starts_, wake] {
    if (!process_ || starts_ != life || alarm_ != wake) return;
    alarm_ = {};
    input([this](Process& process) { process.wake(now()); });
  });
}

std::uint64_t Rival::tag_of(const control::Call& call) {
  static constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
  const std::string_view path = call.request.path;
  if (!path.starts_with(kPods)) return 0;
  PodWrite write{.namespace_name = std::string(kNamespace)};
  if (call.request.method == model::Method::kPost && path == kPods) {
    write.creates = true;
  } else if (call.request.method == model::Method::kDelete) {
    write.name = path.substr(kPods.size() + 1);
  } else {
    return 0;
  }
  pod_writes_.emplace(next_tag_, std::move(write));
  return next_tag_++;
}

void Rival::executing(std::uint64_t tag) {
  const auto found = pod_writes_.find(tag);
  if (found == pod_writes_.end() || found->second.creates) return;
  const PodTruth* const pod = truth_.pod(found->second.namespace_name, found->second.name);
  found->second.uid = pod != nullptr && pod->active() ? pod->uid : "";
}

void Rival::executed(std::uint64_t tag, const model::ApiResponse& response) {
  const auto found = pod_writes_.find(tag);
  if (found == pod_writes_.end() || response.code >= 300) return;
  const Timestamp when = context_.time.now();
  if (found->second.creates) {
    const boost::json::object pod = read_object(response.body.str());
    truth_.note_made_by_rival(schema::text_at(pod, {"metadata", "uid"}), when);
  } else if (!found->second.uid.empty()) {
    truth_.note_ended_by_rival(found->second.uid, when);
  }
}

}  // namespace ebb::sim
