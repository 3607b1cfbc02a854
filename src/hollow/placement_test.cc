// Which node a pod gets, rule by rule.
#include "hollow/placement.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::hollow {
namespace {

boost::json::object parse(std::string_view text) {
  return boost::json::parse(boost::json::string_view(text.data(), text.size())).as_object();
}

// Two zones of two nodes: a1, a2, b1, b2. Each takes 4 CPUs and 110 pods.
class Cluster {
 public:
  Cluster() {
    for (const char* name : {"a1", "a2", "b1", "b2"}) set_node(name);
  }

  void set_node(std::string_view name, std::string_view labels = "", std::string_view spec = "{}",
                std::string_view pods = "110") {
    view.set_node(parse(fmt::format(
        R"({{"metadata":{{"name":"{0}","labels":{{"kubernetes.io/hostname":"{0}",
        "topology.kubernetes.io/zone":"{1}"{2}}}}},"spec":{3},
        "status":{{"allocatable":{{"cpu":"4","memory":"8Gi","pods":"{4}"}}}}}})",
        name, name.substr(0, 1), labels, spec, pods)));
  }

  static PodDemand demand(std::string_view spec, std::string_view app = "web") {
    return read_demand(parse(fmt::format(
        R"({{"metadata":{{"namespace":"shop","labels":{{"app":"{0}"}},
        "ownerReferences":[{{"uid":"rs-{0}","controller":true}}]}},"spec":{1}}})",
        app, spec)));
  }

  void place(std::string_view node, std::string_view spec = "{}", std::string_view app = "web") {
    static_cast<void>(view.place(view.acquire(demand(spec, app)), node, false));
  }

  std::string choose(std::string_view spec, std::string_view app = "web") {
    DemandView& wanted = view.acquire(demand(spec, app));
    const std::optional<Slot> slot = choose_node(view, wanted);
    const std::string result = slot.has_value() ? view.nodes()[*slot].name : explain(view, wanted);
    view.release(wanted);
    return result;
  }

  ClusterView view;
};

TEST(Placement, SpreadsOverZonesThenNodesThenByName) {
  Cluster cluster;
  std::string order;
  for (int i = 0; i < 8; ++i) {
    const std::string node = cluster.choose("{}");
    order += node + " ";
    cluster.place(node);
  }
  EXPECT_EQ(order, "a1 b1 a2 b2 a1 b1 a2 b2 ");
  // Another controller's pods go where there is most room, but spread among themselves.
  cluster.place("a1", "{}", "other");
  EXPECT_EQ(cluster.choose("{}", "other"), "b1");
}

TEST(Placement, HonoursNodeSelectorAndAffinity) {
  Cluster cluster;
  cluster.set_node("b1", R"(,"disk":"ssd","cores":"16")");
  cluster.set_node("b2", R"(,"disk":"hdd","cores":"4")");
  const auto affinity = [](std::string_view terms) {
    return fmt::format(R"({{"affinity":{{"nodeAffinity":{{
      "requiredDuringSchedulingIgnoredDuringExecution":{{"nodeSelectorTerms":{}}}}}}}}})",
                       terms);
  };
  const auto expression = [&](std::string_view text) {
    return affinity(fmt::format(R"([{{"matchExpressions":[{}]}}])", text));
  };
  EXPECT_EQ(cluster.choose(R"({"nodeSelector":{"disk":"ssd"}})"), "b1");
  EXPECT_EQ(cluster.choose(R"({"nodeSelector":{"disk":"none"}})"),
            "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector.");
  EXPECT_EQ(cluster.choose(expression(R"({"key":"disk","operator":"In","values":["x","hdd"]})")),
            "b2");
  EXPECT_EQ(cluster.choose(expression(R"({"key":"disk","operator":"Exists"})")), "b1");
  EXPECT_EQ(cluster.choose(expression(R"({"key":"disk","operator":"DoesNotExist"})")), "a1");
  EXPECT_EQ(cluster.choose(expression(R"({"key":"disk","operator":"Exists"},
                                         {"key":"disk","operator":"NotIn","values":["ssd"]})")),
            "b2");
  EXPECT_EQ(cluster.choose(expression(R"({"key":"cores","operator":"Gt","values":["8"]})")), "b1");
  EXPECT_EQ(cluster.choose(expression(R"({"key":"cores","operator":"Lt","values":["8"]})")), "b2");
  EXPECT_EQ(cluster.choose(affinity(
                R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["a2"]}]}])")),
            "a2");
  // Terms are alternatives; an empty term matches nothing.
  EXPECT_EQ(cluster.choose(
                affinity(R"([{}, {"matchExpressions":[{"key":"cores","operator":"Exists"}]}])")),
            "b1");
  EXPECT_NE(cluster.choose(affinity("[{}]")).find("0/4"), std::string::npos);
}

