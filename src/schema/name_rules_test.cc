#include "schema/name_rules.h"

#include <gtest/gtest.h>

namespace ebb::schema {
namespace {

using Rule = Complaints (*)(std::string_view);

const std::string kLong(300, 'a');
const std::string kLabel63(63, 'a');

TEST(NameRules, AcceptWhatKubernetesAccepts) {
  const struct {
    Rule rule;
    std::vector<std::string> texts;
  } cases[] = {
      {dns_label_complaints, {"a", "0", "a-b", "a--b", "1a", kLabel63}},
      {dns_subdomain_complaints, {"a", "a.b", "a-1.b-2", "0.1", std::string(253, 'a')}},
      {qualified_name_complaints, {"a", "A.b_c-d", "example.com/Role", "0", "a.b/c", kLabel63}},
      {label_value_complaints, {"", "a", "A_b.c-d", "1", kLabel63}},
      {config_key_complaints, {"a", ".a", "a..b", "-", "_", "KEY.name-1"}},
      {environment_name_complaints, {"A", "1", "a b", "my.env-name", "~"}},
      {port_name_complaints, {"http", "a", "1a", "grpc-web", "abcdefghijklmno"}},
      {percent_complaints, {"0%", "25%", "100%", "999999%"}},
      {path_segment_complaints, {"", "a", "Web", "system:node", "..."}},
  };
  for (const auto& one : cases) {
    for (const std::string& text : one.texts) {
      EXPECT_EQ(one.rule(text), Complaints()) << '"' << text << '"';
    }
  }
}

TEST(NameRules, RefuseWhatKubernetesRefuses) {
  const struct {
    Rule rule;
    std::vector<std::string> texts;
  } cases[] = {
      {dns_label_complaints, {"", "-a", "a-", "A", "a.b", "a_b", " a", kLabel63 + "a"}},
      {dns_subdomain_complaints, {"", ".", "a.", ".a", "a..b", "A", "a.-b", "a_b", kLong}},
      {qualified_name_complaints,
       {"", "/", "a/", "/a", "a/b/c", "-a", "a-", "A.com/b", "a b", "a.b/", kLabel63 + "a"}},
      {label_value_complaints, {"-", "a-", "_a", "a b", "a/b", kLabel63 + "a"}},
      {config_key_complaints, {"", ".", "..", "..a", "a b", "a/b", kLong}},
      {environment_name_complaints, {"", "a=b", "\t", "\xc3\xa4"}},
      {port_name_complaints, {"", "1", "-a", "a-", "a--b", "A", "abcdefghijklmnop"}},
      {percent_complaints, {"", "%", "a%", "1", "1%%", "-1%", "1.5%"}},
      {path_segment_complaints, {".", "..", "a/b", "a%b"}},
  };
  for (const auto& one : cases) {
    for (const std::string& text : one.texts) {
      EXPECT_NE(one.rule(text), Complaints()) << '"' << text << '"';
    }
  }
}

TEST(NameRules, SayWhatIsWrongInKubernetesWords) {
  EXPECT_EQ(dns_subdomain_complaints("Web"),
            Complaints{"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                       "characters, '-' or '.', and must start and end with an alphanumeric "
                       "character (e.g. 'example.com', regex used for validation is "
                       "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"});
  EXPECT_EQ(dns_label_complaints("Web"),
            Complaints{"a lowercase RFC 1123 label must consist of lower case alphanumeric "
                       "characters or '-', and must start and end with an alphanumeric character "
                       "(e.g. 'my-name',  or '123-abc', regex used for validation is "
                       "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"});
  EXPECT_EQ(dns_label_complaints("a.b"), Complaints{"must not contain dots"});
  EXPECT_EQ(dns_label_complaints(kLabel63 + "a"), Complaints{"must be no more than 63 characters"});
  EXPECT_EQ(qualified_name_complaints("/"),
            (Complaints{"prefix part must be non-empty", "name part must be non-empty",
                        "name part must consist of alphanumeric characters, '-', '_' or '.', and "
                        "must start and end with an alphanumeric character (e.g. 'MyName',  or "
                        "'my.name',  or '123-abc', regex used for validation is "
                        "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"}));
}

}  // namespace
}  // namespace ebb::schema
