#include "sim/actors/picker_actors.h"

#include <array>

#include <fmt/format.h>

#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::sim {
namespace {

using boost::json::object;

constexpr std::array<std::string_view, 5> kHosts = {
    "alder.pickers.svc", "birch.pickers.svc", "cedar.pickers.svc", "doom.pickers.svc", "10.9.8.7"};
constexpr std::array<std::string_view, 3> kPolicies = {"policy-a", "policy-b", "policy-c"};
constexpr std::array<std::string_view, 2> kSecrets = {"picker-a", "picker-b"};

}  // namespace

PickerActors::PickerActors(World& world, std::uint64_t seed, bool busy)
    : world_(world), random_(seed), present_(busy || random_.chance(0.5)) {
  fields_ = busy ? 0.8 : random_.chance(0.5) ? 0.5 : 0;
}

void PickerActors::send(const model::ApiRequest& request) { world_.request("user", request); }

PickerSpec PickerActors::some_spec() {
  PickerSpec spec{
      .host = std::string(random_.one_of(kHosts)),
      .grpc = random_.chance(0.3),
      .tls = random_.chance(0.3),
      .full = random_.chance(0.3),
      .timeout_seconds = 1 + static_cast<int>(random_.below(random_.chance(0.7) ? 2 : 5)),
      .max_retries = static_cast<int>(random_.below(4))};
  if (random_.chance(0.4)) {
    spec.header_secret = random_.one_of(kSecrets);
    spec.header_optional = random_.chance(0.3);
  }
  if (random_.chance(0.2)) spec.certificate_secret = random_.one_of(kSecrets);
  return spec;
}

void PickerActors::begin(const std::vector<std::string>& sets,
                         const std::vector<std::string>& deployments) {
  if (!present_) return;
  for (const std::string_view name : kSecrets) {
    if (random_.chance(0.7)) {
      send(model::create_request(collection_of(secrets()), picker_secret_object(name, "-0")));
    }
  }
  for (const std::string_view name : kPolicies) {
    if (random_.chance(0.6)) continue;
    const std::size_t i = random_.below(sets.size() + deployments.size());
    const bool of_set = i < sets.size();
    send(model::create_request(collection_of(policies()),
                               policy_object(name, of_set ? "ReplicaSet" : "Deployment",
                                             of_set ? sets[i] : deployments[i - sets.size()],
                                             picker_object(some_spec()))));
  }
}

void PickerActors::add_to(object& workload) {
  if (!present_ || !random_.chance(fields_)) return;
  schema::ensure_object(workload, {"spec"})["downscalePodPicker"] = picker_object(some_spec());
}

void PickerActors::act() {
  if (!present_) return;
  const std::uint64_t what = random_.below(3);
  if (what == 0) return change_field();
  if (what == 1) return change_policy();
  change_secret();
}

void PickerActors::set_field(const schema::Kind& kind, std::string_view name) {
  const std::string path = path_of(kind, name);
  const auto write = [&](boost::json::value value) {
    send(model::merge_patch_request(path, {{"spec", {{"downscalePodPicker", std::move(value)}}}}));
  };
  // A merge would keep fields that the new settings do not mention.
  write(nullptr);
  if (random_.chance(0.7)) write(picker_object(some_spec()));
}

// Also changes ReplicaSets whose Deployment has a different value.
void PickerActors::change_field() {
  std::vector<std::pair<const schema::Kind*, std::string>> there;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) there.emplace_back(&replica_sets(), entry.second.name);
  }
  for (const auto& entry : world_.truth.deployments()) {
    if (!entry.second.gone) there.emplace_back(&deployments(), entry.second.name);
  }
  if (there.empty()) return;
  const auto& one = there[random_.below(there.size())];
  set_field(*one.first, one.second);
}

void PickerActors::change_policy() {
  const std::string_view name = random_.one_of(kPolicies);
  send(model::delete_request(path_of(policies(), name), {}));
  if (random_.chance(0.2)) return;
  std::vector<std::pair<std::string_view, std::string>> targets{{"ReplicaSet", "nobody"}};
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) targets.emplace_back("ReplicaSet", entry.second.name);
  }
  for (const auto& entry : world_.truth.deployments()) {
    if (!entry.second.gone) targets.emplace_back("Deployment", entry.second.name);
  }
  const auto& target = targets[random_.below(targets.size())];
  send(model::create_request(
      collection_of(policies()),
      policy_object(name, target.first, target.second, picker_object(some_spec()))));
}

void PickerActors::change_secret() {
  const std::string_view name = random_.one_of(kSecrets);
  send(model::delete_request(path_of(secrets(), name), {}));
  if (random_.chance(0.3)) return;
  // Some values are not valid in headers.
  const std::string trailer =
      random_.chance(0.2) ? "\r\nx-other: 1" : fmt::format("-{}", random_.below(1000));
  send(model::create_request(collection_of(secrets()), picker_secret_object(name, trailer)));
}

void PickerActors::scale_up(const SetTruth& set) {
  const auto more = set.replicas + 1 + static_cast<std::int64_t>(random_.below(3));
  const object change{{"spec", {{"replicas", more}}}};
  send(model::merge_patch_request(path_of(replica_sets(), set.name), change));
}

void PickerActors::kill_some(const SetTruth& set) {
  for (const PodTruth* pod : world_.truth.pods_of(set)) {
    if (!random_.chance(0.4)) continue;
    const std::string name = pod->name;
    send(model::delete_request(path_of(pods(), name), {.grace_seconds = 0}));
    if (random_.chance(0.3)) {
      send(model::create_request(collection_of(pods()),
                                 pod_object(name, set.selector.begin()->second)));
    }
  }
}

void PickerActors::remove_all(const SetTruth& set) {
  const object nothing{{"spec", {{"downscalePodPicker", nullptr}}}};
  for (const auto& entry : world_.truth.deployments()) {
    if (entry.first != set.controller || entry.second.gone) continue;
    send(model::merge_patch_request(path_of(deployments(), entry.second.name), nothing));
  }
  send(model::merge_patch_request(path_of(replica_sets(), set.name), nothing));
  for (const std::string_view name : kPolicies) {
    send(model::delete_request(path_of(policies(), name), {}));
  }
}

}  // namespace ebb::sim
