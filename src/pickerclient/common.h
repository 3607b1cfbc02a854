// Code shared by both protocols.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/client/http_client.h"
#include "picker/call.h"

namespace ebb::picker_client {

// Whether path and headers can be sent. The caller has checked this; a mistake must still not reach
// the wire.
[[nodiscard]] bool is_sendable(const picker::Call& call);

// A POST with the limits, trust and headers of the call's settings.
[[nodiscard]] net::HttpCall make_post(const picker::Call& call, std::string_view path);

// The reply for a failed transfer; nothing if it did not fail.
[[nodiscard]] std::optional<picker::Reply> read_failure(const net::HttpReply& reply);

[[nodiscard]] picker::Reply to_reply(Result<picker::Answer> answer);
[[nodiscard]] picker::Reply malformed(std::string detail);

// Adds the parts of a malformed answer that its author needs to see.
[[nodiscard]] picker::Reply with_excerpt(picker::Reply reply, std::string_view body);

}  // namespace ebb::picker_client
