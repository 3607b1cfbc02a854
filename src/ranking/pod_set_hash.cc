// A fixed function, because other publishers of ranks must compute the same value: FNV-1a with 64
// bits (offset basis cbf29ce484222325, prime 100000001b3, hexadecimal) over the uids of the pods,
// sorted bytewise, each followed by one newline; written as 16 lower-case hexadecimal digits.
// Without pods: cbf29ce484222325.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "ranking/publication.h"

namespace ebb::ranking {
namespace {

class Fnv1a {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace

std::string pod_set_hash(Pods pods) {
  std::vector<std::string_view> uids(pods.size());
  std::transform(pods.begin(), pods.end(), uids.begin(),
                 [](const model::Pod* pod) { return pod->uid.view(); });
  std::sort(uids.begin(), uids.end());
  Fnv1a hash;
  for (const std::string_view uid : uids) {
    hash.add(uid);
    hash.add("\n");
  }
  return fmt::format("{:016x}", hash.hash());
}

}  // namespace ebb::ranking