TEST(Placement, PrefersWhatIsPreferred) {
  Cluster cluster;
  EXPECT_EQ(cluster.choose(R"({"affinity":{"nodeAffinity":{
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":5,"preference":
      {"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["b2"]}]}}]}}})"),
            "b2");
  cluster.place("a1", "{}", "other");
  EXPECT_EQ(cluster.choose(R"({"affinity":{"podAntiAffinity":{
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":5,"podAffinityTerm":
      {"topologyKey":"topology.kubernetes.io/zone","labelSelector":{}}}]}}})"),
            "b1");
  EXPECT_EQ(cluster.choose(R"({"affinity":{"podAffinity":{
      "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":5,"podAffinityTerm":
      {"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":{"app":"other"}}}}]}}})"),
            "a1");
}

TEST(Placement, KeepsOffTaintsAndCordons) {
  Cluster cluster;
  cluster.set_node("a1", "", R"({"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]})");
  cluster.set_node("a2", "", R"({"taints":[{"key":"k","value":"v","effect":"NoExecute"}]})");
  cluster.set_node("b1", "", R"({"unschedulable":true})");
  cluster.set_node("b2", "", R"({"taints":[{"key":"k","effect":"PreferNoSchedule"}]})");
  EXPECT_EQ(cluster.choose("{}"), "b2");
  cluster.set_node("b2", "", "{}", "0");
  EXPECT_EQ(cluster.choose("{}"),
            "0/4 nodes are available: 1 Too many pods, 1 node(s) were unschedulable, 2 node(s) had "
            "untolerated taint {k: v}.");
  EXPECT_EQ(cluster.choose(R"({"tolerations":[{"key":"k","value":"v","effect":"NoExecute"}]})"),
            "a2");
  EXPECT_EQ(cluster.choose(R"({"tolerations":[{"key":"node.kubernetes.io/unschedulable",
                               "operator":"Exists","effect":"NoSchedule"}]})"),
            "b1");
}

TEST(Placement, CountsRequestsAgainstWhatNodesHave) {
  Cluster cluster;
  const auto asks = [](std::string_view amounts) {
    return fmt::format(R"({{"containers":[{{"resources":{{"requests":{}}}}}]}})", amounts);
  };
  EXPECT_EQ(cluster.choose(asks(R"({"cpu":"5","memory":"9Gi"})")),
            "0/4 nodes are available: 4 Insufficient cpu, 4 Insufficient memory.");
  EXPECT_EQ(cluster.choose(asks(R"({"example.com/gpu":"1"})")),
            "0/4 nodes are available: 4 Insufficient example.com/gpu.");
  for (const char* node : {"a1", "a2", "b1"}) cluster.place(node, asks(R"({"cpu":"3500m"})"));
  EXPECT_EQ(cluster.choose(asks(R"({"cpu":"1"})")), "b2");
  EXPECT_EQ(cluster.choose(asks(R"({"cpu":"500m"})"), "x"), "b2");
  cluster.place("b2", asks(R"({"cpu":"4"})"));
  EXPECT_EQ(cluster.choose(asks(R"({"cpu":"500m"})")), "a1");
  for (const char* node : {"a1", "a2", "b1"}) cluster.place(node, asks(R"({"cpu":"500m"})"));
  EXPECT_EQ(cluster.choose("{}"), "b2") << "who asks for nothing fits everywhere";
}

std::string pod_affinity(std::string_view kind, std::string_view key, std::string_view app) {
  return fmt::format(R"({{"affinity":{{"{}":{{"requiredDuringSchedulingIgnoredDuringExecution":[
    {{"topologyKey":"{}","labelSelector":{{"matchLabels":{{"app":"{}"}}}}}}]}}}}}})",
                     kind, key, app);
}

TEST(Placement, KeepsPodsApartThatWantToBe) {
  Cluster cluster;
  const std::string apart = pod_affinity("podAntiAffinity", "kubernetes.io/hostname", "web");
  std::string order;
  for (int i = 0; i < 4; ++i) {
    const std::string node = cluster.choose(apart);
    order += node + " ";
    cluster.place(node, apart);
  }
  EXPECT_EQ(order, "a1 b1 a2 b2 ");
  EXPECT_EQ(cluster.choose(apart),
            "0/4 nodes are available: 4 node(s) didn't match pod anti-affinity rules.");
}

TEST(Placement, HonoursTheAntiAffinityOfPodsThatAreThere) {
  Cluster cluster;
  cluster.place("a1", pod_affinity("podAntiAffinity", "topology.kubernetes.io/zone", "noisy"));
  EXPECT_EQ(cluster.choose("{}", "noisy"), "b1");
  cluster.place("b2", pod_affinity("podAntiAffinity", "topology.kubernetes.io/zone", "noisy"));
  EXPECT_EQ(cluster.choose("{}", "noisy"),
            "0/4 nodes are available: 4 node(s) didn't satisfy existing pods anti-affinity rules.");
  EXPECT_EQ(cluster.choose("{}", "quiet"), "a2");
}

