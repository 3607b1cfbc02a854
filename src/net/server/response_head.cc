#include "net/server/response_head.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace ebb::net {
namespace {

constexpr std::array<std::pair<int, std::string_view>, 22> kPhrases = {{
    {100, "Continue"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
}};

// A line break in a value could end the head and start another response.
void append_value(std::string& text, std::string_view value) {
  for (const char c : value) text += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
}

std::string http_date(std::time_t now) {
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 64> text{};
  // The program never sets a locale, so these are the English names that HTTP requires.
  const std::size_t size =
      std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

}  // namespace

std::string_view reason_phrase(int code) {
  for (const auto& [known, phrase] : kPhrases) {
    if (known == code) return phrase;
  }
  return "Unknown";
}

std::string response_head(const HttpHead& head, Framing framing, std::size_t length,
                          bool keep_alive, std::time_t now) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n", head.code, reason_phrase(head.code));
  for (const auto& [name, value] : head.headers) {
    text += name;
    text += ": ";
    append_value(text, value);
    text += "\r\n";
  }
  text += fmt::format("Date: {}\r\n", http_date(now));
  if (framing == Framing::kLength) text += fmt::format("Content-Length: {}\r\n", length);
  if (framing == Framing::kChunks) text += "Transfer-Encoding: chunked\r\n";
  if (!keep_alive) text += "Connection: close\r\n";
  text += "\r\n";
  return text;
}

}  // namespace ebb::net
