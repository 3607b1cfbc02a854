#include "schema/columns/printer_columns.h"

#include <gtest/gtest.h>

#include "schema/columns/cells.h"
#include "support/objects/table_row.h"

namespace ebb::schema {
namespace {

std::string headers(std::span<const PrinterColumn> columns) {
  std::string text;
  for (const PrinterColumn& column : columns) {
    if (!text.empty()) text += ", ";
    text += std::string(column.name) + (column.priority == 0 ? "" : "*");
  }
  return text;
}

TEST(Columns, StandInTheOrderInWhichKubernetesHasThem) {
  EXPECT_EQ(headers(pod_columns()),
            "Name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*");
  EXPECT_EQ(headers(node_columns()),
            "Name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, "
            "Kernel-Version*, Container-Runtime*");
  EXPECT_EQ(headers(namespace_columns()), "Name, Status, Age");
  EXPECT_EQ(headers(secret_columns()), "Name, Type, Data, Age");
  EXPECT_EQ(headers(event_columns()),
            "Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, "
            "Name*");
  EXPECT_EQ(headers(configmap_columns()), "Name, Data, Age");
  EXPECT_EQ(headers(service_columns()),
            "Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*");
  EXPECT_EQ(headers(serviceaccount_columns()), "Name, Age");
  EXPECT_EQ(headers(replicaset_columns()),
            "Name, Desired, Current, Ready, Age, Containers*, Images*, Selector*");
  EXPECT_EQ(headers(deployment_columns()),
            "Name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*");
  EXPECT_EQ(headers(lease_columns()), "Name, Holder, Age");
}

TEST(Columns, AllHaveATypeADescriptionAndACell) {
  for (const auto columns :
       {pod_columns(), node_columns(), namespace_columns(), secret_columns(), event_columns(),
        configmap_columns(), service_columns(), serviceaccount_columns(), replicaset_columns(),
        deployment_columns(), lease_columns(), policy_columns(), podgroupcost_columns(),
        decision_columns()}) {
    int names = 0;
    for (const PrinterColumn& column : columns) {
      EXPECT_TRUE(column.type == "string" || column.type == "integer") << column.name;
      EXPECT_FALSE(column.description.empty()) << column.name;
      EXPECT_NE(column.cell, nullptr) << column.name;
      // Any field of an object may be missing.
      EXPECT_TRUE(column.cell({}, Timestamp()).is_primitive()) << column.name;
      if (column.format == "name") ++names;
    }
    EXPECT_EQ(names, 1);
  }
}

TEST(Cells, PrintAgesAsKubectlDoes) {
  const Timestamp now = *parse_time(kTestNow);
  const struct {
    const char* time;
    const char* age;
  } cases[] = {
      {"", "<unknown>"},
      {"yesterday", "<unknown>"},
      {"0001-01-01T00:00:00Z", "<unknown>"},
      {"2026-11-01T12:00:01Z", "0s"},
      {"2026-11-01T12:00:02Z", "<invalid>"},
      {"2026-11-01T11:59:00Z", "60s"},
      {"2026-11-01T11:58:00Z", "2m"},
      {"2026-11-01T11:54:30Z", "5m30s"},
      {"2026-11-01T09:00:00Z", "3h"},
      {"2026-10-30T09:00:00Z", "2d3h"},
      {"2026-10-01T09:00:00Z", "31d"},
      {"2026-11-01T11:57:00.123456Z", "2m59s"},
  };
  for (const auto& one : cases) EXPECT_EQ(printed_age(one.time, now), one.age) << one.time;
}

TEST(NodeColumns, ShowANodeInFull) {
  EXPECT_EQ(row_of(node_columns(), R"({
        "metadata": {"name": "n1", "creationTimestamp": "2026-10-30T09:00:00Z",
          "labels": {"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/edge": "",
                     "kubernetes.io/role": "old", "node-role.kubernetes.io/": ""}},
        "spec": {"unschedulable": true},
        "status": {"conditions": [{"type": "Ready", "status": "True"}],
          "addresses": [{"type": "Hostname", "address": "n1"},
                        {"type": "InternalIP", "address": "10.0.0.5"},
                        {"type": "ExternalIP", "address": "192.0.2.5"}],
          "nodeInfo": {"kubeletVersion": "v1.36.0", "osImage": "Debian", "kernelVersion": "6.1",
                       "architecture": "amd64", "containerRuntimeVersion": "none://0"}}})"),
            R"row("n1" "Ready,SchedulingDisabled" "edge,old,worker" "2d3h" "v1.36.0" | )row"
            R"row("10.0.0.5" "192.0.2.5" "Debian" "6.1 (amd64)" "none://0")row");
}

TEST(NodeColumns, ShowThatThereIsNothing) {
  EXPECT_EQ(row_of(node_columns(), R"({"metadata": {"name": "n1"}})"),
            R"("n1" "Unknown" "<none>" "<unknown>" "" | )"
            R"("<none>" "<none>" "<unknown>" "<unknown>" "<unknown>")");
}

TEST(NodeColumns, ShowNodesThatAreNotReady) {
  for (const char* status : {"False", "Unknown"}) {
    const boost::json::value node =
        boost::json::parse(R"({"status": {"conditions": [{"type": "Ready", "status": ")" +
                           std::string(status) + R"("}]}})");
    EXPECT_EQ(node_columns()[1].cell(node.as_object(), Timestamp()), "NotReady");
  }
}

