#include "net/client/request_text.h"

#include <algorithm>
#include <initializer_list>

namespace ebb::net {
namespace {

std::size_t start_of_host(std::string_view url) {
  const std::size_t scheme = url.find("://");
  return scheme == std::string_view::npos ? 0 : scheme + 3;
}

bool has_method_with_body(const HttpCall& call) {
  return call.method == "POST" || call.method == "PUT" || call.method == "PATCH";
}

void make_one_line(std::string& text, std::size_t from) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(from), text.end(),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
}

// Writes one line; replaces line breaks in the parts.
void append_line(std::initializer_list<std::string_view> parts, std::string& text) {
  const std::size_t start = text.size();
  for (const std::string_view part : parts) text.append(part);
  make_one_line(text, start);
  text.append("\r\n");
}

}  // namespace

std::string_view server_of(std::string_view url) {
  return url.substr(0, url.find_first_of("/?#", start_of_host(url)));
}

bool is_plain_url(std::string_view url) {
  const std::string_view server = server_of(url);
  const bool scheme = url.starts_with("https://") || url.starts_with("http://");
  const std::string_view rest = url.substr(server.size());
  return scheme && server.size() > start_of_host(url) &&
         server.find('@') == std::string_view::npos && (rest.empty() || rest.front() == '/') &&
         std::all_of(url.begin(), url.end(),
                     [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
}

std::string one_line(std::string text) {
  make_one_line(text, 0);
  return text;
}

void append_request(const HttpCall& call, std::string& text) {
  const std::string_view server = server_of(call.url);
  const std::string_view target = std::string_view(call.url).substr(server.size());
  append_line({call.method, " ", target.empty() ? "/" : target, " HTTP/1.1"}, text);
  append_line({"Host: ", server.substr(start_of_host(server))}, text);
  for (const auto& [name, value] : call.headers) {
    append_line({name, value.empty() ? ":" : ": ", value}, text);
  }
  if (has_method_with_body(call) || !call.body.empty()) {
    append_line({"Content-Length: ", std::to_string(call.body.size())}, text);
  }
  text.append("\r\n");
  if (call.method != "HEAD") text.append(call.body);
}

}  // namespace ebb::net
