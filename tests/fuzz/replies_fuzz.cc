// Fuzzes HTTP responses that arrive in pieces. Whether a response is complete, and its content,
// do not depend on where it is split.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/client/reply_reader.h"

namespace {

using ebb::net::ReplyReader;
using Progress = ReplyReader::Progress;

struct Heard final : ebb::net::ReplyListener {
  bool head_line(std::string_view line) override {
    head += line;
    return true;
  }
  bool body_piece(std::string_view piece) override {
    body += piece;
    return true;
  }

  std::string head;
  std::string body;
};

struct Outcome {
  Progress progress = Progress::kGoesOn;
  bool keeps = false;
  Heard heard{};
};

Outcome read(std::string_view answer, std::size_t piece) {
  ReplyReader reader;
  Outcome outcome;
  while (!answer.empty() && outcome.progress == Progress::kGoesOn) {
    outcome.progress = reader.feed(answer.substr(0, piece), outcome.heard);
    answer.remove_prefix(std::min(piece, answer.size()));
  }
  if (outcome.progress == Progress::kGoesOn) outcome.progress = reader.end();
  // Bytes after an answer are seen only if they arrive with it.
  outcome.keeps = reader.keeps_connection() && answer.empty();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view answer(reinterpret_cast<const char*>(data + 1), size - 1);
  const Outcome whole = read(answer, answer.size());
  const Outcome pieces = read(answer, 1 + data[0]);
  EBB_CHECK(whole.progress == pieces.progress && whole.keeps == pieces.keeps);
  EBB_CHECK(whole.heard.body == pieces.heard.body);
  // The lines of a broken head are reported up to the error, or only up to a cut.
  EBB_CHECK(whole.progress == Progress::kBroken || whole.heard.head == pieces.heard.head);
  return 0;
}
