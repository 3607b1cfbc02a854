#include "base/memory.h"

#include <malloc.h>

namespace ebb {

void keep_freed_memory() {
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // larger blocks still go back at once
  mallopt(M_TRIM_THRESHOLD, 64 * kMegabyte);
}

}  // namespace ebb
