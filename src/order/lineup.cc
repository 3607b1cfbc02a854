#include "order/lineup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "base/check.h"
#include "order/removal_order.h"

namespace ebb::order {
namespace {

template <class Criterion>
constexpr bool kHasIntegerKey =
    std::is_same_v<decltype(Criterion::key(std::declval<Candidate>(), std::declval<Setting>())),
                   std::uint64_t>;

// The first eight bytes as a number, so that numbers compare as the texts do.
std::uint64_t leading_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < sizeof bytes; ++i) {
    bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  }
  return bytes;
}

// Which values the candidates have for each criterion.
struct Range {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t greatest = 0;

  [[nodiscard]] int bits() const {
    return static_cast<int>(std::bit_width(greatest - least));
  }
};
using Ranges = std::array<Range, kCriteria>;

Ranges find_ranges(const std::vector<Candidate>& candidates, const Setting& setting) {
  Ranges ranges;
  for (const Candidate& candidate : candidates) {
    std::size_t i = 0;
    for_each_criterion([&]<class Criterion>() {
      if constexpr (kHasIntegerKey<Criterion>) {
        const std::uint64_t key = Criterion::key(candidate, setting);
        ranges[i].least = std::min(ranges[i].least, key);
        ranges[i].greatest = std::max(ranges[i].greatest, key);
      }
      ++i;
    });
  }
  return ranges;
}

// Fills a word from the top. What does not fit any more loses its low bits, after
// which equal words only mean that the full comparison has to tell.
class Word {
 public:
  void append(std::uint64_t value, int bits) {
    const int kept = std::min(bits, free_);
    if (kept == 0) return;
    free_ -= kept;
    word_ |= value >> (bits - kept) << free_;
  }
  [[nodiscard]] std::uint64_t value() const { return word_; }

 private:
  std::uint64_t word_ = 0;
  int free_ = 64;
};

std::uint64_t squeeze(const Candidate& candidate, const Setting& setting, const Ranges& ranges) {
  Word word;
  std::size_t i = 0;
  for_each_criterion([&]<class Criterion>() {
    if constexpr (kHasIntegerKey<Criterion>) {
      if (const int bits = ranges[i].bits(); bits > 0) {
        word.append(Criterion::key(candidate, setting) - ranges[i].least, bits);
      }
    } else {
      word.append(leading_bytes(Criterion::key(candidate, setting)), 64);
    }
    ++i;
  });
  return word.value();
}

}  // namespace

std::strong_ordering compare(const Candidate& a, const Candidate& b, const Setting& setting) {
  std::strong_ordering order = std::strong_ordering::equal;
  find_criterion([&]<class Criterion>() {
    order = Criterion::key(a, setting) <=> Criterion::key(b, setting);
    return order != std::strong_ordering::equal;
  });
  return order;
}

Lineup::Lineup(std::vector<Candidate> candidates, const Setting& setting)
    : candidates_(std::move(candidates)), setting_(setting) {
  const Ranges ranges = find_ranges(candidates_, setting_);
  places_.reserve(candidates_.size());
  for (const Candidate& candidate : candidates_) {
    places_.push_back(
        {squeeze(candidate, setting_, ranges), static_cast<std::uint32_t>(places_.size())});
  }
}

bool Lineup::before(const Place& a, const Place& b) const {
  if (a.word != b.word) return a.word < b.word;
  return compare(candidates_[a.index], candidates_[b.index], setting_) < 0;
}

void Lineup::order_first(std::size_t count) {
  EBB_CHECK(count <= places_.size());
  const auto less = [this](const Place& a, const Place& b) { return before(a, b); };
  const auto boundary = places_.begin() + static_cast<std::ptrdiff_t>(count);
  if (boundary != places_.end()) std::nth_element(places_.begin(), boundary, places_.end(), less);
  std::sort(places_.begin(), boundary, less);
}

}  // namespace ebb::order
