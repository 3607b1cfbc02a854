// The DownscaleDecision object that records a decision: its name, labels and content.
//
// Nothing owns the object, so that it survives its ReplicaSet. The record is that of the decision
// log, without the parts that its metadata repeats, and its size is bounded.
#pragma once  // private to its room

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "control/core/decision.h"
#include "schema/core/kind.h"

namespace ebb::control {

// An object is smaller than this: sentences are shortened first, then victims are left out.
inline constexpr std::size_t kMaxDecisionBytes = 256U << 10U;
inline constexpr std::size_t kMaxDecisionVictims = 500;

[[nodiscard]] const schema::Kind& decision_kind();

// The workload that was scaled down: the owner of the ReplicaSet, or the ReplicaSet itself.
struct DecisionWorkload {
  std::string_view kind;
  std::string_view name;

  [[nodiscard]] std::string text() const { return std::string(kind).append("/").append(name); }
};
[[nodiscard]] DecisionWorkload workload_of(const Decision& decision);

// `web-76f59b67f4-ho7au13l2r`: the ReplicaSet, shortened if necessary, and the time of the
// decision. The same decision always has the same name, so that a repeated write creates nothing.
[[nodiscard]] std::string decision_name(const Decision& decision);

// The text if it is a valid label value. Otherwise as much of it as fits, and a hash.
[[nodiscard]] std::string label_value(std::string_view text);

// Cuts sentences of unusual length, which other programs and tenants can cause.
void shorten(Decision& decision);

[[nodiscard]] boost::json::object decision_object(const Decision& decision);

}  // namespace ebb::control
