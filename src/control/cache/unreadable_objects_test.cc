// Objects with parts that cannot be decoded: in a list and in each kind of event, in protobuf and
// in JSON. A value that API servers do not validate must not hide its object. A damaged object
// must not be treated as deleted, and a deleted one must not stay.
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "control/replicaset/replica_set_controller.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/control/reflector_scene.h"
#include "support/objects/wire_encoder.h"

namespace ebb::control {
namespace {

using namespace testing::reflecting;  // NOLINT(google-build-using-namespace)
using testing::append_field;
using Format = Store::Format;

// Of a type that protobuf does not have.
const std::string kNonsense = "\x27";

enum class Flaw : std::uint8_t {
  kNegativeRestarts,
  kAnnotation,  // not UTF-8
  kOwnerName,   // not UTF-8
  kDamaged,     // only its identity and owner can be read
};

bool hides_nothing(Flaw flaw) { return flaw != Flaw::kDamaged; }

std::string with_frame(std::string_view type, const std::string& message) {
  std::string raw;
  append_field(raw, 1, testing::in_envelope("Pod", message));
  std::string event;
  append_field(event, 1, type);
  append_field(event, 2, raw);
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) {
    frame += static_cast<char>(event.size() >> static_cast<unsigned>(shift) & 0xffU);
  }
  return frame + event;
}

std::string metadata_of(std::string_view name, int revision, Flaw flaw) {
  std::string metadata;
  append_field(metadata, 1, name);
  append_field(metadata, 3, std::string_view("shop"));
  append_field(metadata, 5, "u-" + std::string(name));
  append_field(metadata, 6, std::to_string(revision));
  if (flaw == Flaw::kAnnotation) {
    std::string entry;
    append_field(entry, 1, std::string_view("bad\xff"));
    append_field(entry, 2, std::string_view("7"));
    append_field(metadata, 12, entry);
  }
  std::string owner;
  append_field(owner, 1, std::string_view("ReplicaSet"));
  append_field(owner, 3, std::string_view(flaw == Flaw::kOwnerName ? "web\xff" : "web"));
  append_field(owner, 4, std::string_view("set-uid"));
  append_field(owner, 6, std::uint64_t{1});
  append_field(metadata, 13, owner);
  return metadata;
}

std::string in_protobuf(std::string_view name, int revision, Flaw flaw) {
  std::string message;
  append_field(message, 1, metadata_of(name, revision, flaw));
  if (flaw == Flaw::kNegativeRestarts) {
    std::string container;
    append_field(container, 5, static_cast<std::uint64_t>(-1));
    std::string status;
    append_field(status, 1, std::string_view("Running"));
    append_field(status, 8, container);
    append_field(message, 3, status);
  }
  return flaw == Flaw::kDamaged ? message + kNonsense : message;
}

// JSON has no way to say the others.
std::string in_json(std::string_view name, int revision, Flaw flaw) {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"shop","uid":"u-{0}","resourceVersion":"{1}",)"
      R"("ownerReferences":[{{"kind":"ReplicaSet","name":"web","uid":"set-uid",)"
      R"("controller":true}}]}},"spec":{{"nodeName":{2}}},)"
      R"("status":{{"phase":"Running","containerStatuses":[{{"restartCount":{3}}}]}}}})",
      name, revision, flaw == Flaw::kDamaged ? "\"\xff\"" : "\"n\"",
      flaw == Flaw::kNegativeRestarts ? -1 : 0);
}

struct Case {
  std::string_view name;
  Flaw flaw;
  Format format;
};

std::string message_of(const Case& one, std::string_view name, int revision) {
  return one.format == Format::kJson ? in_json(name, revision, one.flaw)
                                     : in_protobuf(name, revision, one.flaw);
}

std::string event_of(const Case& one, std::string_view type, std::string_view name, int revision) {
  const std::string message = message_of(one, name, revision);
  return one.format == Format::kJson ? event(type, message) : with_frame(type, message);
}

std::string page_of(const Case& one, int revision, const std::vector<std::string>& items) {
  if (one.format == Format::kJson) return page(revision, items);
  std::string metadata;
  append_field(metadata, 2, std::to_string(revision));
  std::string list;
  append_field(list, 1, metadata);
  for (const std::string& item : items) append_field(list, 2, item);
  return testing::in_envelope("PodList", list);
}

