// When two pod templates are the same, and what a ReplicaSet of a template is called.
//
// A Deployment knows its new ReplicaSet by its template and by nothing else. Calling equal
// templates different rolls out every Deployment of a cluster; calling different ones equal
// loses a rollout. So templates are compared as Kubernetes means them, whoever wrote them
// (semantic_equality.h). Hashes only make names: they are never compared, so another
// controller's may differ from ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

namespace ebb::control {

inline constexpr std::string_view kTemplateHashLabel = "pod-template-hash";

// Whatever their labels pod-template-hash say.
[[nodiscard]] bool same_template(const boost::json::object& a, const boost::json::object& b);

// At most ten characters that can stand in names and labels. The same for the same template (in
// whatever order its fields come) and the same count.
[[nodiscard]] std::string template_hash(const boost::json::object& pod_template,
                                        std::optional<std::int64_t> collision_count);

// `web-6d4cf56db6`; a long Deployment name is cut to fit.
[[nodiscard]] std::string replica_set_name(std::string_view deployment, std::string_view hash);

}  // namespace ebb::control
