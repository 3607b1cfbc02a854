// Both formats are written directly into one string: a request may name thousands of pods, and its
// ReplicaSet waits meanwhile.
#include "picker/pick_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/check.h"
#include "base/wire_writer.h"
#include "schema/core/time.h"

namespace ebb::picker {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

// By byte: whether it needs no escape in a JSON string.
constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < plain.size(); ++byte) plain[byte] = true;
  plain['"'] = plain['\\'] = false;
  return plain;
}
constexpr std::array<bool, 256> kPlain = make_plain();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

void append_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto* const plain_end = std::find_if_not(text.begin(), text.end(), is_plain);
    const auto plain = static_cast<std::size_t>(plain_end - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto byte = static_cast<unsigned char>(text.front());
    out += '\\';
    if (byte >= 0x20) {
      out += text.front();
    } else {
      out += "u00";
      out += kHexDigits[byte >> 4U];
      out += kHexDigits[byte & 0xfU];
    }
    text.remove_prefix(1);
  }
  out += '"';
}

void append_number(std::string& out, std::int64_t number) {
  char digits[20];
  const auto result = std::to_chars(std::begin(digits), std::end(digits), number);
  out.append(std::begin(digits), result.ptr);
}

void append_candidate(std::string& out, std::string_view name, const CandidateFacts& facts) {
  out += R"({"name":)";
  append_text(out, name);
  out += R"(,"node":)";
  append_text(out, facts.node);
  out += R"(,"zone":)";
  append_text(out, facts.zone);
  out += R"(,"age_seconds":)";
  append_number(out, facts.age_seconds);
  if (facts.ready_since) {
    out += R"(,"ready_since":)";
    append_text(out, schema::format_time(*facts.ready_since));
  }
  out += R"(,"restarts":)";
  append_number(out, facts.restarts);
  out += R"(,"cost":)";
  append_number(out, facts.cost);
  out += '}';
}

// google.protobuf.Timestamp: whole seconds, rounded down, and the remainder.
std::string encode_time(Timestamp time) {
  const Nanoseconds ns = time.since_epoch_ns();
  const Nanoseconds seconds = ns / kNanosecondsPerSecond - (ns % kNanosecondsPerSecond < 0 ? 1 : 0);
  std::string message;
  append_number_field(message, 1, seconds);
  append_number_field(message, 2, ns - seconds * kNanosecondsPerSecond);
  return message;
}

void encode_candidate(std::string_view name, const CandidateFacts& facts, std::string& message) {
  message.clear();
  append_text_field(message, 1, name);
  append_text_field(message, 2, facts.node);
  append_text_field(message, 3, facts.zone);
  append_number_field(message, 4, facts.age_seconds);
  if (facts.ready_since) append_message_field(message, 5, encode_time(*facts.ready_since));
  append_number_field(message, 6, facts.restarts);
  append_number_field(message, 7, facts.cost);
}

std::size_t size_of(const PickRequest& request) {
  constexpr std::size_t kAround = 128;
  constexpr std::size_t kAroundName = 4;
  constexpr std::size_t kAroundFacts = 160;
  std::size_t size = kAround;
  for (const std::string& name : request.candidates) size += name.size() + kAroundName;
  for (std::size_t i = 0; i < request.facts.size(); ++i) {
    const CandidateFacts& facts = request.facts[i];
    size += request.candidates[i].size() + facts.node.size() + facts.zone.size() + kAroundFacts;
  }
  return size;
}

void check_parallel(const PickRequest& request) {
  EBB_CHECK(request.facts.empty() || request.facts.size() == request.candidates.size());
}

}  // namespace

std::string to_json(const PickRequest& request) {
  check_parallel(request);
  std::string out;
  out.reserve(size_of(request));
  out += R"({"number_of_pods_requested":)";
  append_number(out, static_cast<std::int64_t>(request.requested));
  out += R"(,"candidate_pods":[)";
  for (const std::string& name : request.candidates) {
    append_text(out, name);
    out += ',';
  }
  if (out.back() == ',') out.pop_back();
  out += ']';
  if (!request.facts.empty()) {
    out += R"(,"candidates":[)";
    for (std::size_t i = 0; i < request.facts.size(); ++i) {
      if (i > 0) out += ',';
      append_candidate(out, request.candidates[i], request.facts[i]);
    }
    out += ']';
  }
  out += '}';
  return out;
}

std::string to_protobuf(const PickRequest& request) {
  check_parallel(request);
  std::string out;
  out.reserve(size_of(request));
  append_number_field(out, 1, static_cast<std::int64_t>(request.requested));
  for (const std::string& name : request.candidates) append_message_field(out, 2, name);
  std::string candidate;
  for (std::size_t i = 0; i < request.facts.size(); ++i) {
    encode_candidate(request.candidates[i], request.facts[i], candidate);
    append_message_field(out, 3, candidate);
  }
  return out;
}

}  // namespace ebb::picker
