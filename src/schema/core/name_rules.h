// The rules for names, keys and values in Kubernetes objects.
//
// Each rule returns the errors in Kubernetes' words, or nothing. A valid text, the common case,
// costs one pass over its characters and no allocation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::schema {

// The limit for a part of a name, a label value or a DNS label.
inline constexpr std::size_t kMaxLabelBytes = 63;
inline constexpr std::size_t kMaxSubdomainBytes = 253;
// A group, a slash and a version.
inline constexpr std::size_t kMaxApiVersionBytes = kMaxSubdomainBytes + 1 + kMaxLabelBytes;

// The patterns of these texts, as RE2 and Kubernetes' messages write them.
inline constexpr std::string_view kSubdomainPattern =
    "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
inline constexpr std::string_view kApiVersionPattern =
    "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/"
    ")?[a-z]([-a-z0-9]*[a-z0-9])?";
inline constexpr std::string_view kKindPattern = "[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?";

using ErrorMessages = std::vector<std::string>;

// web-1
[[nodiscard]] ErrorMessages dns_label_errors(std::string_view text);
// A label that begins with a letter, such as an API version.
[[nodiscard]] ErrorMessages dns_1035_label_errors(std::string_view text);
// web.example.com
[[nodiscard]] ErrorMessages dns_subdomain_errors(std::string_view text);
// role, example.com/role: keys of labels and annotations, names of resources and finalizers
[[nodiscard]] ErrorMessages qualified_name_errors(std::string_view text);
// v1, apps/v1
[[nodiscard]] ErrorMessages api_version_errors(std::string_view text);
// ReplicaSet
[[nodiscard]] ErrorMessages kind_errors(std::string_view text);
[[nodiscard]] ErrorMessages label_value_errors(std::string_view text);
// A key of a ConfigMap or Secret.
[[nodiscard]] ErrorMessages config_key_errors(std::string_view text);
[[nodiscard]] ErrorMessages environment_name_errors(std::string_view text);
// The name of a container's port: http, grpc-web
[[nodiscard]] ErrorMessages port_name_errors(std::string_view text);
// 25%
[[nodiscard]] ErrorMessages percent_errors(std::string_view text);
// A name that is valid in the path of a request.
[[nodiscard]] ErrorMessages path_segment_errors(std::string_view text);

}  // namespace ebb::schema
