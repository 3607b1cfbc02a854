// The state of decoding one object from protobuf. As with JSON, the first problem is kept and
// reading goes on.
//
// There are two kinds of problem. A message is damaged if its structure is broken or if a field
// that identifies the object or its owner is invalid: nothing read from it can be relied on. A
// remark is about a value that API servers do not validate, such as a negative restartCount: the
// value is treated as absent and the rest of the object is used. Otherwise any client that can
// write such a value could hide the object.
#pragma once  // private to its room

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/wire_reader.h"
#include "model/records/pool.h"

namespace ebb::model {

class WireReading {
 public:
  explicit WireReading(Pool& pool) : pool_(&pool) {}

  [[nodiscard]] Pool& pool() const { return *pool_; }
  // `metadata.name: is missing`; empty if there was no problem.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  // Whether anything but remarks was reported.
  [[nodiscard]] bool damaged() const { return damaged_; }

  void report(std::string_view where, std::string_view problem);
  void remark(std::string_view where, std::string_view problem);
  void check(const WireReader& fields, std::string_view where) {
    if (!fields.ok()) report(where, "is truncated or not valid protobuf");
  }
  // Reports text that is not UTF-8.
  [[nodiscard]] Interned intern(std::string_view text, std::string_view where);
  // Like intern(), but with a remark instead of a report; the result is then empty.
  [[nodiscard]] Interned intern_if_utf8(std::string_view text, std::string_view where);
  // An entry of a string map.
  [[nodiscard]] Label label(std::string_view entry, std::string_view where);

 private:
  Pool* pool_;
  std::string problem_;
  bool damaged_ = false;
};

}  // namespace ebb::model