TEST(Placement, PutsPodsTogetherThatWantToBe) {
  Cluster cluster;
  const std::string near_db = pod_affinity("podAffinity", "topology.kubernetes.io/zone", "db");
  EXPECT_EQ(cluster.choose(near_db),
            "0/4 nodes are available: 4 node(s) didn't match pod affinity rules.");
  cluster.place("b1", "{}", "db");
  EXPECT_EQ(cluster.choose(near_db), "b2");
  // The first pod of a group with affinity to itself may start anywhere.
  const std::string near_web = pod_affinity("podAffinity", "topology.kubernetes.io/zone", "web");
  EXPECT_EQ(cluster.choose(near_web), "a1");
}

std::string spread(std::string_view more = "", std::string_view when = "DoNotSchedule") {
  return fmt::format(R"({{"topologySpreadConstraints":[{{"maxSkew":1,
    "topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"{}",
    "labelSelector":{{"matchLabels":{{"app":"web"}}}}{}}}]}})",
                     when, more);
}

TEST(Placement, KeepsTheSkewOfSpreadConstraints) {
  Cluster cluster;
  cluster.place("a1");
  cluster.set_node("b1", "", R"({"unschedulable":true})");
  cluster.set_node("b2", "", R"({"taints":[{"key":"k","effect":"NoSchedule"}]})");
  // Taints and cordons do not make a zone disappear, unless that is asked for.
  EXPECT_EQ(cluster.choose(spread()),
            "0/4 nodes are available: 1 node(s) had untolerated taint {k: }, 1 node(s) were "
            "unschedulable, 2 node(s) didn't match pod topology spread constraints.");
  EXPECT_EQ(cluster.choose(spread(R"(,"nodeTaintsPolicy":"Honor")")), "a2");
  EXPECT_EQ(cluster.choose(spread("", "ScheduleAnyway")), "a2");
  cluster.set_node("b1");
  EXPECT_EQ(cluster.choose(spread()), "b1");
}

TEST(Placement, WantsTheLabelOfASpreadConstraint) {
  Cluster cluster;
  for (const char* zone : {"a", "b"}) {
    for (const char* node : {"1", "2"}) {
      cluster.view.remove_node(std::string(zone) + node);
    }
  }
  cluster.view.set_node(parse(R"({"metadata":{"name":"bare"},
    "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}})"));
  EXPECT_EQ(cluster.choose(spread()),
            "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints "
            "(missing required label).");
  EXPECT_EQ(cluster.choose(spread("", "ScheduleAnyway")), "bare");
}

TEST(Placement, KnowsMinDomains) {
  Cluster cluster;
  EXPECT_EQ(cluster.choose(spread(R"(,"minDomains":3)")), "a1");
  for (const char* node : {"a1", "b1"}) cluster.place(node);
  EXPECT_NE(cluster.choose(spread(R"(,"minDomains":3)")).find("0/4"), std::string::npos);
  EXPECT_EQ(cluster.choose(spread(R"(,"minDomains":2)")), "a2");
}

TEST(Placement, SaysThatThereAreNoNodes) {
  ClusterView view;
  DemandView& demand = view.acquire(PodDemand{});
  EXPECT_EQ(choose_node(view, demand), std::nullopt);
  EXPECT_EQ(explain(view, demand), "no nodes available to schedule pods");
}

TEST(ClusterView, CountsTheSameWhenTermsComeAfterThePods) {
  Cluster cluster;
  cluster.place("a1");
  cluster.place("b1");
  cluster.set_node("b1", "", R"({"unschedulable":true})");
  cluster.set_node("b2", "", R"({"unschedulable":true})");
  DemandView& leaving = cluster.view.acquire(Cluster::demand("{}"));
  const Slot slot = cluster.view.place(leaving, "a2", false);
  EXPECT_NE(cluster.choose(spread()).find("2 node(s) didn't match pod topology spread"),
            std::string::npos);
  cluster.view.set_terminating(leaving, slot);
  // Terminating pods still keep others away, but a spread does not count them.
  EXPECT_EQ(cluster.choose(spread()), "a2");
  const std::string apart = pod_affinity("podAntiAffinity", "kubernetes.io/hostname", "web");
  EXPECT_NE(cluster.choose(apart).find("2 node(s) didn't match pod anti-affinity"),
            std::string::npos);
  cluster.view.displace(leaving, slot, true);
  cluster.view.release(leaving);
  EXPECT_EQ(cluster.choose(apart), "a2");
}

}  // namespace
}  // namespace ebb::hollow
