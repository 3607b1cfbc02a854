// A call of net::HttpClient from being asked for to being answered: what curl reports is
// gathered here.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "net/curl_loop.h"
#include "net/curl_transfer.h"
#include "net/http_client.h"
#include "net/reply_head.h"

namespace ebb::net {

inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

struct HttpTransfer final : CurlListener {
  HttpClient::Id id = 0;
  HttpCall call{};
  HttpClient::Piece piece{};
  HttpClient::Done done{};
  Nanoseconds deadline_ns = kNever;    // by when all of it must be over
  Nanoseconds patience_ns = kNever;    // until when it waits for a connection to be free
  Nanoseconds last_sign_ns = 0;        // when something was heard last
  std::unique_ptr<CurlTransfer> curl;  // while it is with curl
  HttpReply reply{};
  std::size_t received = 0;
  std::string problem{};  // what we found wrong ourselves
  bool sent = false;      // some of the request may have reached the server
  bool cancelled = false;

  bool about_to_send() override {
    // Curl repeats a request by itself when a kept connection breaks without an answer. It
    // cannot know whether the server has carried the first one out, and cannot be told not to;
    // so whatever changes things is stopped here.
    const bool repeatable = call.method == "GET" || call.method == "HEAD";
    if (sent && !repeatable) {
      problem = "the server closed the connection without an answer";
      return false;
    }
    sent = true;
    return !cancelled;
  }

  void head_line(std::string_view line) override {
    last_sign_ns = steady_now_ns();
    take_head_line(line, reply);
  }

  bool body_piece(std::string_view text) override {
    if (cancelled) return false;
    last_sign_ns = steady_now_ns();
    received += text.size();
    if (call.most_bytes != 0 && received > call.most_bytes) {
      problem = fmt::format("the answer is longer than {} bytes", call.most_bytes);
      return false;
    }
    if (piece && reply.code >= 200 && reply.code < 300) {
      piece(text);
    } else {
      reply.body.append(text);
    }
    return !cancelled;
  }

  [[nodiscard]] Nanoseconds silent_at_ns() const {
    return call.silence_ns > 0 && curl ? last_sign_ns + call.silence_ns : kNever;
  }
  [[nodiscard]] Nanoseconds due_ns() const {
    // While it is with curl, curl keeps the deadline.
    return curl ? silent_at_ns() : std::min(deadline_ns, patience_ns);
  }
};

}  // namespace ebb::net
