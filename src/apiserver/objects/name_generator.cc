#include "apiserver/objects/name_generator.h"

#include <fmt/format.h>

namespace ebb::apiserver {

std::string generate_uid(std::mt19937_64& random) {
  constexpr std::uint64_t kVersionMask = 0xFFFFFFFFFFFF0FFFULL;
  constexpr std::uint64_t kVersion4 = 0x0000000000004000ULL;
  constexpr std::uint64_t kVariantMask = 0x3FFFFFFFFFFFFFFFULL;
  constexpr std::uint64_t kVariant = 0x8000000000000000ULL;
  const std::uint64_t high = (random() & kVersionMask) | kVersion4;
  const std::uint64_t low = (random() & kVariantMask) | kVariant;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xFFFFU,
                     high & 0xFFFFU, low >> 48U, low & 0xFFFFFFFFFFFFULL);
}

std::string generate_name(std::string_view base, std::mt19937_64& random) {
  // No vowels and no characters that resemble them, so that names form no words.
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t kLongestBase = 58;
  constexpr int kSuffixLength = 5;
  std::string name(base.substr(0, kLongestBase));
  for (int i = 0; i < kSuffixLength; ++i) name += kAlphabet[random() % kAlphabet.size()];
  return name;
}

}  // namespace ebb::apiserver
