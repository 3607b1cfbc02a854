// A call of net::HttpClient from start to finish: collects what curl reports.
#pragma once  // private to its room

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "net/client/body_budget.h"
#include "net/client/curl_loop.h"
#include "net/client/curl_transfer.h"
#include "net/client/http1_connection.h"
#include "net/client/http_client.h"
#include "net/client/reply_head.h"

namespace ebb::net {

inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

struct HttpTransfer final : CurlListener {
  explicit HttpTransfer(BodyBudget& budget) : share(budget) {}

  HttpClient::Id id = 0;
  HttpCall call{};
  HttpClient::Piece piece{};
  HttpClient::Done done{};
  Nanoseconds deadline_ns = kNever;             // for the whole call
  Nanoseconds patience_ns = kNever;             // the end of the wait for a free connection
  Nanoseconds last_sign_ns = 0;                 // when data last arrived
  std::unique_ptr<CurlTransfer> curl;           // while curl runs it
  std::unique_ptr<Http1Connection> connection;  // or on an HTTP/1.1 connection
  HttpReply reply{};
  BodyBudget::Share share;  // for the body of the reply
  Dialer* dialer = nullptr;
  std::size_t received = 0;
  std::size_t head_bytes = 0;
  std::string problem{};                                // an error found by ebb
  HttpReply::Reason reason = HttpReply::Reason::kNone;  // of the problem
  bool sent = false;       // the server may have received part of the request
  bool head_over = false;  // the blank line after it has arrived
  bool cancelled = false;

  bool about_to_send() override {
    // Curl repeats a request by itself when a kept connection breaks without a response. It cannot
    // know whether the server carried out the first one, and this cannot be turned off; so requests
    // with side effects are stopped here.
    const bool repeatable = call.idempotent || call.method == "GET" || call.method == "HEAD";
    if (sent && !repeatable) {
      return reject(HttpReply::Reason::kLost,
                    "the server closed the connection without a response");
    }
    // The machine may have been suspended while connecting, which curl's own clock does not notice.
    // A request that was right to send then may be wrong now.
    if (deadline_ns <= steady_now_ns()) {
      return reject(HttpReply::Reason::kTimeout, "timed out before the request could be sent");
    }
    sent = true;
    return !cancelled;
  }

  bool head_line(std::string_view text) override {
    note_sign();
    head_bytes += text.size();
    if (call.max_head_bytes != 0 && head_bytes > call.max_head_bytes) {
      return reject(HttpReply::Reason::kTooLong,
                    fmt::format("the head is longer than {} bytes", call.max_head_bytes));
    }
    take_head_line(text, reply);
    head_over = text == "\r\n" || text == "\n" || (head_over && !text.starts_with("HTTP/"));
    if (is_kept() && reply.content_length > call.max_bytes) return reject_length();
    return !cancelled;
  }

  bool body_piece(std::string_view text) override {
    if (cancelled) return false;
    note_sign();
    received += text.size();
    if (call.max_bytes != 0 && received > call.max_bytes) return reject_length();
    if (piece && is_good()) {
      piece(text);
    } else if (is_good() || !call.drop_errors) {
      if (!share.grow(text.size())) {
        return reject(HttpReply::Reason::kTooLong, "all responses together are too long");
      }
      reply.body.append(text);
    }
    return !cancelled;
  }

  bool packed_bytes(std::uint64_t count) override {
    // A compressed stream that decompresses to nothing could go on forever.
    if (call.max_bytes != 0 && count > call.max_bytes) return reject_length();
    return !cancelled;
  }

  int open_socket(curl_sockaddr& address) override {
    std::optional<Endpoint> where = endpoint_of(&address.addr);
    const int socket = where ? dialer->open(*where) : -1;
    if (socket < 0) {
      reject(HttpReply::Reason::kForbidden, "connections to this address are not allowed");
    } else {
      store(*where, &address.addr);
    }
    return socket;
  }

  // Skips reading the clock if silence has no limit.
  void note_sign() {
    if (call.silence_ns > 0) last_sign_ns = steady_now_ns();
  }

  // Always false, for curl.
  bool reject(HttpReply::Reason why, std::string text) {
    problem = std::move(text);
    reason = why;
    return false;
  }
  bool reject_length() {
    return reject(HttpReply::Reason::kTooLong,
                  fmt::format("the answer is longer than {} bytes", call.max_bytes));
  }
  [[nodiscard]] bool is_good() const { return reply.code >= 200 && reply.code < 300; }
  // Whether the announced length of the response matters.
  [[nodiscard]] bool is_kept() const { return call.max_bytes != 0 && is_good(); }

  [[nodiscard]] bool is_started() const { return curl || connection; }
  [[nodiscard]] Nanoseconds silent_at_ns() const {
    return call.silence_ns > 0 && is_started() ? last_sign_ns + call.silence_ns : kNever;
  }
  [[nodiscard]] Nanoseconds due_ns() const {
    // While curl runs it, curl enforces the deadline.
    if (curl) return silent_at_ns();
    return std::min(deadline_ns, connection ? silent_at_ns() : patience_ns);
  }
};

}  // namespace ebb::net
