// Requests to an API server and their answers, as values. The embedded API server takes
// them, the state machines make them, and a shell carries them over HTTP or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"

namespace ebb::model {

// A resourceVersion. Ours are decimal numbers that grow with every write to anything.
using Revision = std::uint64_t;

enum class Method : std::uint8_t { kGet, kPost, kPut, kPatch, kDelete };

struct ApiRequest {
  Method method = Method::kGet;
  std::string path{};   // "/api/v1/namespaces/shop/pods", percent-encoding as on the wire
  std::string query{};  // "labelSelector=app%3Dweb&limit=500", likewise
  std::string content_type{};
  std::string accept{};
  std::string body{};
  Timestamp received{};  // some answers wait for a state to come, but not for long
};

// Bytes that many answers share: a list is made of the stored objects themselves, and
// a thousand watchers of an object write the same memory.
class Bytes {
 public:
  struct Segment {
    std::shared_ptr<const void> owner;  // keeps the text alive; empty for static texts
    std::string_view text;
  };

  Bytes() = default;
  explicit Bytes(std::string text) { append(std::move(text)); }

  void append(std::string text) {
    if (text.empty()) return;
    auto owned = std::make_shared<const std::string>(std::move(text));
    const std::string_view view = *owned;
    append_shared(std::move(owned), view);
  }
  void append_static(std::string_view text) { append_shared(nullptr, text); }
  void append_shared(std::shared_ptr<const void> owner, std::string_view text) {
    size_ += text.size();
    segments_.push_back({std::move(owner), text});
  }

  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string str() const {
    std::string text;
    text.reserve(size_);
    for (const Segment& segment : segments_) text += segment.text;
    return text;
  }

 private:
  std::vector<Segment> segments_;
  std::size_t size_ = 0;
};

struct ApiResponse {
  int code = 200;
  std::string content_type = "application/json";
  Bytes body;
  std::vector<std::string> warnings;  // each becomes a header `Warning: 299 - "..."`
  int retry_after_seconds = 0;        // a header Retry-After, unless 0
};

}  // namespace ebb::model
