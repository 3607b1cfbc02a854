// The fields of a document that strict decoding rejects, by path.
//
// Each path is kept once, up to a limit: a document can contain about as many as it has bytes, and
// the first hundred are enough for a message.
#pragma once  // private to its room

#include <cstddef>
#include <string>
#include <vector>

namespace ebb::apiserver {

class StrictErrors {
 public:
  void add(std::string path);
  // If full, no more are kept, so callers need not work out their paths.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::vector<std::string> take() && { return std::move(paths_); }

 private:
  std::vector<std::string> paths_;
  std::size_t bytes_ = 0;
};

}  // namespace ebb::apiserver
