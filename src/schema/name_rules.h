// What names, keys and values in Kubernetes objects may look like.
//
// Each rule returns what is wrong, in Kubernetes' words, and nothing if all is well. Valid
// texts are the common case and cost one pass over their characters, no allocation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ebb::schema {

using Complaints = std::vector<std::string>;

// web-1
[[nodiscard]] Complaints dns_label_complaints(std::string_view text);
// A label that begins with a letter: versions of an API.
[[nodiscard]] Complaints dns_1035_label_complaints(std::string_view text);
// web.example.com
[[nodiscard]] Complaints dns_subdomain_complaints(std::string_view text);
// role, example.com/role: keys of labels and annotations, names of resources and finalizers
[[nodiscard]] Complaints qualified_name_complaints(std::string_view text);
[[nodiscard]] Complaints label_value_complaints(std::string_view text);
// Keys of ConfigMaps and Secrets.
[[nodiscard]] Complaints config_key_complaints(std::string_view text);
[[nodiscard]] Complaints environment_name_complaints(std::string_view text);
// The name of a container's port: http, grpc-web
[[nodiscard]] Complaints port_name_complaints(std::string_view text);
// 25%
[[nodiscard]] Complaints percent_complaints(std::string_view text);
// A name that can stand in the path of a request.
[[nodiscard]] Complaints path_segment_complaints(std::string_view text);

}  // namespace ebb::schema
