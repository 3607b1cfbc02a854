#include "model/yaml/yaml_error.h"

#include <gtest/gtest.h>
#include <yaml-cpp/exceptions.h>

namespace ebb::model {
namespace {

TEST(YamlError, SaysWhatToDoInsteadOfWhatTheParserSought) {
  EXPECT_EQ(explain_yaml_error(YAML::ErrorMsg::TAB_IN_INDENTATION, false),
            "tabs are not allowed as indentation; use spaces");
  EXPECT_EQ(explain_yaml_error(YAML::ErrorMsg::END_OF_SEQ_FLOW, true),
            "expected , or ] in a list that began with [");
}

TEST(YamlError, TellsAnUnclosedQuoteFromADocumentMarkerInOne) {
  EXPECT_EQ(explain_yaml_error(YAML::ErrorMsg::DOC_IN_SCALAR, true),
            "the text ends within a quoted string");
  EXPECT_EQ(explain_yaml_error(YAML::ErrorMsg::DOC_IN_SCALAR, false),
            "--- or ... is not allowed within a quoted string");
}

TEST(YamlError, HandsOnWhatItHasNoBetterWordsFor) {
  EXPECT_EQ(explain_yaml_error("something new", false), "is not valid YAML: something new");
}

}  // namespace
}  // namespace ebb::model
