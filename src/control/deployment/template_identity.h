// Decides when two pod templates are equal, and names the ReplicaSet of a template.
//
// A Deployment recognises its new ReplicaSet by the template alone. Treating equal templates as
// different would roll out every Deployment of a cluster; treating different ones as equal would
// lose a rollout. So templates are compared by their meaning in Kubernetes, whichever client wrote
// them (semantic_equality.h). Hashes only form names: they are never compared, so another
// controller's may differ from ebb's. Digests only save comparisons.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

namespace ebb::control {

inline constexpr std::string_view kTemplateHashLabel = "pod-template-hash";

// Ignores the label pod-template-hash.
[[nodiscard]] bool same_template(const boost::json::object& a, const boost::json::object& b);

// Templates with different digests differ; with equal ones they must be compared. Valid in this
// process only.
[[nodiscard]] std::uint64_t template_digest(const boost::json::object& pod_template);

// At most ten characters that are valid in names and labels. The same for the same template (in any
// field order) and the same collision count.
[[nodiscard]] std::string template_hash(const boost::json::object& pod_template,
                                        std::optional<std::int64_t> collision_count);

// `web-6d4cf56db6`; a long Deployment name is cut to fit.
[[nodiscard]] std::string replica_set_name(std::string_view deployment, std::string_view hash);

}  // namespace ebb::control
