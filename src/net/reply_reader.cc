#include "net/reply_reader.h"

#include <cstddef>
#include <optional>
#include <string>

#include <boost/beast/http/basic_parser.hpp>
#include <fmt/format.h>

namespace ebb::net {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Progress = ReplyReader::Progress;

// Of heads, together. Go's servers and clients allow a megabyte.
constexpr std::size_t kMostHeadBytes = 1UL << 20;
// Of what is said about a chunk, or behind the last one.
constexpr std::size_t kMostChunkHeadBytes = 16UL << 10;
constexpr int kFirstCode = 100;
constexpr int kSwitchingProtocols = 101;
constexpr int kFirstFinalCode = 200;
constexpr int kHttp11 = 11;

// What must outlive a parser, of which each preliminary answer (1xx) needs one of its own.
struct Hearing {
  ReplyListener* listener = nullptr;
  std::size_t head_bytes = 0;
  std::string line{};  // keeps its room
  std::string problem{};
};

// Says in the words of lines what Beast has found, and refuses what Beast takes and we do not.
class Parser final : public http::basic_parser<false> {
 public:
  Parser(Hearing& hearing, bool to_head) : hearing_(hearing) {
    header_limit(kMostHeadBytes);
    body_limit(boost::none);
    eager(true);
    skip(to_head);
  }

  [[nodiscard]] bool is_preliminary() const { return code_ < kFirstFinalCode; }
  // Connections of HTTP/1.0 are left alone: their servers may not know where an answer ends.
  [[nodiscard]] bool keeps_connection() const { return version_ >= kHttp11 && keep_alive(); }

 private:
  void on_request_impl(http::verb /*method*/, beast::string_view /*name*/,
                       beast::string_view /*target*/, int /*version*/,
                       error_code& /*error*/) override {}

  void on_response_impl(int code, beast::string_view reason, int version,
                        error_code& error) override {
    code_ = code;
    version_ = version;
    if (code < kFirstCode) return refuse("the answer has no code", error);
    if (code == kSwitchingProtocols) {
      return refuse("the server wants to speak something else", error);
    }
    hearing_.line.assign(version >= kHttp11 ? "HTTP/1.1 " : "HTTP/1.0 ");
    hearing_.line.append(std::to_string(code)).append(" ").append(std::string_view(reason));
    tell_line(error);
  }

  void on_field_impl(http::field field, beast::string_view name, beast::string_view value,
                     error_code& error) override {
    // Trailers mean nothing to us.
    if (is_header_done()) return;
    // Beast would read until the end of the connection, and hand on what is still encoded.
    if (field == http::field::transfer_encoding && !beast::iequals(value, "chunked")) {
      return refuse("the answer is encoded in an unknown way", error);
    }
    hearing_.line.assign(std::string_view(name)).append(": ").append(std::string_view(value));
    tell_line(error);
  }

  void on_header_impl(error_code& error) override {
    hearing_.line.clear();
    tell_line(error);
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*error*/) override {}

  std::size_t on_body_impl(beast::string_view body, error_code& error) override {
    if (!hearing_.listener->body_piece(body)) refuse("the answer is not wanted", error);
    return body.size();
  }

  void on_chunk_header_impl(std::uint64_t /*size*/, beast::string_view /*extensions*/,
                            error_code& /*error*/) override {}

  std::size_t on_chunk_body_impl(std::uint64_t /*remaining*/, beast::string_view body,
                                 error_code& error) override {
    return on_body_impl(body, error);
  }

  void on_finish_impl(error_code& /*error*/) override {}

  void tell_line(error_code& error) {
    hearing_.line.append("\r\n");
    hearing_.head_bytes += hearing_.line.size();
    // Beast limits what has come at once, and preliminary answers have a limit each.
    if (hearing_.head_bytes > kMostHeadBytes) {
      error = http::error::header_limit;
    } else if (!hearing_.listener->head_line(hearing_.line)) {
      refuse("the answer is not wanted", error);
    }
  }

  void refuse(const char* why, error_code& error) {
    hearing_.problem = why;
    error = http::error::bad_value;
  }

  Hearing& hearing_;
  int code_ = 0;
  int version_ = 0;
};

}  // namespace

struct ReplyReader::Parts {
  explicit Parts(bool head) : to_head(head) { parser.emplace(hearing, to_head); }

  Progress take(std::string_view bytes);
  Progress broken(error_code error);
  void keep(std::string_view rest);

  bool to_head;
  bool begun = false;
  bool keeps = false;
  Hearing hearing;
  std::optional<Parser> parser;
  // What Beast wants to see again when there is more: the beginning of a line, never of a body.
  std::string unread;
};

ReplyReader::ReplyReader(bool to_head) : parts_(std::make_unique<Parts>(to_head)) {}
ReplyReader::~ReplyReader() = default;
ReplyReader::ReplyReader(ReplyReader&&) noexcept = default;
ReplyReader& ReplyReader::operator=(ReplyReader&&) noexcept = default;

Progress ReplyReader::feed(std::string_view bytes, ReplyListener& listener) {
  if (bytes.empty()) return Progress::kGoesOn;
  Parts& parts = *parts_;
  parts.begun = true;
  parts.hearing.listener = &listener;
  // Beast asserts that a last chunk which it has begun to read has the five bytes of a whole one.
  const bool too_little = parts.unread == "0\r\n" && bytes.size() == 1;
  if (!parts.unread.empty()) bytes = parts.unread.append(bytes);
  return too_little ? Progress::kGoesOn : parts.take(bytes);
}

Progress ReplyReader::Parts::take(std::string_view bytes) {
  while (!bytes.empty()) {
    error_code error;
    bytes.remove_prefix(parser->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error));
    if (error == http::error::need_more) break;
    if (error) return broken(error);
    if (!parser->is_done()) continue;
    if (!parser->is_preliminary()) {
      // Nobody has asked for what may follow.
      keeps = parser->keeps_connection() && bytes.empty();
      return Progress::kDone;
    }
    parser.emplace(hearing, to_head);
  }
  const std::size_t most = parser->is_header_done() ? kMostChunkHeadBytes : kMostHeadBytes;
  if (bytes.size() > most) return broken(http::error::header_limit);
  keep(bytes);
  return Progress::kGoesOn;
}

// The rest may be in `unread` already.
void ReplyReader::Parts::keep(std::string_view rest) {
  if (unread.empty()) {
    unread.assign(rest);
  } else {
    unread.erase(0, unread.size() - rest.size());
  }
}

Progress ReplyReader::Parts::broken(error_code error) {
  if (hearing.problem.empty()) {
    hearing.problem = fmt::format("the answer is malformed: {}", error.message());
  }
  return Progress::kBroken;
}

Progress ReplyReader::end() const {
  const bool may_end = parts_->parser->is_header_done() && parts_->parser->need_eof();
  return may_end ? Progress::kDone : Progress::kBroken;
}

bool ReplyReader::begun() const { return parts_->begun; }
bool ReplyReader::keeps_connection() const { return parts_->keeps; }
std::string_view ReplyReader::problem() const { return parts_->hearing.problem; }

}  // namespace ebb::net
