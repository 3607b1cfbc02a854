// Label and field selectors of list, watch and deletecollection requests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/api/status.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// Labels as views into a stored object.
using LabelView = std::pair<std::string_view, std::string_view>;

// `app=web,tier in (a, b),!canary,size>3`: equality, set-based, existence, and comparison.
class LabelSelector {
 public:
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist, kGreater, kLess };
  struct Requirement {
    std::string key;
    Operator op = Operator::kExists;
    std::vector<std::string> values;
  };

  // An error is a 400 in Kubernetes' words.
  [[nodiscard]] static model::StatusOr<LabelSelector> parse(std::string_view text);

  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  [[nodiscard]] bool matches(std::span<const LabelView> labels) const;
  [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }

 private:
  std::vector<Requirement> requirements_;
};

// `status.phase!=Running,spec.nodeName=n1`. `\` escapes a comma, an equals sign and itself.
class FieldSelector {
 public:
  struct Requirement {
    // 0: metadata.name, 1: metadata.namespace, 2 and up: the kind's selectable fields.
    std::size_t field = 0;
    bool equal = true;
    std::string value;
  };

  // A field that the kind does not support is a 400 `field label not supported: X`.
  [[nodiscard]] static model::StatusOr<FieldSelector> parse(const schema::Kind& kind,
                                                            std::string_view text);

  [[nodiscard]] bool empty() const { return requirements_.empty(); }
  // `values` are in the order of Requirement::field.
  [[nodiscard]] bool matches(std::span<const std::string_view> values) const;
  // The only name that can match (metadata.name=X), or empty.
  [[nodiscard]] std::string_view only_name() const;

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace ebb::apiserver
