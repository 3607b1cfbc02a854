// Fuzzes label and field selectors. A parsed selector can be printed and parsed again without a
// change, and errors can be sent to clients.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "apiserver/store/selectors.h"
#include "base/check.h"

namespace {

using ebb::apiserver::FieldSelector;
using ebb::apiserver::LabelSelector;
using ebb::apiserver::LabelView;
using Operator = LabelSelector::Operator;

constexpr ebb::schema::Selectable kSelectable[] = {{"spec.nodeName", ""}, {"status.phase", ""}};

void check_error(const ebb::model::Status& status) {
  EBB_CHECK(status.code == 400 && !status.message.empty());
  EBB_CHECK(status.message.size() < 100'000);
  EBB_CHECK(simdjson::validate_utf8(status.message.data(), status.message.size()));
}

std::string print(const LabelSelector::Requirement& requirement) {
  const std::string& key = requirement.key;
  std::string values;
  for (const std::string& value : requirement.values) {
    if (&value != requirement.values.data()) values += ',';
    values += value;
  }
  switch (requirement.op) {
    case Operator::kIn:
      return key + " in (" + values + ")";
    case Operator::kNotIn:
      return key + " notin (" + values + ")";
    case Operator::kExists:
      return key;
    case Operator::kDoesNotExist:
      return "!" + key;
    case Operator::kGreater:
      return key + ">" + values;
    case Operator::kLess:
      return key + "<" + values;
  }
  return {};
}

bool same(const LabelSelector::Requirement& a, const LabelSelector::Requirement& b) {
  return a.key == b.key && a.op == b.op && a.values == b.values;
}

void check_label_selector(std::string_view text) {
  const auto selector = LabelSelector::parse(text);
  if (!selector) return check_error(selector.error());
  const auto& requirements = selector->requirements();
  std::string printed;
  for (const auto& requirement : requirements) {
    if (!printed.empty()) printed += ',';
    printed += print(requirement);
  }
  const auto again = LabelSelector::parse(printed);
  EBB_CHECK(again.has_value());
  EBB_CHECK(std::equal(requirements.begin(), requirements.end(), again->requirements().begin(),
                       again->requirements().end(), same));
  constexpr LabelView kLabels[] = {{"app", "web"}, {"a", ""}, {"b", "5"}};
  EBB_CHECK(selector->matches(kLabels) == again->matches(kLabels));
}

void check_field_selector(std::string_view text) {
  ebb::schema::Kind pods;
  pods.selectable = kSelectable;
  const auto selector = FieldSelector::parse(pods, text);
  if (!selector) return check_error(selector.error());
  const std::string_view values[] = {selector->only_name(), "shop", "", "Running"};
  const bool matched = selector->matches(values);
  EBB_CHECK(matched || !selector->empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_label_selector(text);
  check_field_selector(text);
  return 0;
}
