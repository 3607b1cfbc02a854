#include "model/yaml_error.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

namespace ebb::model {
namespace {

namespace said = YAML::ErrorMsg;

struct Explanation {
  std::string_view said;
  std::string_view meant;
};

// Where yaml-cpp only says what its parser was looking for.
const Explanation kExplanations[] = {
    {said::END_OF_MAP, "expected another key of the same object; is the indentation right?"},
    {said::END_OF_SEQ, "expected another \"- \" of the same list; is the indentation right?"},
    {said::END_OF_MAP_FLOW, "expected , or } in an object that began with {"},
    {said::END_OF_SEQ_FLOW, "expected , or ] in a list that began with ["},
    {said::FLOW_END, "unexpected ] or }; nothing that it could close is open"},
    {said::MAP_VALUE, "a key and value cannot stand here; should the text be in quotes?"},
    {said::MAP_KEY, "a key cannot stand here; is the indentation right?"},
    {said::BLOCK_ENTRY, "a list item cannot stand here; is the indentation right?"},
    {said::TAB_IN_INDENTATION, "a tab cannot indent; use spaces"},
    {said::DOC_IN_SCALAR, "--- or ... stands within a quoted string"},
    {said::UNKNOWN_TOKEN, "unexpected character; text that begins with it needs quotes"},
};

}  // namespace

std::string explain_yaml_error(std::string_view message, bool at_end) {
  if (message == said::EOF_IN_SCALAR || (at_end && message == said::DOC_IN_SCALAR)) {
    return "the text ends within a quoted string";
  }
  // yaml-cpp adds the next byte, which may be a part of a character only.
  if (message.starts_with(said::INVALID_ESCAPE)) {
    return "unknown escape in a quoted string; a backslash is spelled \\\\";
  }
  for (const Explanation& known : kExplanations) {
    if (message == known.said) return std::string(known.meant);
  }
  return fmt::format("is no valid YAML: {}", message);
}

}  // namespace ebb::model
