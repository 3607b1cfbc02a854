// A call of net::HttpClient from being asked for to being answered: what curl reports is
// gathered here.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "net/body_budget.h"
#include "net/curl_line.h"
#include "net/curl_loop.h"
#include "net/curl_transfer.h"
#include "net/http_client.h"
#include "net/reply_head.h"

namespace ebb::net {

inline constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

struct HttpTransfer final : CurlListener {
  explicit HttpTransfer(BodyBudget& budget) : share(budget) {}

  HttpClient::Id id = 0;
  HttpCall call{};
  HttpClient::Piece piece{};
  HttpClient::Done done{};
  Nanoseconds deadline_ns = kNever;    // by when all of it must be over
  Nanoseconds patience_ns = kNever;    // until when it waits for a connection to be free
  Nanoseconds last_sign_ns = 0;        // when something was heard last
  std::unique_ptr<CurlTransfer> curl;  // while it is with curl
  std::unique_ptr<CurlLine> line;      // or on a line
  HttpReply reply{};
  BodyBudget::Share share;  // for the body of the reply
  Dialer* dialer = nullptr;
  std::size_t received = 0;
  std::size_t head_bytes = 0;
  std::string problem{};                                // what we found wrong ourselves
  HttpReply::Reason reason = HttpReply::Reason::kNone;  // of the problem
  bool sent = false;       // some of the request may have reached the server
  bool head_over = false;  // the blank line behind it has come
  bool cancelled = false;

  bool about_to_send() override {
    // Curl repeats a request by itself when a kept connection breaks without an answer. It
    // cannot know whether the server has carried the first one out, and cannot be told not to;
    // so whatever changes things is stopped here.
    const bool repeatable = call.idempotent || call.method == "GET" || call.method == "HEAD";
    if (sent && !repeatable) {
      return object(HttpReply::Reason::kLost, "the server closed the connection without an answer");
    }
    sent = true;
    return !cancelled;
  }

  bool head_line(std::string_view text) override {
    note_sign();
    head_bytes += text.size();
    if (call.most_head_bytes != 0 && head_bytes > call.most_head_bytes) {
      return object(HttpReply::Reason::kTooLong,
                    fmt::format("the head is longer than {} bytes", call.most_head_bytes));
    }
    take_head_line(text, reply);
    head_over = text == "\r\n" || text == "\n" || (head_over && !text.starts_with("HTTP/"));
    if (is_kept() && reply.content_length > call.most_bytes) return object_to_length();
    return !cancelled;
  }

  bool body_piece(std::string_view text) override {
    if (cancelled) return false;
    note_sign();
    received += text.size();
    if (call.most_bytes != 0 && received > call.most_bytes) return object_to_length();
    if (piece && is_good()) {
      piece(text);
    } else if (is_good() || !call.drop_errors) {
      if (!share.grow(text.size())) {
        return object(HttpReply::Reason::kTooLong, "all answers together are too long");
      }
      reply.body.append(text);
    }
    return !cancelled;
  }

  bool packed_bytes(std::uint64_t count) override {
    // What unpacks to nothing could go on for ever.
    if (call.most_bytes != 0 && count > call.most_bytes) return object_to_length();
    return !cancelled;
  }

  int open_socket(curl_sockaddr& address) override {
    std::optional<Endpoint> where = endpoint_of(&address.addr);
    const int socket = where ? dialer->open(*where) : -1;
    if (socket < 0) {
      object(HttpReply::Reason::kForbidden, "this address may not be connected to");
    } else {
      store(*where, &address.addr);
    }
    return socket;
  }

  // Where silence has no limit nobody asks for the time.
  void note_sign() {
    if (call.silence_ns > 0) last_sign_ns = steady_now_ns();
  }

  // Always false, for curl.
  bool object(HttpReply::Reason why, std::string text) {
    problem = std::move(text);
    reason = why;
    return false;
  }
  bool object_to_length() {
    return object(HttpReply::Reason::kTooLong,
                  fmt::format("the answer is longer than {} bytes", call.most_bytes));
  }
  [[nodiscard]] bool is_good() const { return reply.code >= 200 && reply.code < 300; }
  // Whether an answer's announced length matters.
  [[nodiscard]] bool is_kept() const { return call.most_bytes != 0 && is_good(); }

  [[nodiscard]] bool is_started() const { return curl || line; }
  [[nodiscard]] Nanoseconds silent_at_ns() const {
    return call.silence_ns > 0 && is_started() ? last_sign_ns + call.silence_ns : kNever;
  }
  [[nodiscard]] Nanoseconds due_ns() const {
    // While it is with curl, curl keeps the deadline.
    if (curl) return silent_at_ns();
    return std::min(deadline_ns, line ? silent_at_ns() : patience_ns);
  }
};

}  // namespace ebb::net
