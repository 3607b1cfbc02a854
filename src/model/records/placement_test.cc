#include "model/records/placement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/records/pod.h"
#include "support/objects/reading.h"

namespace ebb::model {
namespace {

// A toleration and a taint, as `kubectl taint` writes them, and whether the one covers the other.
// The rules are Kubernetes'.
TEST(Tolerates, MatchesAsKubernetesDoes) {
  const struct {
    const char* toleration;
    const char* taint;
    bool tolerated;
  } cases[] = {
      {R"({"key":"k","operator":"Equal","value":"v","effect":"NoSchedule"})",
       R"({"key":"k","value":"v","effect":"NoSchedule"})", true},
      {R"({"key":"k","operator":"Equal","value":"v","effect":"NoSchedule"})",
       R"({"key":"k","value":"v","effect":"NoExecute"})", false},
      {R"({"key":"k","operator":"Equal","value":"v","effect":"NoSchedule"})",
       R"({"key":"k","value":"w","effect":"NoSchedule"})", false},
      {R"({"key":"k","operator":"Equal","value":"v","effect":"NoSchedule"})",
       R"({"key":"l","value":"v","effect":"NoSchedule"})", false},
      {R"({"key":"k","value":"v"})", R"({"key":"k","value":"v","effect":"NoExecute"})", true},
      {R"({"key":"k"})", R"({"key":"k","effect":"NoSchedule"})", true},
      {R"({"key":"k"})", R"({"key":"k","value":"v","effect":"NoSchedule"})", false},
      {R"({"key":"k","operator":"Exists"})", R"({"key":"k","value":"v","effect":"NoSchedule"})",
       true},
      {R"({"key":"k","operator":"Exists","effect":"PreferNoSchedule"})",
       R"({"key":"k","effect":"PreferNoSchedule"})", true},
      {R"({"key":"k","operator":"Exists"})", R"({"key":"l","effect":"NoSchedule"})", false},
      {R"({"operator":"Exists"})", R"({"key":"k","value":"v","effect":"NoExecute"})", true},
      {R"({"operator":"Exists","effect":"NoExecute"})", R"({"key":"k","effect":"NoSchedule"})",
       false},
      // An API server refuses this one; the scheduler would compare values alone.
      {R"({"value":"v"})", R"({"key":"k","value":"v","effect":"NoSchedule"})", true},
      {R"({"key":"k","operator":"Gt","value":"5"})",
       R"({"key":"k","value":"4","effect":"NoSchedule"})", false},
      {R"({"key":"k","operator":"Exists","effect":"Odd"})", R"({"key":"k","effect":"Even"})",
       false},
  };
  for (const auto& c : cases) {
    const auto snapshot = testing::read(
        std::string(R"({"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod",
            "metadata":{"name":"p","uid":"u"},"spec":{"tolerations":[)") +
        c.toleration + R"(]}},{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},
            "spec":{"taints":[)" +
        c.taint + "]}}]}");
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    const Placement* placement = snapshot->pods[0].placement;
    const Taint& taint = snapshot->nodes[0].taints.at(0);
    EXPECT_EQ(placement != nullptr && tolerates(placement->tolerations, taint), c.tolerated)
        << c.toleration << " " << c.taint;
    EXPECT_FALSE(tolerates({}, taint));
  }
}

std::string pod_with(std::string_view spec, std::string_view name = "p") {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}","uid":"{0}"}},"spec":{1}}})",
      name, spec);
}

std::string placement_of(std::string_view spec) {
  const auto snapshot = testing::read(pod_with(spec));
  if (!snapshot) return snapshot.error().message;
  const std::string all = testing::describe(*snapshot);
  const std::size_t found = all.find(" tolerations=");
  return found == std::string::npos ? "none" : all.substr(found + 1, all.size() - found - 2);
}

std::string apart(std::string_view terms) {
  return placement_of(R"({"affinity":{"podAntiAffinity":)" + std::string(terms) + "}}");
}

TEST(DecodePlacement, SaysNothingWhereThereIsNothing) {
  for (const char* spec : {"{}", R"({"tolerations":[]})", R"({"tolerations":null,"affinity":null})",
                           R"({"affinity":{"nodeAffinity":{},"podAffinity":{}}})",
                           R"({"affinity":{"podAntiAffinity":{}}})",
                           R"({"tolerations":[{"key":"k","operator":"Lt","value":"5"}]})"}) {
    EXPECT_EQ(placement_of(spec), "none") << spec;
  }
}

TEST(DecodePlacement, ReadsTermsInTheirOrderRequiredOnesFirst) {
  EXPECT_EQ(apart(R"({
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":7,"podAffinityTerm":
        {"topologyKey":"zone","labelSelector":{"matchExpressions":[
          {"key":"app","operator":"In","values":["web","api"]},
          {"key":"old","operator":"DoesNotExist"}]}}}],
      "requiredDuringSchedulingIgnoredDuringExecution":[
        {"topologyKey":"host","labelSelector":{"matchLabels":{"b":"2","a":"1"}},
         "namespaces":["shop","pay"]}]})"),
            "tolerations= apart=0/host a 0 1,b 0 2,in shop pay;7/zone app 0 web api,old 3,in;");
}

