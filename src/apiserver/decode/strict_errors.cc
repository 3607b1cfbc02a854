#include "apiserver/decode/strict_errors.h"

#include <algorithm>
#include <utility>

namespace ebb::apiserver {
namespace {

constexpr std::size_t kMaxErrors = 100;        // as in Kubernetes
constexpr std::size_t kMaxBytes = 64UL << 10;  // a path can be as long as a document

}  // namespace

void StrictErrors::add(std::string path) {
  if (is_full() || std::find(paths_.begin(), paths_.end(), path) != paths_.end()) return;
  bytes_ += path.size();
  paths_.push_back(std::move(path));
}

bool StrictErrors::is_full() const { return paths_.size() >= kMaxErrors || bytes_ >= kMaxBytes; }

}  // namespace ebb::apiserver
