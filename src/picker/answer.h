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
  // The first unknown keys. A picker may send them; the author of an answer wants to know about
  // typos.
  std::vector<std::string> other_keys = {};
};

// An empty body, absent keys and nulls are empty lists; unknown keys are ignored. Any other value
// that is not two lists of names is malformed. An error says where and why, for the author of the
// answer; it may quote a character of it.
[[nodiscard]] Result<Answer> decode_answer(std::string_view body);

}  // namespace ebb::picker
