// Finds where the values in a JSON text begin and end, without parsing them.
//
// Used to split a document before its parts are parsed (the items of a list, the object of an
// event), and to cut a part out of a text. Nothing is validated: invalid JSON may be accepted, so
// every result must still be parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ebb::model {

// Returns the position after the value that begins at `begin`, or npos. Brackets are counted, not
// matched.
[[nodiscard]] std::size_t end_of_value(std::string_view json, std::size_t begin);

class RawJsonCursor {
 public:
  // Starts at the first member of an object or the first element of a list.
  explicit RawJsonCursor(std::string_view container);

  struct Value {
    std::string_view key;    // as written, without its quotes; empty in a list
    std::string_view whole;  // with its key
    std::string_view text;
  };
  // The next value, or nothing after the last. Ends early at text that is not JSON.
  [[nodiscard]] std::optional<Value> next();
  // After the last value: whether the container's closing bracket followed it, and only white space
  // after that.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  void skip_space();
  [[nodiscard]] bool skip_value();

  std::string_view text_;
  std::size_t place_ = 0;
  bool object_ = false;
  bool broken_ = false;
  bool complete_ = false;
};

// The text of a member, or empty if it is absent. Keys are compared as written.
[[nodiscard]] std::string_view raw_member(std::string_view object, std::string_view key);

}  // namespace ebb::model
