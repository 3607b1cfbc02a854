#include "net/server/request_reader.h"

#include <algorithm>
#include <utility>

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

namespace ebb::net {

namespace http = boost::beast::http;

struct RequestReader::Impl {
  explicit Impl(const RequestLimits& wanted) : limits(wanted) {
    const std::size_t most = std::min<std::size_t>(limits.header_bytes, UINT32_MAX);
    parser.header_limit(static_cast<std::uint32_t>(most));
    // The length is checked here, to keep the head of a request that is too large.
    parser.body_limit(boost::none);
  }

  void fail(int code, std::string text) {
    state = State::kBad;
    problem = {code, std::move(text)};
  }

  [[nodiscard]] bool has_too_little(std::string_view bytes) const;
  void take_head();
  void check_length();

  RequestLimits limits;
  http::request_parser<http::string_body> parser;
  HttpRequest request;
  State state = State::kHead;
  Problem problem;
};

// Beast asserts that a last chunk that it starts to read has all of its five bytes, so it never
// gets fewer. While a chunked body continues, at least that many bytes are missing.
bool RequestReader::Impl::has_too_little(std::string_view bytes) const {
  constexpr std::string_view kShortestEnd = "0\r\n\r\n";
  return state == State::kBody && parser.chunked() && bytes.size() < kShortestEnd.size();
}

void RequestReader::Impl::take_head() {
  const auto& message = parser.get();
  const auto count = static_cast<std::size_t>(std::distance(message.begin(), message.end()));
  if (count > limits.header_count) {
    fail(431, fmt::format("more than {} header lines", limits.header_count));
    return;
  }
  const std::string_view target(message.target().data(), message.target().size());
  if (!target.starts_with('/')) {
    fail(400, "the request target must be a path");
    return;
  }
  // A proxy may have used another one of them (RFC 9112, 3.2).
  if (message.count(http::field::host) > 1) {
    fail(400, "more than one Host header");
    return;
  }
  const auto text = [&](http::field name) {
    const auto value = message[name];
    return std::string(value.data(), value.size());
  };
  // An unsupported framing would make the body look like another request.
  const auto encoding = message[http::field::transfer_encoding];
  if (!encoding.empty() && !boost::beast::iequals(encoding, "chunked")) {
    fail(501, "the only supported transfer encoding is chunked");
    return;
  }
  const std::size_t query = std::min(target.find('?'), target.size());
  request.method = std::string(message.method_string());
  request.path = target.substr(0, query);
  request.query = target.substr(std::min(query + 1, target.size()));
  request.host = text(http::field::host);
  request.authorization = text(http::field::authorization);
  request.content_type = text(http::field::content_type);
  request.accept = text(http::field::accept);
  request.user_agent = text(http::field::user_agent);
  request.accept_encoding = text(http::field::accept_encoding);
  request.if_none_match = text(http::field::if_none_match);
  for (const auto& line : message) {
    std::string name = boost::algorithm::to_lower_copy(std::string(line.name_string()));
    if (name.starts_with("impersonate-")) {
      request.impersonation.emplace_back(std::move(name), std::string(line.value()));
    }
  }
  state = parser.is_done() ? State::kDone : State::kBody;
  check_length();
}

void RequestReader::Impl::check_length() {
  const auto announced = parser.content_length();
  if (parser.get().body().size() > limits.body_bytes ||
      (announced && *announced > limits.body_bytes)) {
    state = State::kTooLarge;
  }
}

RequestReader::RequestReader(const RequestLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&&) noexcept = default;

std::size_t RequestReader::take(std::string_view bytes) {
  std::size_t used = 0;
  while (impl_->state == State::kHead || impl_->state == State::kBody) {
    const bool had_head = impl_->state == State::kBody;
    boost::system::error_code error;
    const std::string_view rest = bytes.substr(used);
    if (impl_->has_too_little(rest)) break;
    const std::size_t step =
        impl_->parser.put(boost::asio::const_buffer(rest.data(), rest.size()), error);
    used += step;
    if (error == http::error::header_limit) {
      impl_->fail(431, fmt::format("the head of the request is longer than {} bytes",
                                   impl_->limits.header_bytes));
    } else if (error && error != http::error::need_more) {
      impl_->fail(400, "malformed request: " + error.message());
    } else if (!had_head && impl_->parser.is_header_done()) {
      impl_->take_head();
      break;
    } else if (had_head) {
      impl_->check_length();
      if (impl_->state == State::kBody && impl_->parser.is_done()) impl_->state = State::kDone;
    }
    if (step == 0 || used == bytes.size()) break;
  }
  return used;
}

RequestReader::State RequestReader::state() const { return impl_->state; }
const RequestReader::Problem& RequestReader::problem() const { return impl_->problem; }
const HttpRequest& RequestReader::head() const { return impl_->request; }
bool RequestReader::keep_alive() const { return impl_->parser.get().keep_alive(); }
bool RequestReader::is_http_1_0() const { return impl_->parser.get().version() < 11; }

bool RequestReader::expects_continue() const {
  return boost::beast::iequals(impl_->parser.get()[http::field::expect], "100-continue");
}

HttpRequest RequestReader::release() {
  if (impl_->state == State::kDone) impl_->request.body = std::move(impl_->parser.get().body());
  return std::move(impl_->request);
}

}  // namespace ebb::net
