#include "order/lineup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "base/check.h"
#include "order/removal_order.h"

namespace ebb::order {
namespace {

// The first eight bytes as a number, so that numbers compare like the texts.
std::uint64_t leading_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  if (text.size() >= sizeof bytes) {
    std::memcpy(&bytes, text.data(), sizeof bytes);
    return std::endian::native == std::endian::little ? __builtin_bswap64(bytes) : bytes;
  }
  for (std::size_t i = 0; i < sizeof bytes; ++i) {
    bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  }
  return bytes;
}

template <class Criterion>
constexpr bool kHasTextKey = std::is_same_v<decltype(Criterion::key(std::declval<Candidate>(),
                                                                    std::declval<OrderContext>())),
                                            std::string_view>;

// An integer key unchanged; the beginning of a text key.
template <class Criterion>
std::uint64_t key_bits(const Candidate& candidate, const OrderContext& context) {
  if constexpr (kHasTextKey<Criterion>) {
    return leading_bytes(Criterion::key(candidate, context));
  } else {
    return Criterion::key(candidate, context);
  }
}

// The position of a criterion's key in the word: (key & mask) >> drop << shift.
struct Slot {
  std::uint64_t mask = 0;  // 0: the key is omitted
  int drop = 0;
  int shift = 0;
};

// Assigns the bits of a word from the top. Bits above and below the varying ones do not distinguish
// candidates and are omitted. A key that does not fit completely loses its low bits; equal words
// then require the full comparison.
class Layout {
 public:
  Slot take(std::uint64_t varying) {
    if (varying == 0 || free_ == 0) return {};
    const auto top = static_cast<int>(std::bit_width(varying));
    const int low = std::max(std::countr_zero(varying), top - free_);
    free_ -= top - low;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - top);
    return {mask, low, free_};
  }

 private:
  int free_ = 64;
};

using Slots = std::array<Slot, kCriteria>;

// The bits in which any two candidates differ, by criterion. Texts are not analysed; they may
// differ anywhere.
std::array<std::uint64_t, kCriteria> find_varying_bits(const std::vector<Candidate>& candidates,
                                                       const OrderContext& context) {
  std::array<std::uint64_t, kCriteria> varying{};
  if (candidates.empty()) return varying;
  const Candidate first = candidates.front();
  for (const Candidate& candidate : candidates) {
    std::uint64_t* bits = varying.data();
    for_each_criterion([&]<class Criterion>() {
      if constexpr (kHasTextKey<Criterion>) {
        *bits = ~std::uint64_t{0};
      } else {
        *bits |= Criterion::key(candidate, context) ^ Criterion::key(first, context);
      }
      ++bits;
    });
  }
  return varying;
}

Slots lay_out(const std::array<std::uint64_t, kCriteria>& varying) {
  Layout layout;
  Slots slots;
  for (std::size_t i = 0; i < kCriteria; ++i) slots[i] = layout.take(varying[i]);
  return slots;
}

std::uint64_t squeeze(const Candidate& candidate, const OrderContext& context, const Slots& slots) {
  std::uint64_t word = 0;
  const Slot* slot = slots.data();
  for_each_criterion([&]<class Criterion>() {
    if (slot->mask != 0) {
      word |= (key_bits<Criterion>(candidate, context) & slot->mask) >> slot->drop << slot->shift;
    }
    ++slot;
  });
  return word;
}

}  // namespace

std::strong_ordering compare(const Candidate& a, const Candidate& b, const OrderContext& context) {
  std::strong_ordering order = std::strong_ordering::equal;
  find_criterion([&]<class Criterion>() {
    order = Criterion::key(a, context) <=> Criterion::key(b, context);
    return order != std::strong_ordering::equal;
  });
  return order;
}

Lineup::Lineup(std::vector<Candidate> candidates, const OrderContext& context)
    : candidates_(std::move(candidates)), context_(context) {
  const Slots slots = lay_out(find_varying_bits(candidates_, context_));
  places_.reserve(candidates_.size());
  for (const Candidate& candidate : candidates_) {
    places_.push_back(
        {squeeze(candidate, context_, slots), static_cast<std::uint32_t>(places_.size())});
  }
}

bool Lineup::before(const Place& a, const Place& b) const {
  if (a.word != b.word) return a.word < b.word;
  return compare(candidates_[a.index], candidates_[b.index], context_) < 0;
}

void Lineup::order_first(std::size_t count) {
  EBB_CHECK(count <= candidates_.size());
  const auto less = [this](const Place& a, const Place& b) { return before(a, b); };
  const auto boundary = places_.begin() + static_cast<std::ptrdiff_t>(count);
  if (boundary != places_.end()) std::nth_element(places_.begin(), boundary, places_.end(), less);
  std::sort(places_.begin(), boundary, less);
}

}  // namespace ebb::order