TEST(DecodePlacement, LeavesOutTermsThatKeepNothingApart) {
  const char* const terms[] = {
      R"({"topologyKey":"zone"})",
      R"({"topologyKey":"","labelSelector":{}})",
      R"({"topologyKey":"zone","labelSelector":{"matchExpressions":[{"key":"a","operator":"Odd"}]}})",
      R"({"topologyKey":"zone","labelSelector":{"matchExpressions":[{"key":"a","operator":"In"}]}})",
  };
  for (const std::string term : terms) {
    EXPECT_EQ(apart(R"({"requiredDuringSchedulingIgnoredDuringExecution":[)" + term + "]}"), "none")
        << term;
  }
  EXPECT_EQ(apart(R"({"preferredDuringSchedulingIgnoredDuringExecution":[
                {"weight":0,"podAffinityTerm":{"topologyKey":"z","labelSelector":{}}}]})"),
            "none");
}

TEST(DecodePlacement, TakesAnEmptySelectorForEveryPod) {
  const auto snapshot = testing::read(pod_with(
      R"({"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
          {"topologyKey":"zone","labelSelector":{}}]}}})"));
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const Placement* placement = snapshot->pods[0].placement;
  ASSERT_NE(placement, nullptr);
  EXPECT_TRUE(placement->anti_affinity.at(0).selector.matches(*snapshot->pods[0].labels));
}

TEST(DecodePlacement, IsSharedByPodsThatSayTheSame) {
  const std::string one = R"({"tolerations":[{"key":"k","operator":"Exists"}]})";
  // The same, written differently.
  const std::string same =
      R"({"tolerations":[{"operator":"Exists","key":"k","tolerationSeconds":5,"value":null}]})";
  const std::string other = R"({"tolerations":[{"key":"l","operator":"Exists"}]})";
  std::string all = "[";
  for (const std::string& spec : {one, other, one, same, other}) {
    all += pod_with(spec, fmt::format("p{}", all.size())) + ",";
  }
  all.back() = ']';
  const auto snapshot = testing::read(R"({"apiVersion":"v1","kind":"List","items":)" + all + "}");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const auto& pods = snapshot->pods;
  EXPECT_EQ(pods[0].placement, pods[2].placement);
  EXPECT_EQ(pods[0].placement, pods[3].placement);
  EXPECT_EQ(pods[1].placement, pods[4].placement);
  EXPECT_NE(pods[0].placement, pods[1].placement);
}

TEST(DecodePlacement, NamesWhatHasAnotherTypeForEveryPodThatHasIt) {
  const std::string_view wrong = R"({"tolerations":[{"key":5}]})";
  EXPECT_NE(placement_of(wrong).find("spec.tolerations[0].key: expected a string, got a number"),
            std::string::npos);
}

TEST(NumberOf, IsWhatAnAnnotationSaysIfThatIsANumber) {
  const auto snapshot = testing::read(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",
      "uid":"u","annotations":{"a":"7","b":"-2147483648","c":"2147483648","d":"+7","e":"","f":"7x",
      "g":"007","h":"-","i":"7.0","j":"x"}}})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  const Pod& pod = snapshot->pods[0];
  EXPECT_EQ(number_of(pod, "a"), 7);
  EXPECT_EQ(number_of(pod, "b"), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(number_of(pod, "c"), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(number_of(pod, "g"), 7);
  for (const char* none : {"d", "e", "f", "h", "i", "j", "k"}) {
    EXPECT_EQ(number_of(pod, none), std::nullopt) << none;
  }
  EXPECT_EQ(pod.numbers->labels.size(), 4U);
  EXPECT_EQ(number_of(Pod{}, "a"), std::nullopt);
}

TEST(NumberOf, CostsNothingWithoutNumbers) {
  const auto snapshot = testing::read(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",
      "uid":"u","annotations":{"a":"text"}}})");
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_EQ(snapshot->pods[0].numbers, nullptr);
}

}  // namespace
}  // namespace ebb::model
