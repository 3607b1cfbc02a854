// Fuzzes HTTP requests that arrive in pieces. The parsed requests do not depend on where the
// bytes are split.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/server/request_reader.h"

namespace {

using ebb::net::RequestReader;
using State = RequestReader::State;

struct Outcome {
  State state = State::kHead;
  std::string method{};
  std::string path{};
  std::string body{};
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view request, std::size_t piece) {
  RequestReader reader({.header_bytes = 4096, .header_count = 20, .body_bytes = 256});
  std::string waiting;
  const auto goes_on = [&] {
    return reader.state() == State::kHead || reader.state() == State::kBody;
  };
  while (!request.empty() && goes_on()) {
    waiting += request.substr(0, piece);
    request.remove_prefix(std::min(piece, request.size()));
    for (std::size_t used = 1; used > 0 && goes_on();) {
      used = reader.take(waiting);
      EBB_CHECK(used <= waiting.size());
      waiting.erase(0, used);
    }
  }
  if (reader.state() != State::kDone) return {.state = reader.state()};
  const ebb::net::HttpRequest got = reader.release();
  return {.state = State::kDone, .method = got.method, .path = got.path, .body = got.body};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view request(reinterpret_cast<const char*>(data + 1), size - 1);
  const Outcome whole = read(request, request.size());
  const Outcome pieces = read(request, 1 + data[0]);
  // If a broken request arrives slowly, the error may be detected only with later bytes.
  EBB_CHECK(whole == pieces || whole.state == State::kBad || whole.state == State::kTooLarge);
  EBB_CHECK(pieces == whole || pieces.state != State::kDone);
  return 0;
}
