#include "sim/core/trace.h"

#include <fmt/format.h>

namespace ebb::sim {

void Trace::line(std::string_view who, std::string_view what) {
  const Nanoseconds elapsed = time_.elapsed();
  fmt::memory_buffer text;
  fmt::format_to(fmt::appender(text), "{:>4}.{:09} {:<10} {}", elapsed / kSecond, elapsed % kSecond,
                 who, what);
  // FNV-1a.
  for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  ++lines_;
  if (print_) print_({text.data(), text.size()});
}

}  // namespace ebb::sim