struct UnreadablePods : ReflectorTest, ::testing::WithParamInterface<Case> {
  const Case& flawed = GetParam();

  // Up to a watch from revision 10 on which the pod a was listed.
  void watch() {
    ASSERT_EQ(ask(), kStreamingList);
    answer(422);
    ASSERT_EQ(ask(), kFirstPage);
    answer(200, page_of(flawed, 10, {sound_pod("a", 7)}));
    ASSERT_EQ(ask(), watch_from(10));
    ASSERT_EQ(heard.counts[Count::kUnreadable], 0);
  }
  // The place to watch from is lost, and this is listed.
  void list_again(int revision, const std::vector<std::string>& items) {
    answer(410);
    ASSERT_EQ(ask(), kFirstPage);
    answer(200, page_of(flawed, revision, items));
  }
  [[nodiscard]] std::string sound_pod(std::string_view name, int revision) const {
    if (flawed.format == Format::kJson) {
      return in_json(name, revision, Flaw::kAnnotation);  // which JSON does not have
    }
    std::string message;
    append_field(message, 1, metadata_of(name, revision, Flaw::kNegativeRestarts));
    return message;  // without a status
  }
  // What is held of a pod that was held before as `before`.
  [[nodiscard]] Texts expected(std::string_view before, std::string_view after) const {
    const std::string_view held = hides_nothing(flawed.flaw) ? after : before;
    return held.empty() ? Texts() : Texts({std::string(held)});
  }
  void expect_reported() {
    EXPECT_GE(heard.counts[Count::kUnreadable], 1);
    // It is read again if its state is not known, and only then.
    EXPECT_EQ(reflector.wake_at().is_zero(), hides_nothing(flawed.flaw));
  }
};

TEST_P(UnreadablePods, AreHeldWhenTheyAreListed) {
  watch();
  list_again(20, {sound_pod("a", 7), message_of(flawed, "b", 15)});
  EXPECT_EQ(names(), Texts({"a@7", "b@15"}));
  ASSERT_EQ(ask(), watch_from(20));
  expect_reported();
}

TEST_P(UnreadablePods, StayWhenTheyAreListedAgain) {
  watch();
  list_again(20, {message_of(flawed, "a", 15)});
  EXPECT_EQ(names(), expected("a@7", "a@15"));
  ASSERT_EQ(ask(), watch_from(20));
  expect_reported();
}

TEST_P(UnreadablePods, AreHeldWhenTheyAreAdded) {
  watch();
  hear(event_of(flawed, "ADDED", "b", 11));
  EXPECT_EQ(names(), Texts({"a@7", "b@11"}));
  expect_reported();
}

TEST_P(UnreadablePods, StayWhenTheyAreModified) {
  watch();
  hear(event_of(flawed, "MODIFIED", "a", 11));
  EXPECT_EQ(names(), expected("a@7", "a@11"));
  expect_reported();
}

TEST_P(UnreadablePods, AreGoneWhenTheyAreDeleted) {
  watch();
  hear(event_of(flawed, "DELETED", "a", 11));
  EXPECT_EQ(names(), Texts());
  EXPECT_EQ(heard.counts[Count::kUnreadable], 1);
  EXPECT_TRUE(reflector.wake_at().is_zero());
  EXPECT_FALSE(store.mixed());
}

INSTANTIATE_TEST_SUITE_P(
    Flaws, UnreadablePods,
    ::testing::Values(Case{"NegativeRestarts", Flaw::kNegativeRestarts, Format::kProtobuf},
                      Case{"AnnotationThatIsNoText", Flaw::kAnnotation, Format::kProtobuf},
                      Case{"OwnerThatIsNoText", Flaw::kOwnerName, Format::kProtobuf},
                      Case{"UnknownWireType", Flaw::kDamaged, Format::kProtobuf},
                      Case{"NegativeRestartsInJson", Flaw::kNegativeRestarts, Format::kJson},
                      Case{"NoTextInJson", Flaw::kDamaged, Format::kJson}),
    [](const ::testing::TestParamInfo<Case>& one) { return std::string(one.param.name); });

struct UnreadablePodTest : ReflectorTest {
  const Case damaged{"damaged", Flaw::kDamaged, Format::kJson};
};

