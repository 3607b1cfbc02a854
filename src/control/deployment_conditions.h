// The conditions in a Deployment's status.
#pragma once

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

// Null if there is none of the type.
[[nodiscard]] const boost::json::object* find_condition(const boost::json::object& status,
                                                        std::string_view type);
[[nodiscard]] std::string_view reason_of(const boost::json::object* condition);

[[nodiscard]] boost::json::object make_condition(std::string_view type, std::string_view status,
                                                 std::string_view reason, std::string_view message,
                                                 Timestamp now);

// Nothing happens if status and reason are as they were. The time of the last transition stays
// while the status stays; what has changed moves to the end. Whether anything has changed.
bool set_condition(boost::json::object& status, boost::json::object condition);
void remove_condition(boost::json::object& status, std::string_view type);

}  // namespace ebb::control::deployments
