// Sanitizers bring their own allocator, which has no such setting, so there is nothing to test
// with them.
#ifndef EBB_SANITIZED

#include "base/memory.h"

#include <memory>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace ebb {
namespace {

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

void use_and_free(std::size_t size) {
  const auto block = std::make_unique<volatile char[]>(size);
  for (std::size_t i = 0; i < size; i += 4096) block[i] = 1;
}

TEST(Memory, BlocksThatWereFreedAreUsedAgainWithoutAskingTheSystem) {
  constexpr std::size_t kSize = std::size_t{8} << 20;
  constexpr long kPages = 10 * kSize / 4096;  // if each of ten blocks came fresh
  keep_freed_memory();
  use_and_free(kSize);
  const long before = page_faults();
  for (int i = 0; i < 10; ++i) use_and_free(kSize);
  EXPECT_LT(page_faults() - before, kPages / 10);
}

}  // namespace
}  // namespace ebb

#endif
