#include <gtest/gtest.h>

#include "schema/columns/printer_columns.h"
#include "support/objects/table_row.h"

namespace ebb::schema {
namespace {

// READY, STATUS and RESTARTS of a pod with these sections.
std::string state_of(const std::string& spec, const std::string& status,
                     const std::string& metadata = "{}") {
  const boost::json::value pod = boost::json::parse(R"({"metadata":)" + metadata + R"(,"spec":)" +
                                                    spec + R"(,"status":)" + status + "}");
  std::string text;
  for (const PrinterColumn& column : pod_columns().subspan(1, 3)) {
    if (!text.empty()) text += ' ';
    text += column.cell(pod.as_object(), *parse_time(kTestNow)).as_string();
  }
  return text;
}

const char* const kOne = R"({"containers":[{"name":"a"}]})";
const char* const kTwo = R"({"containers":[{"name":"a"},{"name":"b"}]})";

TEST(PodColumns, ShowARunningPodInFull) {
  EXPECT_EQ(row_of(pod_columns(), R"({
    "metadata": {"name": "web-1", "creationTimestamp": "2026-11-01T11:54:30Z"},
    "spec": {"nodeName": "n1", "containers": [{"name": "web"}],
             "readinessGates": [{"conditionType": "lb"}, {"conditionType": "dns"}]},
    "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}],
               "nominatedNodeName": "n2",
               "conditions": [{"type": "lb", "status": "True"}, {"type": "Ready", "status": "True"}],
               "containerStatuses": [{"name": "web", "ready": true, "restartCount": 3,
                 "state": {"running": {"startedAt": "2026-11-01T11:54:31Z"}},
                 "lastState": {"terminated": {"finishedAt": "2026-11-01T11:55:00Z"}}}]}})"),
            R"row("web-1" "1/1" "Running" "3 (5m ago)" "5m30s" | "10.0.0.1" "n1" "n2" "1/2")row");
}

TEST(PodColumns, ShowThatThereIsNothing) {
  EXPECT_EQ(row_of(pod_columns(), R"({"metadata": {"name": "web-1"}})"),
            R"("web-1" "0/0" "" "0" "<unknown>" | "<none>" "<none>" "<none>" "<none>")");
}

TEST(PodColumns, ShowThePhaseUnlessThereIsAReason) {
  EXPECT_EQ(state_of(kOne, R"({"phase": "Pending"})"), "0/1 Pending 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Failed", "reason": "Evicted"})"), "0/1 Evicted 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Unknown"})"), "0/1 Unknown 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Pending", "conditions": [
              {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]})"),
            "0/1 SchedulingGated 0");
}

TEST(PodColumns, ShowWhatAContainerWaitsFor) {
  EXPECT_EQ(state_of(kOne, R"({"phase": "Pending", "containerStatuses": [
              {"state": {"waiting": {"reason": "ContainerCreating"}}}]})"),
            "0/1 ContainerCreating 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Running", "containerStatuses": [
              {"restartCount": 7, "state": {"waiting": {"reason": "CrashLoopBackOff"}},
               "lastState": {"terminated": {"finishedAt": "2026-11-01T11:59:20Z"}}}]})"),
            "0/1 CrashLoopBackOff 7 (40s ago)");
}

TEST(PodColumns, ShowTheFirstContainersTrouble) {
  EXPECT_EQ(state_of(kTwo, R"({"phase": "Running", "containerStatuses": [
              {"state": {"waiting": {"reason": "ImagePullBackOff"}}},
              {"state": {"waiting": {"reason": "CrashLoopBackOff"}}}]})"),
            "0/2 ImagePullBackOff 0");
}

