#include "model/yaml/yaml_error.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

namespace ebb::model {
namespace {

namespace said = YAML::ErrorMsg;

struct Explanation {
  std::string_view said;
  std::string_view meant;
};

// Explanations for errors in which yaml-cpp only names the expected token.
const Explanation kExplanations[] = {
    {said::END_OF_MAP, "expected another key of the same object; is the indentation right?"},
    {said::END_OF_SEQ, "expected another \"- \" of the same list; is the indentation right?"},
    {said::END_OF_MAP_FLOW, "expected , or } in an object that began with {"},
    {said::END_OF_SEQ_FLOW, "expected , or ] in a list that began with ["},
    {said::FLOW_END, "unexpected ] or }; there is no open bracket"},
    {said::MAP_VALUE, "a key and value are not allowed here; should the text be in quotes?"},
    {said::MAP_KEY, "a key is not allowed here; is the indentation right?"},
    {said::BLOCK_ENTRY, "a list item is not allowed here; is the indentation right?"},
    {said::TAB_IN_INDENTATION, "tabs are not allowed as indentation; use spaces"},
    {said::DOC_IN_SCALAR, "--- or ... is not allowed within a quoted string"},
    {said::UNKNOWN_TOKEN, "unexpected character; text that begins with it needs quotes"},
};

}  // namespace

std::string explain_yaml_error(std::string_view message, bool at_end) {
  if (message == said::EOF_IN_SCALAR || (at_end && message == said::DOC_IN_SCALAR)) {
    return "the text ends within a quoted string";
  }
  // yaml-cpp appends the next byte, which may be only part of a character.
  if (message.starts_with(said::INVALID_ESCAPE)) {
    return "unknown escape in a quoted string; write a backslash as \\\\";
  }
  for (const Explanation& known : kExplanations) {
    if (message == known.said) return std::string(known.meant);
  }
  return fmt::format("is not valid YAML: {}", message);
}

}  // namespace ebb::model
