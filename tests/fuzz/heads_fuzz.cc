// Fuzzes response heads, line by line: numbers stay in their ranges, header names are case-
// insensitive, and heads that ebb's own server and client write are read back unchanged.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "net/client/reply_head.h"
#include "net/client/reply_reader.h"
#include "net/client/request_text.h"
#include "net/server/request_reader.h"
#include "net/server/response_head.h"

namespace {

using ebb::fuzz::take_until;
using ebb::net::HttpReply;

bool is_same(const HttpReply& a, const HttpReply& b) {
  return a.version == b.version && a.code == b.code && a.grpc_status == b.grpc_status &&
         a.content_type == b.content_type && a.content_length == b.content_length &&
         a.warnings == b.warnings && a.retry_after_seconds == b.retry_after_seconds;
}

void check_reply(const HttpReply& reply, std::size_t size) {
  EBB_CHECK(reply.code >= 0 && reply.code <= 999);
  EBB_CHECK(reply.grpc_status.value_or(0) >= 0 && reply.grpc_status.value_or(0) <= 999);
  EBB_CHECK(reply.retry_after_seconds >= 0 && reply.retry_after_seconds <= 86'400);
  EBB_CHECK(reply.version == 0 || reply.version == 10 || reply.version == 11 ||
            reply.version == 20);
  std::size_t kept = reply.content_type.size();
  for (const std::string& warning : reply.warnings) {
    EBB_CHECK(!warning.empty());
    kept += warning.size();
  }
  EBB_CHECK(kept <= size);
}

void check_lines(std::string_view head) {
  const std::size_t size = head.size();
  HttpReply plain;
  HttpReply shouted;
  while (!head.empty()) {
    const std::string_view line = take_until(head, '\n');
    ebb::net::take_head_line(line, plain);
    std::string loud(line);
    const auto end =
        loud.begin() + static_cast<std::ptrdiff_t>(std::min(line.find(':'), line.size()));
    if (!line.starts_with("HTTP/") && end != loud.end()) {
      std::transform(loud.begin(), end, loud.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      if (loud.starts_with("HTTP/")) loud = line;
    }
    ebb::net::take_head_line(loud, shouted);
  }
  check_reply(plain, size);
  EBB_CHECK(is_same(plain, shouted));
}

struct Heard final : ebb::net::ReplyListener {
  bool head_line(std::string_view line) override {
    ebb::net::take_head_line(line, reply);
    ++lines;
    return true;
  }
  bool body_piece(std::string_view piece) override {
    body += piece;
    return true;
  }
  HttpReply reply;
  std::size_t lines = 0;
  std::string body;
};

// Whatever a value holds, it makes neither another header nor another response.
void check_own_response(std::string_view value) {
  const ebb::net::HttpHead head{.code = 409, .headers = {{"X-Value", std::string(value)}}};
  std::string text =
      ebb::net::response_head(head, ebb::net::Framing::kLength, 4, true, 1'700'000'000);
  EBB_CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) == 5);
  ebb::net::ReplyReader reader;
  Heard heard;
  const auto progress = reader.feed(text + "body", heard);
  if (progress == ebb::net::ReplyReader::Progress::kBroken) return;  // Beast refuses other bytes
  EBB_CHECK(progress == ebb::net::ReplyReader::Progress::kDone && reader.keeps_connection());
  // The status line, three headers and the line that ends them.
  EBB_CHECK(heard.reply.code == 409 && heard.lines == 5 && heard.body == "body");
}

void check_own_request(std::string_view url, std::string_view value) {
  if (!ebb::net::is_plain_url(url)) return;
  ebb::net::HttpCall call{.method = "PUT", .url = std::string(url)};
  call.headers.emplace_back("Authorization", std::string(value));
  call.body = value;
  std::string text;
  ebb::net::append_request(call, text);
  ebb::net::RequestReader reader(
      {.header_bytes = 1 << 20, .header_count = 10, .body_bytes = 1 << 20});
  std::size_t used = 0;
  for (std::size_t more = 1; more > 0 && used < text.size(); used += more) {
    more = reader.take(std::string_view(text).substr(used));
  }
  if (reader.state() != ebb::net::RequestReader::State::kDone) return;
  const ebb::net::HttpRequest got = reader.release();
  EBB_CHECK(got.method == "PUT" && got.body == value && used == text.size());
  const std::string_view target = url.substr(ebb::net::server_of(url).size());
  const std::string path = got.query.empty() ? got.path : got.path + "?" + got.query;
  EBB_CHECK(target.empty() ? path == "/" : target.starts_with(path));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input = ebb::fuzz::as_text(data, size);
  check_lines(input);
  EBB_CHECK(ebb::net::warning_text(input).size() <= size);
  check_own_response(input);
  const std::string_view url = take_until(input, '\n');
  check_own_request(url, input);
  return 0;
}
