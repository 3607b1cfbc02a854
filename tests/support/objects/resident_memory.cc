#include "support/objects/resident_memory.h"

#include <fstream>
#include <string>

#include <malloc.h>

#include "base/check.h"

namespace ebb::support {
namespace {

std::uint64_t peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    std::uint64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  EBB_CHECK(false);
}

}  // namespace

ResidentMemory::ResidentMemory() {
  malloc_trim(0);
  // To proc(5) this means: from now on the peak is that of what comes.
  std::ofstream reset("/proc/self/clear_refs");
  reset << "5" << std::flush;
  EBB_CHECK(reset.good());
  start_ = peak();
}

std::uint64_t ResidentMemory::growth() const { return peak() - start_; }

bool ResidentMemory::is_meaningful() {
#ifdef EBB_SANITIZED
  return false;
#else
  return true;
#endif
}

}  // namespace ebb::support
