// Where the values in a JSON text begin and end, without parsing them.
//
// For taking a document apart before its parts are parsed (the items of a list, the object of
// an event), or for cutting something out of a text that is kept. Nothing is validated: text
// that is no JSON may be taken for some, so whatever is found must still be parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ebb::model {

// Behind the value that begins at `begin`, or npos. Brackets are counted, not matched.
[[nodiscard]] std::size_t end_of_value(std::string_view json, std::size_t begin);

class RawJsonCursor {
 public:
  // At the first member of an object, or the first element of a list.
  explicit RawJsonCursor(std::string_view container);

  struct Value {
    std::string_view key;    // as written, without its quotes; empty in a list
    std::string_view whole;  // with its key
    std::string_view text;
  };
  // The next one, or nothing after the last. Ends early where it cannot make sense of the text.
  [[nodiscard]] std::optional<Value> next();

 private:
  void skip_space();
  [[nodiscard]] bool skip_value();

  std::string_view text_;
  std::size_t place_ = 0;
  bool object_ = false;
  bool broken_ = false;
};

// The text of a member, empty if there is none. Its key is compared as written.
[[nodiscard]] std::string_view raw_member(std::string_view object, std::string_view key);

}  // namespace ebb::model
