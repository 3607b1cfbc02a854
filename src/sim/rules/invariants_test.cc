// The invariants detect violations, on hand-made writes.
#include "sim/rules/invariants.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/world/world.h"
#include "support/sim/by_hand.h"

namespace ebb::sim {
namespace {

using control::Answer;
using control::Call;

// A ReplicaSet with pods, the truth of it, and the store of a process that has seen it all.
struct Scene {
  explicit Scene(int replicas, int pods_there) {
    world.request("user",
                  model::create_request(model::collection_path(replica_sets(), kNamespace),
                                        replica_set_object({.name = "web", .replicas = replicas})));
    set_uid = world.truth.sets().begin()->first;
    for (int i = 0; i < pods_there; ++i) create(fmt::format("web-{}", i));
    see();
  }

  boost::json::object owned_pod(std::string_view name) const {
    boost::json::object pod = pod_object(name, "web");
    schema::ensure_object(pod, {"metadata"})["ownerReferences"] =
        boost::json::array{{{"apiVersion", "apps/v1"},
                            {"kind", "ReplicaSet"},
                            {"name", "web"},
                            {"uid", set_uid},
                            {"controller", true}}};
    return pod;
  }
  void create(std::string_view name) {
    world.request(
        "user", model::create_request(model::collection_path(pods(), kNamespace), owned_pod(name)));
  }
  void see() { testing::list_into(world, store); }

  Call delete_call(std::string_view name, bool precondition = true) const {
    const PodTruth* const pod = world.truth.pod(kNamespace, name);
    return {.id = 1,
            .kind = Call::Kind::kWrite,
            .request = model::delete_request(
                model::object_path(pods(), {std::string(kNamespace), std::string(name)}),
                {.uid = precondition ? std::string_view(pod->uid) : std::string_view()}),
            .deadline_ns = control::kWriteDeadlineNs};
  }
  Call create_call() const {
    return {
        .id = 1,
        .kind = Call::Kind::kWrite,
        .request = model::create_request(model::collection_path(pods(), kNamespace), owned_pod("")),
        .deadline_ns = control::kWriteDeadlineNs};
  }
  Invariants::Tag send(const Call& call) { return world.invariants.sent(process, call, store); }
  void execute(Invariants::Tag tag, const Call& call) {
    world.invariants.executing(tag);
    world.invariants.executed(tag, world.request("ebb", call.request));
  }
  [[nodiscard]] std::string broken() const {
    return world.violated() ? world.invariants.violation()->rule : "";
  }