TEST(PodColumns, ShowHowContainersEnded) {
  const struct {
    const char* terminated;
    const char* state;
  } cases[] = {
      {R"({"reason": "Completed", "exitCode": 0})", "0/1 Completed 0"},
      {R"({"reason": "OOMKilled", "exitCode": 137})", "0/1 OOMKilled 0"},
      {R"({"exitCode": 2})", "0/1 ExitCode:2 0"},
      {R"({"exitCode": 137, "signal": 9})", "0/1 Signal:9 0"},
      {R"({})", "0/1 ExitCode:0 0"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(state_of(kOne, std::string(R"({"phase": "Failed", "containerStatuses": [
                {"state": {"terminated": )") +
                                 one.terminated + "}}]}"),
              one.state);
  }
}

TEST(PodColumns, ShowAPodAsRunningWhileSomeContainersAreDone) {
  const std::string done = R"({"state": {"terminated": {"reason": "Completed"}}})";
  const std::string failed = R"({"state": {"terminated": {"reason": "Error", "exitCode": 1}}})";
  const std::string running = R"({"ready": true, "state": {"running": {}}})";
  const std::string ready = R"("conditions": [{"type": "Ready", "status": "True"}],)";
  const auto status = [](const std::string& more, const std::string& a, const std::string& b) {
    return R"({"phase": "Running", )" + more + R"("containerStatuses": [)" + a + "," + b + "]}";
  };
  EXPECT_EQ(state_of(kTwo, status(ready, done, running)), "1/2 Running 0");
  EXPECT_EQ(state_of(kTwo, status("", done, running)), "1/2 NotReady 0");
  EXPECT_EQ(state_of(kTwo, status("", done, failed)), "0/2 Error 0");
  EXPECT_EQ(state_of(kTwo, status("", done, done)), "0/2 Completed 0");
}

TEST(PodColumns, ShowHowFarInitializationIs) {
  const std::string spec =
      R"({"containers": [{"name": "a"}], "initContainers": [{"name": "i"}, {"name": "j"}]})";
  const std::string done = R"({"name": "i", "state": {"terminated": {"exitCode": 0}}})";
  const struct {
    std::string statuses;
    const char* state;
  } cases[] = {
      {R"({"name": "i", "state": {"running": {}}})", "0/1 Init:0/2 0"},
      {done + R"(, {"name": "j", "state": {"waiting": {"reason": "PodInitializing"}}})",
       "0/1 Init:1/2 0"},
      {done + R"(, {"name": "j", "restartCount": 2, "state":
                   {"waiting": {"reason": "CrashLoopBackOff"}}})",
       "0/1 Init:CrashLoopBackOff 2"},
      {done + R"(, {"name": "j", "state": {"terminated": {"exitCode": 3}}})",
       "0/1 Init:ExitCode:3 0"},
      {done + R"(, {"name": "j", "state": {"terminated": {"exitCode": 137, "signal": 9}}})",
       "0/1 Init:Signal:9 0"},
      {done + R"(, {"name": "j", "state": {"terminated": {"exitCode": 1, "reason": "Error"}}})",
       "0/1 Init:Error 0"},
      {done + R"(, {"name": "j", "state": {"terminated": {}}})", "0/1 Pending 0"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(
        state_of(spec, R"({"phase": "Pending", "initContainerStatuses": [)" + one.statuses + "]}"),
        one.state);
  }
}

TEST(PodColumns, CountSidecarsAmongTheContainers) {
  const std::string spec = R"({"containers": [{"name": "a"}],
    "initContainers": [{"name": "i"}, {"name": "s", "restartPolicy": "Always"}]})";
  EXPECT_EQ(state_of(spec, R"({"phase": "Running",
    "initContainerStatuses": [
      {"name": "i", "restartCount": 5, "state": {"terminated": {"exitCode": 0}}},
      {"name": "s", "restartCount": 1, "started": true, "ready": true, "state": {"running": {}}}],
    "containerStatuses": [
      {"name": "a", "restartCount": 2, "ready": true, "state": {"running": {}}}]})"),
            "2/2 Running 3");
  EXPECT_EQ(state_of(spec, R"({"phase": "Pending", "initContainerStatuses": [
      {"name": "i", "state": {"terminated": {"exitCode": 0}}},
      {"name": "s", "started": false, "state": {"running": {}}}]})"),
            "0/2 Init:1/2 0");
}

TEST(PodColumns, ShowPodsThatAreGoing) {
  const std::string going = R"({"deletionTimestamp": "2026-11-01T12:00:30Z"})";
  EXPECT_EQ(state_of(kOne, R"({"phase": "Running"})", going), "0/1 Terminating 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Succeeded"})", going), "0/1 Succeeded 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Running", "reason": "NodeLost"})", going),
            "0/1 Unknown 0");
  EXPECT_EQ(state_of(kOne, R"({"phase": "Running", "reason": "NodeLost"})"), "0/1 NodeLost 0");
}

}  // namespace
}  // namespace ebb::schema
