// A call as a request, and what came back as a reply: once for HTTP, once for gRPC.
#pragma once

#include "net/http_client.h"
#include "picker/call.h"

namespace ebb::asker {

// Head lines and trailers of an answer, preliminary ones (1xx) included.
inline constexpr std::size_t kMostHeadBytes = 64 * 1024;

// All but the address and the time it may take.
[[nodiscard]] net::HttpCall make_http_call(const picker::Call& call);
[[nodiscard]] net::HttpCall make_grpc_call(const picker::Call& call, Nanoseconds left_ns);

[[nodiscard]] picker::Reply read_http_reply(const net::HttpReply& reply);
[[nodiscard]] picker::Reply read_grpc_reply(const net::HttpReply& reply);

}  // namespace ebb::asker
