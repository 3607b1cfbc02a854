#include "schema/core/name_rules.h"

#include <regex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::schema {
namespace {

using Rule = ErrorMessages (*)(std::string_view);

const std::string kLong(300, 'a');
const std::string kLabel63(63, 'a');

TEST(NameRules, AcceptWhatKubernetesAccepts) {
  const struct {
    Rule rule;
    std::vector<std::string> texts;
  } cases[] = {
      {dns_label_errors, {"a", "0", "a-b", "a--b", "1a", kLabel63}},
      {dns_subdomain_errors, {"a", "a.b", "a-1.b-2", "0.1", std::string(253, 'a')}},
      {qualified_name_errors, {"a", "A.b_c-d", "example.com/Role", "0", "a.b/c", kLabel63}},
      {api_version_errors, {"v1", "apps/v1", "argoproj.io/v1alpha1", "a/b-c", "1.a/v1"}},
      {kind_errors, {"Rollout", "a", "A", "My-Kind2", kLabel63}},
      {label_value_errors, {"", "a", "A_b.c-d", "1", kLabel63}},
      {config_key_errors, {"a", ".a", "a..b", "-", "_", "KEY.name-1"}},
      {environment_name_errors, {"A", "1", "a b", "my.env-name", "~"}},
      {port_name_errors, {"http", "a", "1a", "grpc-web", "abcdefghijklmno"}},
      {percent_errors, {"0%", "25%", "100%", "999999%"}},
      {path_segment_errors, {"", "a", "Web", "system:node", "..."}},
  };
  for (const auto& one : cases) {
    for (const std::string& text : one.texts) {
      EXPECT_EQ(one.rule(text), ErrorMessages()) << '"' << text << '"';
    }
  }
}

TEST(NameRules, RefuseWhatKubernetesRefuses) {
  const struct {
    Rule rule;
    std::vector<std::string> texts;
  } cases[] = {
      {dns_label_errors, {"", "-a", "a-", "A", "a.b", "a_b", " a", kLabel63 + "a"}},
      {dns_subdomain_errors, {"", ".", "a.", ".a", "a..b", "A", "a.-b", "a_b", kLong}},
      {qualified_name_errors,
       {"", "/", "a/", "/a", "a/b/c", "-a", "a-", "A.com/b", "a b", "a.b/", kLabel63 + "a"}},
      {api_version_errors,
       {"", "/", "apps/", "/v1", "apps/v1/", "a/b/v1", "Apps/v1", "apps/V1", "apps/1", "1", "v1-",
        "a..b/v1", "apps /v1", "v.1", kLong + "/" + kLabel63}},
      {kind_errors, {"", "1Kind", "-Kind", "Kind-", "My Kind", "a.b", "a/b", kLabel63 + "a"}},
      {label_value_errors, {"-", "a-", "_a", "a b", "a/b", kLabel63 + "a"}},
      {config_key_errors, {"", ".", "..", "..a", "a b", "a/b", kLong}},
      {environment_name_errors, {"", "a=b", "\t", "\xc3\xa4"}},
      {port_name_errors, {"", "1", "-a", "a-", "a--b", "A", "abcdefghijklmnop"}},
      {percent_errors, {"", "%", "a%", "1", "1%%", "-1%", "1.5%"}},
      {path_segment_errors, {".", "..", "a/b", "a%b"}},
  };
  for (const auto& one : cases) {
    for (const std::string& text : one.texts) {
      EXPECT_NE(one.rule(text), ErrorMessages()) << '"' << text << '"';
    }
  }
}

TEST(NameRules, SayWhatIsWrongInKubernetesWords) {
  EXPECT_EQ(dns_subdomain_errors("Web"),
            ErrorMessages{"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                          "characters, '-' or '.', and must start and end with an alphanumeric "
                          "character (e.g. 'example.com', regex used for validation is "
                          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"});
  EXPECT_EQ(
      dns_label_errors("Web"),
      ErrorMessages{"a lowercase RFC 1123 label must consist of lower case alphanumeric "
                    "characters or '-', and must start and end with an alphanumeric character "
                    "(e.g. 'my-name',  or '123-abc', regex used for validation is "
                    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"});
  EXPECT_EQ(dns_label_errors("a.b"), ErrorMessages{"must not contain dots"});
  EXPECT_EQ(dns_label_errors(kLabel63 + "a"), ErrorMessages{"must be no more than 63 characters"});
  EXPECT_EQ(
      qualified_name_errors("/"),
      (ErrorMessages{"prefix part must be non-empty", "name part must be non-empty",
                     "name part must consist of alphanumeric characters, '-', '_' or '.', and "
                     "must start and end with an alphanumeric character (e.g. 'MyName',  or "
                     "'my.name',  or '123-abc', regex used for validation is "
                     "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"}));
}

// The custom resources have the patterns, the API server of `ebb up` has the rules.
RC_GTEST_PROP(NameRules, AgreeWithTheirPatterns, ()) {
  const struct {
    Rule rule;
    std::string_view pattern;
  } cases[] = {{dns_subdomain_errors, kSubdomainPattern},
               {api_version_errors, kApiVersionPattern},
               {kind_errors, kKindPattern}};
  const auto text = *rc::gen::resize(
      20, rc::gen::container<std::string>(rc::gen::elementOf(std::string("a1A-./_ "))));
  for (const auto& one : cases) {
    RC_ASSERT(one.rule(text).empty() ==
              std::regex_match(text, std::regex(std::string(one.pattern))));
  }
}

}  // namespace
}  // namespace ebb::schema