TEST(ReplicaSetColumns, ShowCountsAndTheTemplate) {
  EXPECT_EQ(row_of(replicaset_columns(), R"({
              "metadata": {"name": "web", "creationTimestamp": "2026-11-01T11:00:00Z"},
              "spec": {"replicas": 3, "selector": {"matchLabels": {"tier": "front", "app": "web"}},
                       "template": {"spec": {"containers": [{"name": "a", "image": "i:1"},
                                                            {"name": "b", "image": "j:2"}]}}},
              "status": {"replicas": 2, "readyReplicas": 1}})"),
            R"("web" 3 2 1 "60m" | "a,b" "i:1,j:2" "app=web,tier=front")");
  EXPECT_EQ(row_of(replicaset_columns(), R"({"metadata": {"name": "web"}})"),
            R"("web" 0 0 0 "<unknown>" | "" "" "<none>")");
}

TEST(DeploymentColumns, ShowCountsAndTheTemplate) {
  EXPECT_EQ(row_of(deployment_columns(), R"({
              "metadata": {"name": "web", "creationTimestamp": "2026-11-01T11:00:00Z"},
              "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "web"}},
                       "template": {"spec": {"containers": [{"name": "a", "image": "i:1"}]}}},
              "status": {"replicas": 4, "readyReplicas": 2, "updatedReplicas": 1,
                         "availableReplicas": 2}})"),
            R"("web" "2/3" 1 2 "60m" | "a" "i:1" "app=web")");
  EXPECT_EQ(
      row_of(deployment_columns(), R"({"spec": {"selector": {"matchLabels": {"no good": ""}}}})"),
      R"("" "0/0" 0 0 "<unknown>" | "" "" "<invalid>")");
}

TEST(EventColumns, ShowEventsOfOld) {
  EXPECT_EQ(row_of(event_columns(), R"({
              "metadata": {"name": "web.17"}, "type": "Normal", "reason": "SuccessfulDelete",
              "involvedObject": {"kind": "ReplicaSet", "name": "web", "fieldPath": "spec"},
              "source": {"component": "ebb", "host": "n1"}, "message": " Deleted pod: web-1\n",
              "firstTimestamp": "2026-11-01T11:00:00Z", "lastTimestamp": "2026-11-01T11:59:30Z",
              "count": 4})"),
            R"("30s" "Normal" "SuccessfulDelete" "replicaset/web" "Deleted pod: web-1" | )"
            R"("spec" "ebb, n1" "60m" 4 "web.17")");
}

TEST(EventColumns, ShowNewerEventsAndSeries) {
  EXPECT_EQ(row_of(event_columns(), R"({
              "metadata": {"name": "e"}, "involvedObject": {"kind": "Node"},
              "reportingComponent": "ebb.dev/controller", "reportingInstance": "ebb-1",
              "eventTime": "2026-11-01T11:58:50.000001Z"})"),
            R"("69s" "" "" "node" "" | "" "ebb.dev/controller, ebb-1" "69s" 1 "e")");
  EXPECT_EQ(row_of(event_columns(), R"({
              "metadata": {"name": "e"}, "eventTime": "2026-11-01T11:00:00Z",
              "reportingComponent": "ebb.dev/controller",
              "series": {"count": 9, "lastObservedTime": "2026-11-01T11:59:59Z"}})"),
            R"("1s" "" "" "" "" | "" "ebb.dev/controller" "60m" 9 "e")");
}

