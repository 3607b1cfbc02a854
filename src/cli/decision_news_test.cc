#include "cli/decision_news.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

control::Decision decision(std::string uid, std::string refusal) {
  control::Decision made;
  made.name_space = "shop";
  made.replica_set = "web";
  made.uid = std::move(uid);
  made.victims.resize(2);
  for (control::Decision::Victim& victim : made.victims) {
    victim.spared = !refusal.empty();
    victim.outcome = refusal.empty() ? "deleted" : refusal;
  }
  return made;
}

TEST(DecisionNews, TellsARefusalOnceUntilSomethingChanges) {
  DecisionNews news;
  EXPECT_TRUE(news.is_news(decision("a", "refused: no")));
  EXPECT_FALSE(news.is_news(decision("a", "refused: no")));
  EXPECT_TRUE(news.is_news(decision("b", "refused: no")));
  EXPECT_TRUE(news.is_news(decision("a", "refused: never")));
  EXPECT_FALSE(news.is_news(decision("a", "refused: never")));
  EXPECT_TRUE(news.is_news(decision("a", "")));
  EXPECT_TRUE(news.is_news(decision("a", "")));
  EXPECT_TRUE(news.is_news(decision("a", "refused: never")));
}

}  // namespace
}  // namespace ebb::cli
