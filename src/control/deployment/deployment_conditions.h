// The conditions in a Deployment's status.
#pragma once  // private to its room

#include <string_view>

#include <boost/json/object.hpp>

#include "base/timestamp.h"

namespace ebb::control::deployments {

inline constexpr std::string_view kAvailable = "Available";
inline constexpr std::string_view kProgressing = "Progressing";
inline constexpr std::string_view kReplicaFailure = "ReplicaFailure";

inline constexpr std::string_view kTrue = "True";
inline constexpr std::string_view kFalse = "False";
inline constexpr std::string_view kUnknown = "Unknown";

inline constexpr std::string_view kNewReplicaSetAvailable = "NewReplicaSetAvailable";
inline constexpr std::string_view kProgressDeadlineExceeded = "ProgressDeadlineExceeded";
inline constexpr std::string_view kDeploymentPaused = "DeploymentPaused";

// Null if there is no condition of this type.
[[nodiscard]] const boost::json::object* find_condition(const boost::json::object& status,
                                                        std::string_view type);
[[nodiscard]] std::string_view reason_of(const boost::json::object* condition);

[[nodiscard]] boost::json::object make_condition(std::string_view type, std::string_view status,
                                                 std::string_view reason, std::string_view message,
                                                 Timestamp now);

// Does nothing if status and reason are unchanged. The last transition time is kept while the
// status stays the same; a changed condition moves to the end. Returns whether anything changed.
bool set_condition(boost::json::object& status, boost::json::object condition);
void remove_condition(boost::json::object& status, std::string_view type);

}  // namespace ebb::control::deployments
