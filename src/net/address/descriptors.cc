#include "net/address/descriptors.h"

#include <sys/resource.h>

namespace ebb::net {

std::size_t raise_descriptor_limit() {
  // The usual default limit.
  constexpr std::size_t kUsual = 1024;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kUsual;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (before < limit.rlim_max && setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  return limit.rlim_cur;
}

}  // namespace ebb::net
