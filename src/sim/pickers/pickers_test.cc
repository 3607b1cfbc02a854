#include "sim/pickers/pickers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picker/pick_request.h"
#include "sim/pickers/picker_answers.h"

namespace ebb::sim {
namespace {

using picker::Outcome;

// A picker that is called with six pods, three of which are to go.
struct PickerClientScene {
  explicit PickerClientScene(std::optional<Fault> fault = {}, std::uint64_t seed = 1)
      : pickers({.time = time, .met = met, .profile = profile, .truth = truth}, seed) {
    if (fault) profile.set(*fault, 1);
    pickers.meanwhile = [this](Fault what, const std::string&) { happened.insert(what); };
  }

  static picker::Call call(picker::Protocol protocol = picker::Protocol::kHttp) {
    picker::PickRequest request{.requested = 3};
    for (int i = 0; i < 6; ++i) request.candidates.push_back(fmt::format("web-{}", i));
    auto settings = std::make_shared<picker::Settings>();
    settings->host = "alder";
    settings->protocol = protocol;
    const bool grpc = protocol == picker::Protocol::kGrpc;
    picker::Call call;
    call.id = 1;
    call.settings = settings;
    call.body = std::make_shared<const std::string>(grpc ? to_protobuf(request) : to_json(request));
    call.deadline_ns = kSecond;
    return call;
  }