TEST(ServiceColumns, ShowWhereAServiceIsReached) {
  const struct {
    const char* spec;
    const char* row;
  } cases[] = {
      {R"({"type": "ClusterIP", "clusterIP": "10.1.0.1", "clusterIPs": ["10.1.0.1"],
           "ports": [{"port": 80, "protocol": "TCP"}], "selector": {"b": "2", "a": "1"}})",
       R"("s" "ClusterIP" "10.1.0.1" "<none>" "80/TCP" "<unknown>" | "a=1,b=2")"},
      {R"({"type": "NodePort", "externalIPs": ["192.0.2.1", "192.0.2.2"],
           "ports": [{"port": 80, "nodePort": 30080, "protocol": "TCP"},
                     {"port": 53, "protocol": "UDP"}]})",
       R"("s" "NodePort" "<none>" "192.0.2.1,192.0.2.2" "80:30080/TCP,53/UDP" "<unknown>" | )"
       R"("<none>")"},
      {R"({"type": "LoadBalancer"})",
       R"("s" "LoadBalancer" "<none>" "<pending>" "<none>" "<unknown>" | "<none>")"},
      {R"({"type": "ExternalName", "externalName": "db.example.com"})",
       R"("s" "ExternalName" "<none>" "db.example.com" "<none>" "<unknown>" | "<none>")"},
      {R"({})", R"("s" "" "<none>" "<unknown>" "<none>" "<unknown>" | "<none>")"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(row_of(service_columns(),
                     std::string(R"({"metadata": {"name": "s"}, "spec": )") + one.spec + "}"),
              one.row);
  }
}

TEST(ServiceColumns, ShowTheAddressesOfALoadBalancer) {
  const boost::json::value service = boost::json::parse(R"({
    "spec": {"type": "LoadBalancer", "externalIPs": ["192.0.2.9"]},
    "status": {"loadBalancer": {"ingress": [{"hostname": "lb.example.com"}, {"ip": "192.0.2.1"}]}}
  })");
  EXPECT_EQ(service_columns()[3].cell(service.as_object(), Timestamp()),
            "192.0.2.1,lb.example.com,192.0.2.9");
}

TEST(Columns, ShowTheKindsOfWhichThereIsLittleToShow) {
  EXPECT_EQ(row_of(namespace_columns(),
                   R"({"metadata": {"name": "shop"}, "status": {"phase": "Active"}})"),
            R"("shop" "Active" "<unknown>")");
  EXPECT_EQ(row_of(secret_columns(), R"({"metadata": {"name": "token"}, "type": "Opaque",
                                         "data": {"a": "", "b": ""}})"),
            R"("token" "Opaque" 2 "<unknown>")");
  EXPECT_EQ(row_of(configmap_columns(), R"({"metadata": {"name": "c"}, "data": {"a": ""},
                                            "binaryData": {"b": ""}})"),
            R"("c" 2 "<unknown>")");
  EXPECT_EQ(row_of(serviceaccount_columns(), R"({"metadata": {"name": "default"}})"),
            R"("default" "<unknown>")");
  EXPECT_EQ(
      row_of(lease_columns(), R"({"metadata": {"name": "l"}, "spec": {"holderIdentity": "me"}})"),
      R"("l" "me" "<unknown>")");
}

TEST(PolicyColumns, ShowWhatAPolicyDoesAndWhetherItIsInForce) {
  EXPECT_EQ(row_of(policy_columns(), R"({
              "metadata": {"name": "p", "creationTimestamp": "2026-11-01T11:00:00Z"},
              "spec": {"targetRef": {"kind": "Deployment", "name": "web"},
                       "podPicker": {"http": {"scheme": "HTTPS", "host": "picker.shop.svc"}},
                       "ranking": {"strategies": [{"name": "TopologySpread"}, {"name": "Taints"}],
                                   "publish": "PodGroupCost"}},
              "status": {"conditions": [{"type": "Ready", "status": "True"},
                                        {"type": "Ranked", "status": "False"},
                                        {"type": "PickerReachable", "status": "False"}]}})"),
            R"("p" "Deployment/web" "https://picker.shop.svc" "TopologySpread,Taints" "True" )"
            R"("False" "<none>" "<none>" "<none>" "60m" | "PodGroupCost" "False" "<none>")");
  EXPECT_EQ(row_of(policy_columns(), R"({
              "metadata": {"name": "p"},
              "spec": {"podPicker": {"grpc": {"host": "picker"}},
                       "ranking": {"preset": "keep-zones-balanced"}}})"),
            R"("p" "<none>" "grpc://picker" "keep-zones-balanced" "Unknown" "<none>" )"
            R"("<none>" "<none>" "<none>" "<unknown>" | )"
            R"("<none>" "<none>" "<none>")");
  EXPECT_EQ(row_of(policy_columns(), R"({"metadata": {"name": "p"}})"),
            R"("p" "<none>" "<none>" "<none>" "Unknown" "<none>" "<none>" "<none>" "<none>" )"
            R"("<unknown>" | "<none>" "<none>" "<none>")");
}

