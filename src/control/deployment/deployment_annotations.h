// The annotations that a Deployment writes on its ReplicaSets: its own, a revision, and the sizes
// that they were scaled for.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "control/deployment/deployment_view.h"

namespace ebb::control::deployments {

// Whether the annotation is never copied to another object.
[[nodiscard]] bool stays(std::string_view annotation_key);

// The highest revision among these, plus one.
[[nodiscard]] std::int64_t next_revision(const std::vector<const SetView*>& old);

// Gives the new ReplicaSet the Deployment's annotations and a revision of at least `revision`; its
// previous revision moves to its history. Returns whether anything changed. A revision that is not
// a number was written by an unknown client, and then nothing is changed.
bool annotate_new_set(const boost::json::object& deployment, std::int64_t revision,
                      boost::json::object& set);

// `3,5` and 7 give `3,5,7`; the oldest are dropped to stay within the limit. Nothing if that is
// impossible.
[[nodiscard]] std::optional<std::string> extend_history(std::string_view history,
                                                        std::string_view revision,
                                                        std::size_t max_characters);

// Records what the ReplicaSet is scaled for. Returns whether anything changed.
bool stamp_sizes(const DeploymentView& deployment, boost::json::object& set);

}  // namespace ebb::control::deployments
