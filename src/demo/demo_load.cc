#include "demo/demo_load.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "base/check.h"
#include "hollow/repeatable_random.h"
#include "schema/core/json.h"

namespace ebb::demo {
namespace {

namespace json = boost::json;
using model::ObjectEvent;
using schema::text_at;

constexpr Nanoseconds kStepNs = 3 * kNanosecondsPerSecond;

const schema::Kind* deployment_kind() {
  static const schema::Kind* const kKind = schema::find_kind("apps/v1", "Deployment");
  EBB_CHECK(kKind != nullptr);
  return kKind;
}

// The size of a wave at this time after its start.
std::int64_t size_at(const DemoWave& wave, Nanoseconds elapsed) {
  const double turn = static_cast<double>(elapsed) / static_cast<double>(wave.period_ns);
  const double middle = (wave.min_replicas + wave.max_replicas) / 2.0;
  const double swing = (wave.down_first ? -1 : 1) * (wave.max_replicas - wave.min_replicas) / 2.0;
  return std::lround(middle + swing * std::sin(2 * std::numbers::pi * turn));
}

}  // namespace

DemoLoad::DemoLoad(std::string_view namespace_name, const std::vector<DemoWave>& waves)
    : namespace_(namespace_name) {
  for (const DemoWave& wave : waves) {
    std::string name(wave.name);
    workloads_.emplace(std::move(name), Workload{.wave = wave});
  }
}

std::vector<const schema::Kind*> DemoLoad::watched() const {
  return {deployment_kind(), model::pod_kind()};
}

void DemoLoad::observe(const ObjectEvent& event, Timestamp /*now*/) {
  if (text_at(*event.object, {"metadata", "namespace"}) != namespace_) return;
  if (event.kind == deployment_kind()) {
    observe_deployment(event);
  } else {
    observe_pod(event);
  }
}

void DemoLoad::observe_deployment(const ObjectEvent& event) {
  const auto known = workloads_.find(text_at(*event.object, {"metadata", "name"}));
  if (known == workloads_.end()) return;
  Workload& workload = known->second;
  if (event.type == ObjectEvent::Type::kDeleted) {
    workload = Workload{.wave = workload.wave};
    return;
  }
  const std::int64_t replicas = schema::integer_at(*event.object, {"spec", "replicas"}).value_or(1);
  const bool is_new = workload.uid.empty();
  workload.uid = text_at(*event.object, {"metadata", "uid"});
  if (!is_new && replicas != workload.replicas && replicas != workload.sent) {
    workload.left_alone = true;
  }
  workload.replicas = replicas;
}

void DemoLoad::observe_pod(const ObjectEvent& event) {
  if (event.type != ObjectEvent::Type::kAdded) return;
  const std::string_view app = text_at(*event.object, {"metadata", "labels", "app"});
  if (workloads_.contains(app)) mark(app, *event.object);
}

// A busy worker says so by its cost; a few pods of the other workloads prefer to go first.
void DemoLoad::mark(std::string_view app, const json::object& pod) {
  constexpr std::uint64_t kOneIn = 3;
  const std::string_view uid = text_at(pod, {"metadata", "uid"});
  const std::uint64_t random = hollow::random_of(1, uid);
  if (random % kOneIn != 0) return;
  json::object metadata{{"uid", uid}};
  if (app == "worker") {
    metadata["annotations"] = json::object{
        {"controller.kubernetes.io/pod-deletion-cost", random / kOneIn % 2 == 0 ? "100" : "-10"}};
  } else if (app == "checkout") {
    metadata["labels"] = json::object{{"kubernetes.io/prefer-for-scale-down", "true"}};
  } else {
    return;
  }
  outbox_.send_and_forget(
      model::merge_patch_request(model::object_path(*model::pod_kind(), model::name_of(pod)),
                                 json::object{{"metadata", std::move(metadata)}}));
}

void DemoLoad::synced(Timestamp now) {
  began_ = now;
  next_step_ = later_by(now, kStepNs);
}

void DemoLoad::answered(model::EffectId id, const model::ApiResponse& /*response*/,
                        Timestamp /*now*/) {
  const auto name = outbox_.answered(id);
  if (name) workloads_.at(*name).in_flight = false;
}

void DemoLoad::wake(Timestamp now) {
  if (next_step_.is_zero() || now < next_step_) return;
  next_step_ = later_by(now, kStepNs);
  step(now);
}

void DemoLoad::step(Timestamp now) {
  for (auto& [name, workload] : workloads_) {
    if (workload.uid.empty() || workload.left_alone || workload.in_flight) continue;
    const std::int64_t size = size_at(workload.wave, elapsed_ns(began_, now));
    if (size == workload.replicas) continue;
    workload.sent = size;
    workload.in_flight = true;
    outbox_.send(model::merge_patch_request(
                     model::object_path(*deployment_kind(),
                                        {.namespace_name = namespace_, .name = name}, "scale"),
                     json::object{{"spec", json::object{{"replicas", size}}}}),
                 name);
  }
}

}  // namespace ebb::demo
