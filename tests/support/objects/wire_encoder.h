// Encodes JSON objects as Kubernetes protobuf by the schema table, as a real API server would send
// them. For tests, which must not use the decoder's hand-written numbers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "schema/core/object_schema.h"

namespace ebb::testing {

[[nodiscard]] std::string encode_message(const schema::ObjectSchema& schema,
                                         const boost::json::object& object);
[[nodiscard]] std::string encode_pod(const boost::json::object& pod);
[[nodiscard]] std::string encode_status(const boost::json::object& status);

// `k8s`, a zero byte, and the message in its envelope.
[[nodiscard]] std::string in_envelope(std::string_view kind, std::string_view message);
// Encodes a watch frame. An object of kind Status is encoded as one, any other as a pod.
[[nodiscard]] std::string encode_event(const boost::json::object& event);
// A PodList in its envelope.
[[nodiscard]] std::string encode_pod_list(const boost::json::object& list);

// One field of a message: bytes, or a number.
void append_field(std::string& message, unsigned number, std::string_view bytes);
void append_field(std::string& message, unsigned number, std::uint64_t value);

}  // namespace ebb::testing
