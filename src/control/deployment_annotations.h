// What a Deployment writes on its ReplicaSets beside their sizes: its own annotations, a
// revision, and what they were scaled for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "control/deployment_view.h"

namespace ebb::control::deployments {

// Whether an annotation stays with the object it is on.
[[nodiscard]] bool stays(std::string_view annotation_key);

// The highest revision among these, and one more.
[[nodiscard]] std::int64_t next_revision(const std::vector<const SetView*>& old);

// Gives the new ReplicaSet the Deployment's annotations and a revision that is not below
// `revision`; one that it had before goes to its history. Whether anything has changed. A revision
// that is no number is nobody's we know: then nothing is.
bool annotate_new_set(const boost::json::object& deployment, std::int64_t revision,
                      boost::json::object& set);

// `3,5` and 7 make `3,5,7`; the oldest are dropped to stay within the limit. Nothing if that
// cannot be done.
[[nodiscard]] std::optional<std::string> extend_history(std::string_view history,
                                                        std::string_view revision,
                                                        std::size_t most_characters);

// What the ReplicaSet is scaled for. Whether anything has changed.
bool stamp_sizes(const DeploymentView& deployment, boost::json::object& set);

}  // namespace ebb::control::deployments
