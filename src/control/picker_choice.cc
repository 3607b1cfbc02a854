#include "control/picker_choice.h"

#include <string_view>
#include <tuple>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "model/raw_json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::size_t kDeepest = 200;

// `text` is the JSON of the field that is called `where`.
void read_settings(std::string_view text, std::string_view where, PickerChoice& choice) {
  json::error_code error;
  json::parse_options options;
  options.max_depth = kDeepest;
  const json::value value = json::parse(json::string_view(text), error, {}, options);
  auto settings = error ? Result<picker::Settings>(
                              fail(ErrorCode::kInvalidInput, fmt::format("{}: is no JSON", where)))
                        : picker::decode_settings(value, where);
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

bool comes_before(const model::DownscalePolicy& a, const model::DownscalePolicy& b) {
  return std::tuple(a.created, a.name.view()) < std::tuple(b.created, b.name.view());
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

std::optional<PickerChoice> choose_picker(const ReplicaSet& set, const Store& store) {
  static_cast<void>(store);
  if (!set.has_picker) return std::nullopt;
  PickerChoice choice;
  choice.carrier = "spec.downscalePodPicker";
  read_settings(model::raw_member(model::raw_member(set.json, "spec"), "downscalePodPicker"),
                choice.carrier, choice);
  return choice;
}

}  // namespace ebb::control
