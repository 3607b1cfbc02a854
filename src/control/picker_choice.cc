#include "control/picker_choice.h"

#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "control/policy_section.h"
#include "model/raw_json.h"

namespace ebb::control {
namespace {

// `text` is the JSON of the field that is called `where`.
void read_settings(std::string_view text, std::string_view where, PickerChoice& choice) {
  auto value = parse_section(text, where);
  auto settings =
      value ? picker::decode_settings(*value, where) : Result<picker::Settings>(propagate(value));
  if (settings) {
    choice.settings = std::make_shared<const picker::Settings>(std::move(*settings));
  } else {
    choice.problem = std::move(settings.error().message);
  }
}

bool is_target(const model::DownscalePolicy& policy, std::string_view kind, std::string_view name) {
  return policy.target_kind.view() == kind && policy.target_name.view() == name;
}

}  // namespace

std::string picker_problem(const Policy& policy) {
  PickerChoice choice;
  read_settings(section_text(policy, "podPicker"), "spec.podPicker", choice);
  return choice.problem;
}

bool comes_before(const model::DownscalePolicy& a, const model::DownscalePolicy& b) {
  return std::tuple(a.created, a.name.view()) < std::tuple(b.created, b.name.view());
}

bool concerns(const model::DownscalePolicy& policy, const model::ReplicaSet& set) {
  if (is_target(policy, "ReplicaSet", set.name.view())) return true;
  return set.controller != nullptr &&
         is_target(policy, set.controller->kind.view(), set.controller->name.view());
}

const model::DownscalePolicy* policy_of(const model::ReplicaSet& set,
                                        std::span<const model::DownscalePolicy* const> policies) {
  const auto oldest = [&](std::string_view kind, std::string_view name) {
    const model::DownscalePolicy* found = nullptr;
    for (const model::DownscalePolicy* policy : policies) {
      if (policy->name_space.view() != set.name_space.view() || !is_target(*policy, kind, name)) {
        continue;
      }
      if (found == nullptr || comes_before(*policy, *found)) found = policy;
    }
    return found;
  };
  const model::DownscalePolicy* const own = oldest("ReplicaSet", set.name.view());
  if (own != nullptr || set.controller == nullptr) return own;
  return oldest(set.controller->kind.view(), set.controller->name.view());
}

const Policy* policy_for(const ReplicaSet& set, const Store& store) {
  std::vector<const model::DownscalePolicy*> policies;
  const auto add = [&](std::string_view kind, std::string_view name) {
    for (const Policy* policy : store.policies_for(set.name_space.view(), kind, name)) {
      policies.push_back(policy);
    }
  };
  add("ReplicaSet", set.name.view());
  if (set.controller != nullptr) add(set.controller->kind.view(), set.controller->name.view());
  return static_cast<const Policy*>(policy_of(set, policies));
}

std::optional<PickerChoice> choose_picker(const ReplicaSet& set, const Store& store) {
  PickerChoice choice;
  if (set.has_picker) {
    choice.carrier = "spec.downscalePodPicker";
    read_settings(model::raw_member(model::raw_member(set.json, "spec"), "downscalePodPicker"),
                  choice.carrier, choice);
    return choice;
  }
  const Policy* const counts = policy_for(set, store);
  if (counts == nullptr || !counts->has_picker) return std::nullopt;
  choice.policy = counts->name.view();
  choice.carrier = fmt::format("DownscalePolicy/{}", choice.policy);
  read_settings(section_text(*counts, "podPicker"), "spec.podPicker", choice);
  return choice;
}

}  // namespace ebb::control
