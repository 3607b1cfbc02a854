#include <array>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "apiserver/store/selectors.h"

namespace ebb::apiserver {
namespace {

constexpr schema::Selectable kSelectable[] = {{"spec.nodeName", ""}, {"status.phase", ""}};

schema::Kind pods() {
  schema::Kind kind;
  kind.name = "Pod";
  kind.selectable = kSelectable;
  return kind;
}

// metadata.name, metadata.namespace, spec.nodeName, status.phase
constexpr std::string_view kPod[] = {"web-1", "shop", "", "Running"};

TEST(FieldSelector, MatchesWhatAllOfItsTermsHoldFor) {
  const std::pair<const char*, bool> cases[] = {
      {"", true},
      {",", true},
      {"metadata.name=web-1", true},
      {"metadata.name==web-1", true},
      {"metadata.name=web-2", false},
      {"metadata.name!=web-2", true},
      {"metadata.name!=web-1", false},
      {"status.phase=Running,metadata.namespace=shop", true},
      {",status.phase=Running,,metadata.namespace=shop,", true},
      {"status.phase=Running,metadata.namespace=other", false},
      {"status.phase!=Running,metadata.namespace=shop", false},
      {"spec.nodeName=", true},
      {"spec.nodeName!=", false},
      {"spec.nodeName!=n1", true},
      {"status.phase= Running", false},
      {"metadata.name=a\\,b", false},
  };
  for (const auto& [text, expected] : cases) {
    const auto selector = FieldSelector::parse(pods(), text);
    ASSERT_TRUE(selector) << text << ": " << selector.error().message;
    EXPECT_EQ(selector->matches(kPod), expected) << text;
  }
  EXPECT_TRUE(FieldSelector::parse(pods(), ",")->empty());
  EXPECT_FALSE(FieldSelector::parse(pods(), "spec.nodeName=")->empty());
}

TEST(FieldSelector, UnderstandsEscapesInValues) {
  const auto selector =
      FieldSelector::parse(pods(), R"(metadata.name=a\,b\=c\\,spec.nodeName!=\=)");
  ASSERT_TRUE(selector);
  constexpr std::array<std::string_view, 4> kOdd = {"a,b=c\\", "", "n", ""};
  EXPECT_TRUE(selector->matches(kOdd));
  constexpr std::array<std::string_view, 4> kOther = {"a,b=c\\", "", "=", ""};
  EXPECT_FALSE(selector->matches(kOther));
}

TEST(FieldSelector, KnowsTheOnlyNameThatCanMatch) {
  EXPECT_EQ(FieldSelector::parse(pods(), "status.phase=X,metadata.name=a")->only_name(), "a");
  EXPECT_EQ(FieldSelector::parse(pods(), "metadata.name!=a")->only_name(), "");
  EXPECT_EQ(FieldSelector::parse(pods(), "metadata.namespace=a")->only_name(), "");
  EXPECT_EQ(FieldSelector::parse(pods(), "")->only_name(), "");
}

TEST(FieldSelector, RefusesTheRestInKubernetesWords) {
  const std::pair<const char*, const char*> cases[] = {
      {"spec.foo=x", "field label not supported: spec.foo"},
      {"=x", "field label not supported: "},
      {"status.phase =Running", "field label not supported: status.phase "},
      {"a", "invalid selector: 'a'; can't understand 'a'"},
      {"metadata.name=x,b", "invalid selector: 'metadata.name=x,b'; can't understand 'b'"},
      {"metadata.name=a=b", "invalid field selector: unescaped character in value: 61"},
      {"metadata.name===b", "invalid field selector: unescaped character in value: 61"},
      {"metadata.name=a\\b", "invalid field selector: invalid escape sequence: \\b"},
      {"metadata.name=a\\", "invalid field selector: invalid escape sequence: \\"},
      {"metadata.name=a\\ä", "invalid field selector: invalid escape sequence: \\ä"},
      {"metadata.name=\xff", "the field selector is not valid UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    const auto selector = FieldSelector::parse(pods(), text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().code, 400);
    EXPECT_EQ(selector.error().message, message) << text;
  }
}

TEST(FieldSelector, HasOtherWordsForKindsWithoutFieldsOfTheirOwn) {
  schema::Kind plain;
  const auto built_in = FieldSelector::parse(plain, "spec.foo=x");
  ASSERT_FALSE(built_in);
  EXPECT_EQ(built_in.error().message,
            R"("spec.foo" is not a known field selector: only "metadata.name", )"
            R"("metadata.namespace")");
  plain.custom = true;
  const auto custom = FieldSelector::parse(plain, "spec.foo=x");
  ASSERT_FALSE(custom);
  EXPECT_EQ(custom.error().message, "field label not supported: spec.foo");
}

}  // namespace
}  // namespace ebb::apiserver
