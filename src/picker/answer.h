// A picker's answer: {"chosen_pods": [...], "tied_pods": [...]} (KEP-3189).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "picker/name_list.h"

namespace ebb::picker {

struct Answer {
  NameList chosen;
  NameList tied;
  // The first of the keys that mean nothing. A picker may send them; somebody who writes an
  // answer by hand wants to know of a typing error.
  std::vector<std::string> other_keys = {};
};

// An empty body, absent keys and nulls are empty lists; other keys are ignored.
// Anything else that is not two lists of names is malformed. An error says where and why, for
// whoever wrote the answer; it may quote a character of it.
[[nodiscard]] Result<Answer> decode_answer(std::string_view body);

}  // namespace ebb::picker
