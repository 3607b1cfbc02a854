// The fields of a document that strict decoding objects to, by path.
//
// Each is kept once, and only so many: a document can be made to contain as many as it has
// bytes, and nobody reads more than the first hundred.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ebb::apiserver {

class StrictErrors {
 public:
  void add(std::string path);
  // No more are kept, so that there is no need to find out their paths.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] std::vector<std::string> take() && { return std::move(paths_); }

 private:
  std::vector<std::string> paths_;
  std::size_t bytes_ = 0;
};

}  // namespace ebb::apiserver