  Timeline time{Timestamp::from_seconds(1'700'000'000)};
  FaultCounts met;
  FaultProfile profile;
  Truth truth;
  Pickers pickers;
  std::set<Fault> happened;
};

TEST(Pickers, AnswerTheSameRequestTheSameWayForEveryCaller) {
  const auto plan = PickerClientScene({}, 1).pickers.ask(PickerClientScene::call());
  const auto again =
      PickerClientScene({}, 2).pickers.ask(PickerClientScene::call(picker::Protocol::kGrpc));
  EXPECT_EQ(plan.reply.outcome, Outcome::kAnswered);
  EXPECT_EQ(plan.reply.answer.chosen, again.reply.answer.chosen);
  EXPECT_EQ(plan.reply.answer.tied, again.reply.answer.tied);
  EXPECT_LT(plan.after, kSecond);
}

TEST(Pickers, HaveDifferentHabits) {
  std::set<std::pair<bool, bool>> seen;
  for (int i = 0; i < 20; ++i) {
    const ReceivedRequest request{.requested = 2, .candidates = {"a", "b", "c", "d", "e"}};
    const picker::Answer answer = answer_well(request, fmt::format("host-{}", i));
    seen.emplace(answer.chosen.empty(), answer.tied.empty());
    EXPECT_LE(answer.chosen.size(), 2U);
  }
  EXPECT_TRUE(seen.contains({true, false}));
  EXPECT_TRUE(seen.contains({false, true}));
  EXPECT_TRUE(seen.contains({false, false}));
}

TEST(Pickers, HandleARequestAsTheirFaultSays) {
  struct Case {
    Fault fault;
    Outcome outcome;
    bool repeatable = false;
    int code = 0;
  };
  for (const Case& each : std::vector<Case>{
           {Fault::kPickerSilent, Outcome::kTimeout},
           {Fault::kPickerEmpty, Outcome::kEmpty},
           {Fault::kPickerMalformed, Outcome::kMalformed, true},
           {Fault::kPickerError, Outcome::kStatusCode, true, 500},
           {Fault::kPickerNotFound, Outcome::kStatusCode, false, 404},
           {Fault::kPickerThrottled, Outcome::kStatusCode, true, 429},
           {Fault::kPickerTls, Outcome::kTls, true},
           {Fault::kPickerOversize, Outcome::kOversize},
           {Fault::kPickerRefused, Outcome::kRefused, true},
       }) {
    PickerClientScene asking(each.fault);
    const auto plan = asking.pickers.ask(PickerClientScene::call());
    EXPECT_EQ(plan.fault, each.fault);
    EXPECT_EQ(asking.met[each.fault], 1U);
    EXPECT_EQ(plan.reply.outcome, each.outcome) << to_string(each.fault);
    EXPECT_EQ(plan.reply.repeatable, each.repeatable) << to_string(each.fault);
    EXPECT_EQ(plan.reply.code, each.code) << to_string(each.fault);
    EXPECT_LE(plan.after, kSecond) << to_string(each.fault);
  }
}

TEST(Pickers, AnswerTooLateOnlyWhereThatIsTheFault) {
  PickerClientScene late(Fault::kPickerLate);
  EXPECT_LE(late.pickers.ask(PickerClientScene::call()).after, kSecond);
  PickerClientScene too_late(Fault::kPickerTooLate);
  const auto plan = too_late.pickers.ask(PickerClientScene::call());
  EXPECT_GT(plan.after, kSecond);
  EXPECT_EQ(plan.reply.outcome, Outcome::kAnswered);
}

TEST(Pickers, FailInTheSameWayDuringAnOutage) {
  PickerClientScene asking(Fault::kPickerOutage, 3);
  const auto first = asking.pickers.ask(PickerClientScene::call());
  ASSERT_TRUE(first.fault.has_value());
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(asking.pickers.ask(PickerClientScene::call()).fault, first.fault);
  }
  asking.profile = {};
  EXPECT_EQ(asking.pickers.ask(PickerClientScene::call()).reply.outcome, Outcome::kAnswered);
}

TEST(Pickers, AllFailAtOnceAndAreWellAgain) {
  PickerClientScene asking;
  asking.pickers.begin_outage(10 * kSecond);
  EXPECT_TRUE(asking.pickers.ask(PickerClientScene::call()).fault.has_value());
  EXPECT_EQ(asking.met[Fault::kPickerOutage], 1U);
  const Timestamp end = later_by(asking.time.now(), 10 * kSecond);
  while (asking.time.step(end)) {
  }
  EXPECT_FALSE(asking.pickers.ask(PickerClientScene::call()).fault.has_value());
}

TEST(Pickers, LetTheWorldChangeBeforeTheyAnswer) {
  for (const Fault fault : {Fault::kScaledMeanwhile, Fault::kKilledMeanwhile,
                            Fault::kRecreatedMeanwhile, Fault::kUnconfiguredMeanwhile}) {
    PickerClientScene asking(fault, 5);
    const auto plan = asking.pickers.ask(PickerClientScene::call());
    const Timestamp answer = later_by(asking.time.now(), plan.after);
    while (asking.time.step(answer)) {
    }
    EXPECT_TRUE(asking.happened.contains(fault)) << to_string(fault);
  }
}

TEST(Pickers, NamePodsThatWereNotCandidatesIfThatIsTheFault) {
  std::set<std::string> strange;
  bool twice = false;
  bool everything = false;
  const ReceivedRequest request{.requested = 1, .candidates = {"a", "b", "c"}};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const picker::Answer answer = answer_wrongly(request, {"other"}, random);
    std::multiset<std::string> chosen(answer.chosen.begin(), answer.chosen.end());
    for (const std::string& name : chosen) {
      if (std::find(request.candidates.begin(), request.candidates.end(), name) ==
          request.candidates.end()) {
        strange.insert(name);
      }
      twice = twice || chosen.count(name) > 1;
    }
    everything = everything || answer.chosen == request.candidates;
  }
  EXPECT_TRUE(strange.contains("other"));
  EXPECT_TRUE(twice);
  EXPECT_TRUE(everything);
}

TEST(Pickers, RefuseInvalidRequests) {
  picker::Call call = PickerClientScene::call();
  for (const std::string_view body :
       {"", "[]", "{}", R"({"number_of_pods_requested": 0, "candidate_pods": []})",
        R"({"number_of_pods_requested": 1, "candidate_pods": [1]})"}) {
    call.body = std::make_shared<const std::string>(body);
    EXPECT_FALSE(read_request(call).has_value()) << body;
  }
  EXPECT_EQ(read_request(PickerClientScene::call())->requested, 3U);
  EXPECT_EQ(read_request(PickerClientScene::call(picker::Protocol::kGrpc))->candidates.size(), 6U);
}

}  // namespace
}  // namespace ebb::sim
