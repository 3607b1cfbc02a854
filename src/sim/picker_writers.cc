#include "sim/picker_writers.h"

#include <array>

#include <fmt/format.h>

#include "model/requests.h"
#include "schema/json.h"

namespace ebb::sim {
namespace {

using boost::json::object;

constexpr std::array<std::string_view, 5> kHosts = {
    "alder.pickers.svc", "birch.pickers.svc", "cedar.pickers.svc", "doom.pickers.svc", "10.9.8.7"};
constexpr std::array<std::string_view, 3> kPolicies = {"policy-a", "policy-b", "policy-c"};
constexpr std::array<std::string_view, 2> kSecrets = {"picker-a", "picker-b"};

template <class List>
std::string_view one_of(const List& list, Dice& dice) {
  return list[dice.below(list.size())];
}

std::string path_of(const schema::Kind& kind, std::string_view name) {
  return model::object_path(kind,
                            {.namespace_name = std::string(kNamespace), .name = std::string(name)});
}

std::string collection(const schema::Kind& kind) {
  return model::collection_path(kind, kNamespace);
}

}  // namespace

PickerWriters::PickerWriters(World& world, std::uint64_t seed, bool busy)
    : world_(world), dice_(seed), present_(busy || dice_.chance(0.5)) {
  fields_ = busy ? 0.8 : dice_.chance(0.5) ? 0.5 : 0;
}

void PickerWriters::send(const model::ApiRequest& request) { world_.request("user", request); }

PickerWish PickerWriters::some_wish() {
  PickerWish wish{.host = std::string(one_of(kHosts, dice_)),
                  .grpc = dice_.chance(0.3),
                  .tls = dice_.chance(0.3),
                  .full = dice_.chance(0.3),
                  .timeout_seconds = 1 + static_cast<int>(dice_.below(dice_.chance(0.7) ? 2 : 5)),
                  .max_retries = static_cast<int>(dice_.below(4))};
  if (dice_.chance(0.4)) {
    wish.header_secret = one_of(kSecrets, dice_);
    wish.header_optional = dice_.chance(0.3);
  }
  if (dice_.chance(0.2)) wish.certificate_secret = one_of(kSecrets, dice_);
  return wish;
}

void PickerWriters::begin(const std::vector<std::string>& sets,
                          const std::vector<std::string>& deployments) {
  if (!present_) return;
  for (const std::string_view name : kSecrets) {
    if (dice_.chance(0.7)) {
      send(model::create_request(collection(secrets()), picker_secret_object(name, "-0")));
    }
  }
  for (const std::string_view name : kPolicies) {
    if (dice_.chance(0.6)) continue;
    const std::size_t i = dice_.below(sets.size() + deployments.size());
    const bool of_set = i < sets.size();
    send(model::create_request(collection(policies()),
                               policy_object(name, of_set ? "ReplicaSet" : "Deployment",
                                             of_set ? sets[i] : deployments[i - sets.size()],
                                             picker_object(some_wish()))));
  }
}

void PickerWriters::add_to(object& workload) {
  if (!present_ || !dice_.chance(fields_)) return;
  schema::ensure_object(workload, {"spec"})["downscalePodPicker"] = picker_object(some_wish());
}

void PickerWriters::act() {
  if (!present_) return;
  const std::uint64_t what = dice_.below(3);
  if (what == 0) return change_field();
  if (what == 1) return change_policy();
  change_secret();
}

void PickerWriters::set_field(const schema::Kind& kind, std::string_view name) {
  const std::string path = path_of(kind, name);
  const auto write = [&](boost::json::value value) {
    send(model::merge_patch_request(path, {{"spec", {{"downscalePodPicker", std::move(value)}}}}));
  };
  // A merge would leave behind what the new settings do not mention.
  write(nullptr);
  if (dice_.chance(0.7)) write(picker_object(some_wish()));
}

// Also of ReplicaSets whose Deployment wants something else.
void PickerWriters::change_field() {
  std::vector<std::pair<const schema::Kind*, std::string>> there;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) there.emplace_back(&replica_sets(), entry.second.name);
  }
  for (const auto& entry : world_.truth.deployments()) {
    if (!entry.second.gone) there.emplace_back(&deployments(), entry.second.name);
  }
  if (there.empty()) return;
  const auto& one = there[dice_.below(there.size())];
  set_field(*one.first, one.second);
}

void PickerWriters::change_policy() {
  const std::string_view name = one_of(kPolicies, dice_);
  send(model::delete_request(path_of(policies(), name), {}));
  if (dice_.chance(0.2)) return;
  std::vector<std::pair<std::string_view, std::string>> targets{{"ReplicaSet", "nobody"}};
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone) targets.emplace_back("ReplicaSet", entry.second.name);
  }
  for (const auto& entry : world_.truth.deployments()) {
    if (!entry.second.gone) targets.emplace_back("Deployment", entry.second.name);
  }
  const auto& target = targets[dice_.below(targets.size())];
  send(model::create_request(
      collection(policies()),
      policy_object(name, target.first, target.second, picker_object(some_wish()))));
}

void PickerWriters::change_secret() {
  const std::string_view name = one_of(kSecrets, dice_);
  send(model::delete_request(path_of(secrets(), name), {}));
  if (dice_.chance(0.3)) return;
  // Some values cannot be headers.
  const std::string trailer =
      dice_.chance(0.2) ? "\r\nx-other: 1" : fmt::format("-{}", dice_.below(1000));
  send(model::create_request(collection(secrets()), picker_secret_object(name, trailer)));
}

void PickerWriters::scale_up(const SetTruth& set) {
  const auto more = set.replicas + 1 + static_cast<std::int64_t>(dice_.below(3));
  const object change{{"spec", {{"replicas", more}}}};
  send(model::merge_patch_request(path_of(replica_sets(), set.name), change));
}

void PickerWriters::kill_some(const SetTruth& set) {
  for (const PodTruth* pod : world_.truth.pods_of(set)) {
    if (!dice_.chance(0.4)) continue;
    const std::string name = pod->name;
    send(model::delete_request(path_of(pods(), name), {.grace_seconds = 0}));
    if (dice_.chance(0.3)) {
      send(model::create_request(collection(pods()),
                                 pod_object(name, set.selector.begin()->second)));
    }
  }
}

void PickerWriters::remove_all(const SetTruth& set) {
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
