// Converts a call to an HTTP request, and the response to a reply: once for HTTP, once for gRPC.
#pragma once

#include "net/client/http_client.h"
#include "picker/call.h"

namespace ebb::picker_client {

// Head lines and trailers of a response, including interim ones (1xx).
inline constexpr std::size_t kMaxHeadBytes = 64 * 1024;

// All but the address and the time limit.
[[nodiscard]] net::HttpCall make_http_call(const picker::Call& call);
[[nodiscard]] net::HttpCall make_grpc_call(const picker::Call& call, Nanoseconds left_ns);

[[nodiscard]] picker::Reply read_http_reply(const net::HttpReply& reply);
[[nodiscard]] picker::Reply read_grpc_reply(const net::HttpReply& reply);

}  // namespace ebb::picker_client
