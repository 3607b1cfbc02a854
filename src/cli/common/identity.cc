#include "cli/common/identity.h"

#include <array>
#include <random>

#include <fmt/format.h>
#include <unistd.h>

namespace ebb::cli {

std::uint64_t random_number() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

std::string process_identity() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("{}_{:016x}{:016x}", host.data(), random_number(), random_number());
}

}  // namespace ebb::cli
