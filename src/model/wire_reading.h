// One object being read from protobuf. As with JSON, the first thing that does not fit is kept, and
// reading goes on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/wire_reader.h"
#include "model/pool.h"

namespace ebb::model {

class WireReading {
 public:
  explicit WireReading(Pool& pool) : pool_(&pool) {}

  [[nodiscard]] Pool& pool() const { return *pool_; }
  // `metadata.name: is missing`; empty: nothing was wrong.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  void report(std::string_view where, std::string_view problem);
  void check(const WireReader& fields, std::string_view where) {
    if (!fields.ok()) report(where, "is cut off or no protobuf");
  }
  // What is no UTF-8 is reported.
  [[nodiscard]] Interned intern(std::string_view text, std::string_view where);
  // An entry of a map of texts.
  [[nodiscard]] Label label(std::string_view entry, std::string_view where);

 private:
  Pool* pool_;
  std::string problem_;
};

}  // namespace ebb::model