TEST_F(UnreadablePodTest, IsReadAgainALittleLater) {
  sync();
  hear(event_of(damaged, "ADDED", "c", 11));
  EXPECT_FALSE(reflector.wants_cancel());
  ASSERT_FALSE(reflector.wake_at().is_zero());
  now.mono = reflector.wake_at();
  reflector.wake(now);
  ASSERT_TRUE(reflector.wants_cancel());
  reflector.cancelled(now);
  ASSERT_EQ(ask(), kStreamingList);
  hear(event("ADDED", pod("a", 7)) + event("ADDED", pod("b", 3)) + event("ADDED", pod("c", 11)) +
       bookmark(12, true));
  EXPECT_EQ(names(), Texts({"a@7", "b@3", "c@11"}));
  EXPECT_TRUE(reflector.wake_at().is_zero());
}

// A tenant whose object cannot be decoded, whatever the reason, must not cost a list every minute.
TEST_F(UnreadablePodTest, IsReadAgainLessAndLessOften) {
  sync();
  hear(event_of(damaged, "MODIFIED", "a", 11));
  const Timestamp start = now.mono;
  constexpr Nanoseconds kDay = 86'400 * kNanosecondsPerSecond;
  int lists = 0;
  while (elapsed_ns(start, now.mono) < kDay) {
    ASSERT_FALSE(reflector.wake_at().is_zero());
    now.mono = reflector.wake_at();
    reflector.wake(now);
    ASSERT_TRUE(reflector.wants_cancel());
    reflector.cancelled(now);
    now.mono = std::max(now.mono, reflector.wake_at());
    ASSERT_EQ(ask(), kStreamingList);
    ++lists;
    hear(event_of(damaged, "ADDED", "a", 11) + event("ADDED", pod("b", 3)) +
         bookmark(11 + lists, true));
    // An update in between does not bring it forward.
    hear(event_of(damaged, "MODIFIED", "a", 11 + lists));
  }
  EXPECT_LE(lists, 160);  // every ten minutes
  EXPECT_GE(lists, 90);   // every quarter of an hour
}

// Until then no controller acts.
TEST_F(UnreadablePodTest, IsReadAgainEveryMinuteIfItsOwnerIsUnknown) {
  sync();
  const std::string nobodys = R"({"metadata":{"name":"c","namespace":"shop"},"spec":7})";
  hear(event("ADDED", nobodys));
  for (int lists = 1; lists < 20; ++lists) {
    ASSERT_TRUE(store.mixed());
    EXPECT_LE(elapsed_ns(now.mono, reflector.wake_at()), 60 * kNanosecondsPerSecond);
    now.mono = reflector.wake_at();
    reflector.wake(now);
    reflector.cancelled(now);
    now.mono = std::max(now.mono, reflector.wake_at());
    ASSERT_EQ(ask(), kStreamingList);
    hear(event("ADDED", nobodys) + bookmark(11 + lists, true));
  }
}

// Everything up to the revision of the list has been seen, but not this one.
TEST_F(UnreadablePodTest, IsHeldOnceItCanBeRead) {
  ASSERT_EQ(ask(), kStreamingList);
  const std::string orphan =
      R"({"metadata":{"name":"a","namespace":"shop","uid":"u-a","resourceVersion":"7"},"spec":7})";
  hear(event("ADDED", orphan) + event("ADDED", pod("b", 3)) + bookmark(10, true));
  EXPECT_EQ(names(), Texts({"b@3"}));
  now.mono = reflector.wake_at();
  reflector.wake(now);
  reflector.cancelled(now);
  ASSERT_EQ(ask(), kStreamingList);
  hear(event("ADDED", pod("a", 7)) + event("ADDED", pod("b", 3)) + bookmark(10, true));
  EXPECT_EQ(names(), Texts({"a@7", "b@3"}));
}

// However many objects of a tenant cannot be decoded, the log has few lines about them.
TEST_F(UnreadablePodTest, IsComplainedAboutOnceAMinute) {
  sync();
  for (int i = 0; i < 100; ++i) hear(event_of(damaged, "MODIFIED", "a", 11 + i));
  EXPECT_EQ(heard.errors.size(), 1U);
  EXPECT_EQ(heard.counts[Count::kUnreadable], 100);
  pass(61);
  hear(event_of(damaged, "MODIFIED", "a", 200));
  ASSERT_EQ(heard.errors.size(), 2U);
  EXPECT_NE(heard.errors[1].find("(and 99 more since the last one)"), std::string::npos);
}