TEST(PolicyColumns, ShowTheAgreementOfAPolicyInShadowMode) {
  EXPECT_EQ(row_of(policy_columns(), R"({
              "metadata": {"name": "p"}, "spec": {"mode": "Shadow"},
              "status": {"shadow": {"decisions": 12, "victims": 40, "agreed": 31}}})"),
            R"("p" "<none>" "<none>" "<none>" "Unknown" "<none>" "Shadow" "31" "40" )"
            R"("<unknown>" | "<none>" "<none>" "<none>")");
}

TEST(PolicyColumns, ShowThePortAndPathOfAPickerUnlessTheyGoWithoutSaying) {
  const struct {
    std::string picker;
    std::string shown;
  } rows[] = {
      {R"({"http": {"host": "p", "port": 80, "path": "/"}})", "http://p"},
      {R"({"http": {"host": "127.0.0.1", "port": 8080, "path": "/pick"}})",
       "http://127.0.0.1:8080/pick"},
      {R"({"http": {"host": "p", "path": "/pick?x=1"}})", "http://p/pick?x=1"},
      {R"({"http": {"scheme": "HTTPS", "host": "p", "port": 443}})", "https://p"},
      {R"({"http": {"scheme": "HTTPS", "host": "p", "port": 80}})", "https://p:80"},
      {R"({"http": {"host": "p", "port": "8080"}})", "http://p:8080"},
      {R"({"http": {"host": "fd00::7", "port": 81}})", "http://[fd00::7]:81"},
      {R"({"grpc": {"host": "p", "port": 50051}})", "grpc://p:50051"},
      {R"({"grpc": {"host": "p", "port": 443, "tls": true}})", "grpc://p"},
      {R"({"grpc": {"host": "p", "port": 443}})", "grpc://p:443"},
  };
  for (const auto& row : rows) {
    const std::string cells =
        row_of(policy_columns(),
               R"({"metadata": {"name": "p"}, "spec": {"podPicker": )" + row.picker + "}}");
    EXPECT_TRUE(cells.starts_with(R"("p" "<none>" ")" + row.shown + "\" ")) << cells;
  }
}

TEST(PodGroupCostColumns, ShowWhoseAndHowManyPodsAreRanked) {
  EXPECT_EQ(row_of(podgroupcost_columns(), R"({
              "metadata": {"name": "c"},
              "spec": {"owner": {"kind": "ReplicaSet", "name": "web-1"},
                       "costs": {"web-1-a": 1, "web-1-b": 2}},
              "status": {"recompute": true, "podSetHash": "abc"}})"),
            R"("c" "ReplicaSet/web-1" 2 "<unknown>" | "true" "abc")");
}

TEST(DecisionColumns, ShowWhatWasDecidedAndBy) {
  EXPECT_EQ(headers(decision_columns()),
            "Name, Workload, From, To, Gone, Decided-By, Picker, Age, Kind*, ReplicaSet*, "
            "Ranking*, Shadow*");
  EXPECT_EQ(row_of(decision_columns(), R"({
              "metadata": {"name": "d"},
              "spec": {"workload": {"kind": "Deployment", "name": "web"},
                       "replicaSet": {"name": "web-1", "uid": "u"},
                       "replicas": {"from": 5, "to": 3}, "gone": 2,
                       "decidedBy": "PickerRank,Age", "picker": {"outcome": "answered"}}})"),
            R"("d" "web" 5 3 2 "PickerRank,Age" "answered" "<unknown>" | )"
            R"("Deployment" "web-1" "<none>" "<none>")");
}

}  // namespace
}  // namespace ebb::schema
