// Keeps the records of scale-downs: the last ones in memory, and all of them in a file if
// one is given, a JSON object per line.
//
// A file that cannot be written to any more never stops a controller. May be used from any
// thread.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::runtime {

class DecisionBook {
 public:
  explicit DecisionBook(std::size_t most_bytes = std::size_t{1} << 20) : most_bytes_(most_bytes) {}
  ~DecisionBook();
  DecisionBook(const DecisionBook&) = delete;
  DecisionBook& operator=(const DecisionBook&) = delete;

  // Lines are added to the end of the file, which is made if it is not there.
  [[nodiscard]] Result<void> open(const std::string& file);
  // The file may have been moved away: opens it anew under its name. Without a file it
  // does nothing.
  [[nodiscard]] Result<void> reopen();

  // Takes the text of one JSON object. An error says that the file does not have it.
  [[nodiscard]] Result<void> add(std::string record);

  // A JSON list of those that are still in memory, the newest last.
  [[nodiscard]] std::string list() const;

 private:
  [[nodiscard]] Result<void> append(std::string_view record);

  const std::size_t most_bytes_;
  mutable std::mutex mutex_;  // of what follows
  std::deque<std::string> records_;
  std::size_t bytes_ = 0;
  std::string file_;
  int descriptor_ = -1;
  bool torn_ = false;  // the last line was not written whole
};

}  // namespace ebb::runtime
