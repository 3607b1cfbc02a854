#include "cluster/server/compress.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <zlib.h>

namespace ebb::cluster {
namespace {

constexpr int kFastest = 1;
constexpr int kGzipWindow = 15 + 16;  // the largest window, with gzip's header and trailer
constexpr int kMemory = 8;            // zlib's default

class Deflater {
 public:
  Deflater() {
    ready_ = deflateInit2(&stream_, kFastest, Z_DEFLATED, kGzipWindow, kMemory,
                          Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~Deflater() {
    if (ready_) deflateEnd(&stream_);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }

  void add(std::string_view text, bool last, std::string& out) {
    // The stream counts in 32 bits.
    constexpr std::size_t kMax = std::numeric_limits<uInt>::max() / 2;
    do {
      const std::string_view part = text.substr(0, kMax);
      text.remove_prefix(part.size());
      // zlib does not write to its input, but does not declare it const.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      stream_.avail_in = static_cast<uInt>(part.size());
      run(last && text.empty() ? Z_FINISH : Z_NO_FLUSH, out);
    } while (!text.empty());
  }

 private:
  void run(int flush, std::string& out) {
    std::array<char, 64UL << 10U> piece;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream_, flush);
      out.append(piece.data(), piece.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  bool ready_ = false;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t end = std::min(accept_encoding.find(','), accept_encoding.size());
    if (trimmed(accept_encoding.substr(0, end)) == "gzip") return true;
    accept_encoding.remove_prefix(std::min(end + 1, accept_encoding.size()));
  }
  return false;
}

std::optional<Bytes> compressed(const Bytes& plain) {
  Deflater deflater;
  if (!deflater.ready()) return std::nullopt;
  std::string out;
  for (const Bytes::Segment& segment : plain.segments()) deflater.add(segment.text, false, out);
  deflater.add({}, true, out);
  return Bytes(std::move(out));
}

}  // namespace ebb::cluster
