#include "demo/demo_picker.h"

#include <algorithm>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/net/http_client.h"

namespace ebb::demo {
namespace {

namespace json = boost::json;

json::array workers(int count) {
  json::array names;
  for (int i = 0; i < count; ++i) names.emplace_back(fmt::format("airflow-worker-{}", i));
  return names;
}

std::string request(int requested, const json::array& candidates) {
  return json::serialize(
      json::object{{"number_of_pods_requested", requested}, {"candidate_pods", candidates}});
}

std::vector<std::string> names(const json::object& answer, const char* list) {
  std::vector<std::string> result;
  for (const json::value& name : answer.at(list).as_array()) result.emplace_back(name.as_string());
  return result;
}

TEST(DemoPicker, SendsTheIdleWorkersFirstAndLeavesTiesOpen) {
  const json::array candidates = workers(40);
  for (int requested = 1; requested < 40; ++requested) {
    const auto text = demo_answer(request(requested, candidates));
    ASSERT_TRUE(text);
    const json::object answer = json::parse(*text).as_object();
    const auto chosen = names(answer, "chosen_pods");
    const auto tied = names(answer, "tied_pods");
    ASSERT_LE(chosen.size(), static_cast<std::size_t>(requested));
    ASSERT_GE(chosen.size() + tied.size(), static_cast<std::size_t>(requested));
    unsigned busiest_chosen = 0;
    for (const auto& name : chosen) busiest_chosen = std::max(busiest_chosen, demo_tasks(name));
    for (const auto& name : tied) EXPECT_GE(demo_tasks(name), busiest_chosen);
    for (const json::value& candidate : candidates) {
      const std::string name(candidate.as_string());
      const bool named = std::find(chosen.begin(), chosen.end(), name) != chosen.end() ||
                         std::find(tied.begin(), tied.end(), name) != tied.end();
      EXPECT_TRUE(named || demo_tasks(name) >= busiest_chosen) << name;
    }
  }
}

TEST(DemoPicker, RefusesInvalidRequests) {
  for (const char* body : {"", "[]", "{}", R"({"number_of_pods_requested":-1,"candidate_pods":[]})",
                           R"({"number_of_pods_requested":1,"candidate_pods":[1]})",
                           "{\"number_of_pods_requested\":"}) {
    EXPECT_FALSE(demo_answer(body)) << body;
  }
}

TEST(DemoPicker, AnswersOverHttp) {
  auto picker = DemoPicker::start();
  ASSERT_TRUE(picker) << picker.error().message;
  support::HttpClient client((*picker)->port());
  const std::string asked = request(2, workers(5));
  const auto answer = client.ask("POST", "/", asked);
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(answer.body, demo_answer(asked));
  EXPECT_EQ(client.ask("POST", "/", "no").code, 400);
  EXPECT_EQ(client.ask("GET", "/").code, 405);
}

}  // namespace
}  // namespace ebb::demo