// Its owner is unknown, so no ReplicaSet may count its pods.
TEST_F(UnreadablePodTest, MakesTheStoreIncompleteIfItsOwnerIsUnknown) {
  sync();
  for (const char* object :
       {R"({"metadata":{"namespace":"shop"},"spec":7})",
        R"({"metadata":{"name":"c","namespace":"shop","uid":"u","ownerReferences":7},"spec":7})"}) {
    for (const char* type : {"ADDED", "MODIFIED"}) {
      hear(event(type, object));
      EXPECT_TRUE(store.mixed()) << object;
      store.begin_listing(Resource::kPods);
      store.end_listing(Resource::kPods);
      EXPECT_FALSE(store.mixed());
    }
  }
  hear(event("DELETED", R"({"metadata":{"namespace":"shop"}})"));
  EXPECT_TRUE(store.mixed());
}

TEST_F(UnreadablePodTest, KeepsWhatAListMayHaveMeant) {
  sync();
  store.begin_listing(Resource::kPods);
  ASSERT_TRUE(store.upsert(Resource::kPods, Format::kJson, pod("a", 7)));
  ASSERT_FALSE(store.upsert(Resource::kPods, Format::kJson, R"({"metadata":7})"));
  store.end_listing(Resource::kPods);
  EXPECT_EQ(names(), Texts({"a@7", "b@3"}));
  EXPECT_TRUE(store.mixed());
  store.begin_listing(Resource::kPods);
  ASSERT_TRUE(store.upsert(Resource::kPods, Format::kJson, pod("a", 7)));
  store.end_listing(Resource::kPods);
  EXPECT_EQ(names(), Texts({"a@7"}));
  EXPECT_FALSE(store.mixed());
}

// Workloads and nodes: what cannot be read stays, and goes when it is deleted.
TEST(UnreadableObjects, OfOtherKindsStayUntilTheyAreDeleted) {
  struct Kind {
    Resource resource;
    std::string_view sound;  // the rest of it
    std::string_view flawed;
  };
  const Kind kinds[] = {
      {Resource::kReplicaSets, R"("spec":{"replicas":2})", R"("spec":{"replicas":-2})"},
      {Resource::kDeployments, R"("spec":{"replicas":2})", R"("spec":{"replicas":"many"})"},
      {Resource::kPolicies, R"("spec":{"targetRef":{"kind":"Deployment","name":"web"}})",
       R"("spec":{"targetRef":7})"},
      {Resource::kNodes, R"("spec":{})", R"("spec":{"taints":7})"},
      {Resource::kGroupCosts, R"("spec":{"owner":{"kind":"ReplicaSet","name":"web"}})",
       R"("spec":{"owner":7})"},
  };
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(plural(kind.resource));
    const std::string space = kind.resource == Resource::kNodes ? "" : R"("namespace":"shop",)";
    const auto text = [&](int revision, std::string_view rest) {
      return fmt::format(R"({{"metadata":{{"name":"web",{}"uid":"u","resourceVersion":"{}"}},{}}})",
                         space, revision, rest);
    };
    Store store;
    const auto held = [&] {
      const bool found = store.replica_set("shop", "web") != nullptr ||
                         store.deployment("shop", "web") != nullptr ||
                         store.policy("shop", "web") != nullptr || store.node("web") != nullptr ||
                         store.group_cost("shop", "web") != nullptr;
      return found;
    };
    // New and flawed: it is not known, and nothing is done about it.
    EXPECT_FALSE(store.upsert(kind.resource, Format::kJson, text(1, kind.flawed)));
    EXPECT_FALSE(held());
    EXPECT_FALSE(store.mixed());
    // A listing of the same moment shows it.
    store.advance(kind.resource, 2);
    store.begin_listing(kind.resource);
    ASSERT_TRUE(store.upsert(kind.resource, Format::kJson, text(1, kind.sound)));
    store.end_listing(kind.resource);
    EXPECT_TRUE(held());
    EXPECT_FALSE(store.upsert(kind.resource, Format::kJson, text(3, kind.flawed)));
    EXPECT_TRUE(held());
    store.begin_listing(kind.resource);
    EXPECT_FALSE(store.upsert(kind.resource, Format::kJson, text(4, kind.flawed)));
    store.end_listing(kind.resource);
    EXPECT_TRUE(held());
    ASSERT_TRUE(store.remove(kind.resource, Format::kJson, text(5, kind.flawed)));
    EXPECT_FALSE(held());
  }
}

