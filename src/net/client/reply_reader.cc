#include "net/client/reply_reader.h"

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

// For all heads together. Go's servers and clients allow a megabyte.
constexpr std::size_t kMaxHeadBytes = 1UL << 20;
// For a chunk's head, or the trailers.
constexpr std::size_t kMaxChunkHeadBytes = 16UL << 10;
constexpr int kFirstCode = 100;
constexpr int kSwitchingProtocols = 101;
constexpr int kFirstFinalCode = 200;
constexpr int kHttp11 = 11;

// The state that outlives a parser; each interim response (1xx) needs a parser of its own.
struct Hearing {
  ReplyListener* listener = nullptr;
  std::size_t head_bytes = 0;
  std::string line{};  // keeps its capacity
  std::string problem{};
};

// Reports Beast's results as head lines, and rejects what Beast accepts but ebb does not.
class Parser final : public http::basic_parser<false> {
 public:
  Parser(Hearing& hearing, bool to_head) : hearing_(hearing) {
    header_limit(kMaxHeadBytes);
    body_limit(boost::none);
    eager(true);
    skip(to_head);
  }

  [[nodiscard]] bool is_preliminary() const { return code_ < kFirstFinalCode; }
  // HTTP/1.0 connections are not reused: the server may not delimit its responses.
  [[nodiscard]] bool keeps_connection() const { return version_ >= kHttp11 && keep_alive(); }

 private:
  void on_request_impl(http::verb /*method*/, beast::string_view /*name*/,
                       beast::string_view /*target*/, int /*version*/,
                       error_code& /*error*/) override {}

  void on_response_impl(int code, beast::string_view reason, int version,
                        error_code& error) override {
    code_ = code;
    version_ = version;
    if (code < kFirstCode) return refuse("the response has no status code", error);
    if (code == kSwitchingProtocols) {
      return refuse("the server switches protocols", error);
    }
    hearing_.line.assign(version >= kHttp11 ? "HTTP/1.1 " : "HTTP/1.0 ");
    hearing_.line.append(std::to_string(code)).append(" ").append(std::string_view(reason));
    report_line(error);
  }

  void on_field_impl(http::field field, beast::string_view name, beast::string_view value,
                     error_code& error) override {
    // Trailers are ignored.
    if (is_header_done()) return;
    // Beast would read to the end of the connection and deliver the encoded body.
    if (field == http::field::transfer_encoding && !beast::iequals(value, "chunked")) {
      return refuse("the response has an unknown transfer encoding", error);
    }
    hearing_.line.assign(std::string_view(name)).append(": ").append(std::string_view(value));
    report_line(error);
  }

  void on_header_impl(error_code& error) override {
    hearing_.line.clear();
    report_line(error);
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*error*/) override {}

  std::size_t on_body_impl(beast::string_view body, error_code& error) override {
    if (!hearing_.listener->body_piece(body)) refuse("the response was rejected", error);
    return body.size();
  }

  void on_chunk_header_impl(std::uint64_t /*size*/, beast::string_view /*extensions*/,
                            error_code& /*error*/) override {}

  std::size_t on_chunk_body_impl(std::uint64_t /*remaining*/, beast::string_view body,
                                 error_code& error) override {
    return on_body_impl(body, error);
  }

  void on_finish_impl(error_code& /*error*/) override {}

  void report_line(error_code& error) {
    hearing_.line.append("\r\n");
    hearing_.head_bytes += hearing_.line.size();
    // Beast limits each head separately, and only within one read.
    if (hearing_.head_bytes > kMaxHeadBytes) {
      error = http::error::header_limit;
    } else if (!hearing_.listener->head_line(hearing_.line)) {
      refuse("the response was rejected", error);
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

struct ReplyReader::Impl {
  explicit Impl(bool head) : to_head(head) { parser.emplace(hearing, to_head); }

  Progress take(std::string_view bytes);
  Progress broken(error_code error);
  void keep(std::string_view rest);

  bool to_head;
  bool begun = false;
  bool keeps = false;
  Hearing hearing;
  std::optional<Parser> parser;
  // Bytes that Beast needs again with more data: the start of a line, never of a body.
  std::string unread;
};

ReplyReader::ReplyReader(bool to_head) : impl_(std::make_unique<Impl>(to_head)) {}
ReplyReader::~ReplyReader() = default;
ReplyReader::ReplyReader(ReplyReader&&) noexcept = default;
ReplyReader& ReplyReader::operator=(ReplyReader&&) noexcept = default;

Progress ReplyReader::feed(std::string_view bytes, ReplyListener& listener) {
  if (bytes.empty()) return Progress::kGoesOn;
  Impl& impl = *impl_;
  impl.begun = true;
  impl.hearing.listener = &listener;
  // Beast asserts that a last chunk that it starts to read has all of its five bytes.
  const bool too_little = impl.unread == "0\r\n" && bytes.size() == 1;
  if (!impl.unread.empty()) bytes = impl.unread.append(bytes);
  return too_little ? Progress::kGoesOn : impl.take(bytes);
}

Progress ReplyReader::Impl::take(std::string_view bytes) {
  while (!bytes.empty()) {
    error_code error;
    bytes.remove_prefix(parser->put(boost::asio::const_buffer(bytes.data(), bytes.size()), error));
    if (error == http::error::need_more) break;
    if (error) return broken(error);
    if (!parser->is_done()) continue;
    if (!parser->is_preliminary()) {
      // Data after the response is unsolicited.
      keeps = parser->keeps_connection() && bytes.empty();
      return Progress::kDone;
    }
    parser.emplace(hearing, to_head);
  }
  const std::size_t most = parser->is_header_done() ? kMaxChunkHeadBytes : kMaxHeadBytes;
  if (bytes.size() > most) return broken(http::error::header_limit);
  keep(bytes);
  return Progress::kGoesOn;
}

// The rest may be in `unread` already.
void ReplyReader::Impl::keep(std::string_view rest) {
  if (unread.empty()) {
    unread.assign(rest);
  } else {
    unread.erase(0, unread.size() - rest.size());
  }
}

Progress ReplyReader::Impl::broken(error_code error) {
  if (hearing.problem.empty()) {
    hearing.problem = fmt::format("the response is malformed: {}", error.message());
  }
  return Progress::kBroken;
}

Progress ReplyReader::end() const {
  const bool may_end = impl_->parser->is_header_done() && impl_->parser->need_eof();
  return may_end ? Progress::kDone : Progress::kBroken;
}

bool ReplyReader::begun() const { return impl_->begun; }
bool ReplyReader::keeps_connection() const { return impl_->keeps; }
std::string_view ReplyReader::problem() const { return impl_->hearing.problem; }

}  // namespace ebb::net
