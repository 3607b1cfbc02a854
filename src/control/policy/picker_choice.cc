#include "control/policy/picker_choice.h"

#include <string_view>

#include <fmt/format.h>

#include "control/policy/policy_section.h"
#include "model/json/raw_json.h"

namespace ebb::control {
namespace {

// `text` is the JSON of the field named `where`.
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

}  // namespace

std::string picker_problem(const Policy& policy) {
  PickerChoice choice;
  read_settings(section_text(policy, "podPicker"), "spec.podPicker", choice);
  return choice.problem;
}

const model::DownscalePolicy* policy_of(const model::ReplicaSet& set,
                                        std::span<const model::DownscalePolicy* const> policies) {
  const auto oldest = [&](const model::TargetRef& target) {
    const model::DownscalePolicy* found = nullptr;
    for (const model::DownscalePolicy* policy : policies) {
      if (policy->namespace_name.view() != set.namespace_name.view() ||
          model::target_of(*policy) != target) {
        continue;
      }
      if (found == nullptr || model::comes_before(*policy, *found)) found = policy;
    }
    return found;
  };
  const model::DownscalePolicy* const own = oldest(model::reference_to(set));
  if (own != nullptr || set.controller == nullptr) return own;
  return oldest(model::reference_to(*set.controller));
}

const Policy* policy_for(const ReplicaSet& set, const Store& store) {
  const std::string_view namespace_name = set.namespace_name.view();
  auto policies = store.policies_for(namespace_name, model::reference_to(set));
  if (policies.empty() && set.controller != nullptr) {
    policies = store.policies_for(namespace_name, model::reference_to(*set.controller));
  }
  return policies.empty() ? nullptr : policies.front();
}

const Policy* policy_for(const ReplicaSet& set, const Store& store, PolicyView view) {
  const Policy* const policy = policy_for(set, store);
  const bool left_out = policy != nullptr && policy->shadow && view == PolicyView::kActing;
  return left_out ? nullptr : policy;
}

std::optional<PickerChoice> choose_picker(const ReplicaSet& set, const Store& store,
                                          PolicyView view) {
  PickerChoice choice;
  if (set.has_picker) {
    choice.carrier = "spec.downscalePodPicker";
    read_settings(model::raw_member(model::raw_member(set.json, "spec"), "downscalePodPicker"),
                  choice.carrier, choice);
    return choice;
  }
  const Policy* const counts = policy_for(set, store, view);
  if (counts == nullptr || !counts->has_picker) return std::nullopt;
  choice.policy = counts->name.view();
  choice.carrier = fmt::format("DownscalePolicy/{}", choice.policy);
  read_settings(section_text(*counts, "podPicker"), "spec.podPicker", choice);
  return choice;
}

}  // namespace ebb::control
