// What both protocols have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_client.h"
#include "picker/call.h"

namespace ebb::asker {

// Whether path and headers can be sent. Whoever asks has checked this; what is wrong all the same
// must not reach the wire.
[[nodiscard]] bool is_sendable(const picker::Call& call);

// A POST with the limits, the trust and the headers of the call's settings.
[[nodiscard]] net::HttpCall make_post(const picker::Call& call, std::string_view path);

// What a transfer that failed means; nothing if it did not.
[[nodiscard]] std::optional<picker::Reply> read_failure(const net::HttpReply& reply);

[[nodiscard]] picker::Reply to_reply(Result<picker::Answer> answer);
[[nodiscard]] picker::Reply malformed(std::string detail);

// The same reply; if it is malformed, with what its author needs to see of the answer.
[[nodiscard]] picker::Reply with_excerpt(picker::Reply reply, std::string_view body);

}  // namespace ebb::asker