  World world{{.seed = 1}};
  control::Store store;
  std::string set_uid;
  Invariants::ProcessId process = world.invariants.new_process();
};

TEST(Invariants, AllowTheSurplusToGoAndNoMore) {
  Scene scene(2, 4);
  scene.send(scene.delete_call("web-0"));
  scene.send(scene.delete_call("web-1"));
  EXPECT_EQ(scene.broken(), "");
  // The same one again changes nothing.
  scene.send(scene.delete_call("web-1"));
  EXPECT_EQ(scene.broken(), "");
  scene.send(scene.delete_call("web-2"));
  EXPECT_EQ(scene.broken(), "I2");
}

TEST(Invariants, FreeADeleteThatWasRefusedOrCannotLandAnyMore) {
  Scene scene(3, 4);
  Answer forbidden;
  forbidden.response.code = 403;
  scene.world.invariants.answered(scene.send(scene.delete_call("web-0")), forbidden);
  scene.world.invariants.answered(scene.send(scene.delete_call("web-1")),
                                  {.outcome = Answer::Outcome::kUnknown});
  EXPECT_EQ(scene.broken(), "");
  scene.world.run_for(6 * kSecond);
  scene.send(scene.delete_call("web-2"));
  EXPECT_EQ(scene.broken(), "");
}

TEST(Invariants, FreeADeleteThatAWebhookDenied) {
  for (const int code : {404, 409, 500}) {
    Scene scene(3, 4);
    Answer denied;
    denied.response.code = code;
    denied.response.body =
        Bytes(R"({"message":"admission webhook \"no.example.com\" denied the request: gone"})");
    scene.world.invariants.answered(scene.send(scene.delete_call("web-0")), denied);
    scene.send(scene.delete_call("web-1"));
    EXPECT_EQ(scene.broken(), "") << code;
  }
}

TEST(Invariants, HoldThePredecessorsDeletesAgainstAStaleSuccessor) {
  Scene scene(2, 3);
  const Call first = scene.delete_call("web-0");
  scene.execute(scene.send(first), first);
  EXPECT_EQ(scene.broken(), "");
  // It has not seen that.
  scene.process = scene.world.invariants.new_process();
  const Call second = scene.delete_call("web-1");
  scene.execute(scene.send(second), second);
  EXPECT_EQ(scene.broken(), "I2");
}

TEST(Invariants, DoNotHoldAgainstAProcessWhatOthersDidUnseen) {
  Scene scene(2, 3);
  scene.world.request("user", scene.delete_call("web-0").request);
  const Call call = scene.delete_call("web-1");
  scene.execute(scene.send(call), call);
  EXPECT_EQ(scene.broken(), "");
}

TEST(Invariants, DemandThatADeleteNamesTheUid) {
  Scene scene(0, 1);
  scene.send(scene.delete_call("web-0", false));
  EXPECT_EQ(scene.broken(), "I1");
}

TEST(Invariants, NoticeThatAnotherPodWasDeletedThanTheOneMeant) {
  Scene scene(0, 1);
  scene.world.invariants.allow_deletes_without_precondition();
  const Call call = scene.delete_call("web-0", false);
  const Invariants::Tag tag = scene.send(call);
  EXPECT_EQ(scene.broken(), "");
  scene.world.request("user", model::delete_request(call.request.path, {.grace_seconds = 0}));
  scene.create("web-0");
  scene.execute(tag, call);
  EXPECT_EQ(scene.broken(), "I1");
}

TEST(Invariants, AllowWhatIsMissingToBeCreatedAndNoMore) {
  Scene scene(3, 1);
  scene.send(scene.create_call());
  scene.send(scene.create_call());
  EXPECT_EQ(scene.broken(), "");
  scene.send(scene.create_call());
  EXPECT_EQ(scene.broken(), "I8");
}

TEST(Invariants, CountAPodThatIsMadeAndNotSeen) {
  Scene scene(2, 1);
  const Call call = scene.create_call();
  scene.execute(scene.send(call), call);
  scene.world.run_for(10 * kSecond);
  EXPECT_EQ(scene.broken(), "");
  scene.send(scene.create_call());
  EXPECT_EQ(scene.broken(), "I8");
}

TEST(Invariants, LetNoProcessActAfterAnotherHasTakenOver) {
  Scene scene(0, 3);
  const Invariants::ProcessId old = scene.process;
  const Call first = scene.delete_call("web-0");
  scene.execute(scene.send(first), first);
  const Call late = scene.delete_call("web-1");
  const Invariants::Tag landing_late = scene.send(late);
  scene.process = scene.world.invariants.new_process();
  const Call next = scene.delete_call("web-2");
  scene.execute(scene.send(next), next);
  EXPECT_EQ(scene.broken(), "");
  EXPECT_NE(scene.process, old);
  scene.execute(landing_late, late);
  EXPECT_EQ(scene.broken(), "lease");
}

TEST(Invariants, FindASecretInLogs) {
  Scene scene(0, 0);
  scene.world.probe.log(control::Severity::kInfo, 0, "all is well");
  EXPECT_EQ(scene.broken(), "");
  scene.world.probe.log(control::Severity::kInfo, 0, fmt::format("it is {}", kSecret));
  EXPECT_EQ(scene.broken(), "I6");
}

}  // namespace
}  // namespace ebb::sim
