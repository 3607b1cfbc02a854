#include "sim/world/rival.h"

#include <utility>

#include <fmt/format.h>

#include "model/api/requests.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {

using control::Process;

void Rival::begin() {
  if (random_.chance(0.5)) start_stock();
  if (settings_.lease) renew_lease();
  act();
}

// A lease that is not renewed stays as it is.
void Rival::renew_lease() {
  if (left_) return;
  if (runs() && !paused()) {
    const model::ObjectName name{.namespace_name = "kube-system",
                                 .name = "kube-controller-manager"};
    const boost::json::object spec{{"holderIdentity", DrivenProcess::name()},
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
    if (!runs()) {
      if (drawn < 50) start_stock();
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

void Rival::start_stock() {
  control::ProcessSettings settings;
  settings.deployments = settings_.deployments;
  settings.qps = random_.chance(0.5) ? 0 : 20;
  settings.seed = random_.next();
  settings.gates.set(model::Gate::kDownscalePodPicker, false);
  settings.gates.set(model::Gate::kPodCostRanking, false);
  start(settings, silent_, fmt::format("stock-{}", starts() + 1), random_.next());
}

// No picker answers it; its own time budget ends each call.
void Rival::carry_out_more(Process& process) {
  (void)process.take_picker_requests();
  (void)process.take_withdrawn();
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
