#include "net/reply_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "net/header_text.h"

namespace ebb::net {
namespace {

using Progress = ReplyReader::Progress;

// Heads, chunk sizes and trailers together. Go's servers and clients allow a megabyte for a head.
constexpr std::size_t kMostHeadBytes = 1UL << 20;

// All of the text as a number that fits, or nothing.
std::optional<std::uint64_t> whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Progress ReplyReader::feed(std::string_view bytes, ReplyListener& listener) {
  begun_ = begun_ || !bytes.empty();
  Progress progress = Progress::kGoesOn;
  while (!bytes.empty() && progress == Progress::kGoesOn) progress = take(bytes, listener);
  // Nobody has asked for more.
  if (progress == Progress::kDone && !bytes.empty()) keeps_ = false;
  return progress;
}

Progress ReplyReader::end() const {
  return part_ == Part::kRest ? Progress::kDone : Progress::kBroken;
}

Progress ReplyReader::take(std::string_view& bytes, ReplyListener& listener) {
  switch (part_) {
    case Part::kBody:
    case Part::kRest:
    case Part::kChunk:
      return take_body(bytes, listener);
    default:
      return take_line(bytes, listener);
  }
}

Progress ReplyReader::take_body(std::string_view& bytes, ReplyListener& listener) {
  const bool bounded = part_ != Part::kRest;
  const std::string_view piece = bounded ? bytes.substr(0, left_) : bytes;
  bytes.remove_prefix(piece.size());
  if (bounded) left_ -= piece.size();
  if (!listener.body_piece(piece)) return broken("the answer is not wanted");
  if (!bounded || left_ > 0) return Progress::kGoesOn;
  if (part_ == Part::kBody) return over();
  part_ = Part::kChunkEnd;
  return Progress::kGoesOn;
}

Progress ReplyReader::take_line(std::string_view& bytes, ReplyListener& listener) {
  const std::size_t end = bytes.find('\n');
  const std::string_view text = bytes.substr(0, end == std::string_view::npos ? end : end + 1);
  bytes.remove_prefix(text.size());
  head_bytes_ += text.size();
  if (head_bytes_ > kMostHeadBytes) return broken("the head is too long");
  if (end == std::string_view::npos) {
    line_ += text;
    return Progress::kGoesOn;
  }
  if (line_.empty()) return whole_line(text, listener);
  line_ += text;
  const std::string line = std::exchange(line_, {});
  return whole_line(line, listener);
}

Progress ReplyReader::whole_line(std::string_view line, ReplyListener& listener) {
  const std::string_view text = trimmed(line);
  switch (part_) {
    case Part::kStatus:
    case Part::kHead:
      if (!listener.head_line(line)) return broken("the answer is not wanted");
      if (part_ == Part::kStatus) return status_line(text);
      return text.empty() ? end_of_head() : head_line(text);
    case Part::kChunkSize:
      return chunk_size(text);
    case Part::kChunkEnd:
      part_ = Part::kChunkSize;
      return text.empty() ? Progress::kGoesOn : broken("a chunk is longer than it says");
    default:
      // Trailers mean nothing to us.
      return text.empty() ? over() : Progress::kGoesOn;
  }
}

Progress ReplyReader::status_line(std::string_view line) {
  constexpr std::string_view kVersion = "HTTP/1.";
  const std::string_view code = line.substr(0, kVersion.size() + 5);
  const auto number = whole_number(code.substr(std::min(code.size(), kVersion.size() + 2)), 10);
  if (!line.starts_with(kVersion) || line.size() < kVersion.size() + 2 ||
      line[kVersion.size() + 1] != ' ' || !number || *number < 100 || *number > 999) {
    return broken("the answer is no HTTP");
  }
  code_ = static_cast<int>(*number);
  keeps_ = line[kVersion.size()] != '0';
  chunked_ = false;
  length_.reset();
  part_ = Part::kHead;
  return Progress::kGoesOn;
}

Progress ReplyReader::head_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return broken("a line of the head has no name");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (is_name(name, "content-length")) {
    const auto length = whole_number(value, 10);
    if (!length || (length_ && *length_ != *length)) return broken("the length is no number");
    length_ = length;
  } else if (is_name(name, "transfer-encoding")) {
    if (!is_name(value, "chunked")) return broken("the answer is encoded in an unknown way");
    chunked_ = true;
  } else if (is_name(name, "connection")) {
    keeps_ = keeps_ && is_name(value, "keep-alive");
  }
  return Progress::kGoesOn;
}

Progress ReplyReader::end_of_head() {
  if (code_ == 101) return broken("the server wants to speak something else");
  if (code_ < 200) {
    part_ = Part::kStatus;
    return Progress::kGoesOn;
  }
  if (to_head_ || code_ == 204 || code_ == 304) return over();
  // Both would be a way to make two readers see two different ends.
  if (chunked_ && length_) return broken("the answer has two lengths");
  if (chunked_) {
    part_ = Part::kChunkSize;
  } else if (!length_) {
    part_ = Part::kRest;
    keeps_ = false;
  } else if (*length_ == 0) {
    return over();
  } else {
    part_ = Part::kBody;
    left_ = *length_;
  }
  return Progress::kGoesOn;
}

Progress ReplyReader::chunk_size(std::string_view line) {
  const auto size = whole_number(trimmed(line.substr(0, line.find(';'))), 16);
  if (!size) return broken("the size of a chunk is no number");
  left_ = *size;
  part_ = *size == 0 ? Part::kTrailer : Part::kChunk;
  // What is said about many small chunks must not use up what heads may have.
  head_bytes_ = 0;
  return Progress::kGoesOn;
}

Progress ReplyReader::broken(std::string_view why) {
  part_ = Part::kOver;
  problem_ = why;
  keeps_ = false;
  return Progress::kBroken;
}

Progress ReplyReader::over() {
  part_ = Part::kOver;
  return Progress::kDone;
}

}  // namespace ebb::net