TEST(UnreadableObjects, NodesInProtobufStayUntilTheyAreDeleted) {
  std::string metadata;
  append_field(metadata, 1, std::string_view("node-1"));
  append_field(metadata, 5, std::string_view("u"));
  std::string sound;
  append_field(sound, 1, metadata);
  std::string taint;
  append_field(taint, 1, std::string_view("bad\xff"));
  std::string spec;
  append_field(spec, 5, taint);
  std::string odd = sound;
  append_field(odd, 2, spec);
  Store store;
  std::string remark;
  ASSERT_TRUE(store.upsert(Resource::kNodes, Format::kProtobuf, odd, &remark));
  EXPECT_EQ(remark, "Node node-1: spec.taints: is not valid UTF-8");
  ASSERT_FALSE(store.upsert(Resource::kNodes, Format::kProtobuf, sound + kNonsense));
  EXPECT_NE(store.node("node-1"), nullptr);
  ASSERT_TRUE(store.remove(Resource::kNodes, Format::kProtobuf, sound + kNonsense));
  EXPECT_EQ(store.node("node-1"), nullptr);
}

// A pod of which only the owner is known may be active or not: until it can be read, its
// ReplicaSet can neither create nor delete without risking one too many.
class BlockedReplicaSet : public ::testing::Test {
 protected:
  void start_with_pods(int replicas, int pods) {
    scene_.create_set("web", replicas);
    for (int i = 0; i < pods; ++i) scene_.create_pod(std::string(1, static_cast<char>('a' + i)));
    scene_.see_all();
  }
  // The watch shows the pod, but only its owner can be read.
  void see_damaged(std::string_view pod) {
    const auto object = scene_.get(fmt::format("/api/v1/namespaces/shop/pods/{}", pod));
    const auto set = scene_.get("/apis/apps/v1/namespaces/shop/replicasets/web");
    const std::string damaged = fmt::format(
        R"({{"metadata":{{"name":"{}","namespace":"shop","uid":"{}","resourceVersion":"{}",)"
        R"("ownerReferences":[{{"kind":"ReplicaSet","name":"web","uid":"{}",)"
        R"("controller":true}}]}},"spec":7}})",
        pod, schema::text_at(object, {"metadata", "uid"}),
        schema::text_at(object, {"metadata", "resourceVersion"}),
        schema::text_at(set, {"metadata", "uid"}));
    ASSERT_FALSE(scene_.store->upsert(Resource::kPods, Format::kJson, damaged));
  }

  testing::ControllerScene scene_{make_replica_set_controller};
};

TEST_F(BlockedReplicaSet, CreatesNothingBesideAPodThatCannotBeRead) {
  start_with_pods(3, 2);
  scene_.create_pod("c");
  see_damaged("c");
  scene_.run();
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
  scene_.see_all();
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 3U);
}

TEST_F(BlockedReplicaSet, DeletesNothingBesideAPodThatCannotBeRead) {
  start_with_pods(3, 3);
  scene_.run();
  scene_.settle();
  scene_.scale("web", 2);
  // It may be on its way out already.
  see_damaged("c");
  scene_.see(Resource::kReplicaSets);
  scene_.run();
  EXPECT_EQ(scene_.count_calls("DELETE pods"), 0U);
  // It can be read again, at the same revision.
  ASSERT_TRUE(
      scene_.store->upsert(Resource::kPods, Format::kJson,
                           boost::json::serialize(scene_.get("/api/v1/namespaces/shop/pods/c"))));
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 2U);
}

TEST_F(BlockedReplicaSet, WithdrawsCreationsThatAreNotSentYet) {
  start_with_pods(3, 2);
  scene_.run();
  ASSERT_EQ(scene_.count_calls("POST pods"), 1U);
  scene_.create_pod("c");
  see_damaged("c");
  scene_.withdraw_unwanted();
  EXPECT_EQ(scene_.count_calls("POST pods"), 0U);
}

}  // namespace
}  // namespace ebb::control
