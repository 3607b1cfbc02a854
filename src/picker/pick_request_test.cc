#include "picker/pick_request.h"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/wire_reader.h"
#include "schema/core/time.h"

namespace ebb::picker {
namespace {

namespace json = boost::json;

const Timestamp kReadySince = *schema::parse_time("2026-11-01T12:00:00Z");

PickRequest with_facts() {
  return {.requested = 1,
          .candidates = {"web-a", "web-b"},
          .facts = {{.node = "node-1",
                     .zone = "eu-1",
                     .age_seconds = 3600,
                     .ready_since = kReadySince,
                     .restarts = 2,
                     .cost = -5},
                    {.node = "node-2"}}};
}

TEST(PickRequest, IsExactlyWhatTheProposalSays) {
  EXPECT_EQ(to_json({.requested = 2, .candidates = {"pod-1", "pod-2", "pod-3"}}),
            R"({"number_of_pods_requested":2,"candidate_pods":["pod-1","pod-2","pod-3"]})");
  EXPECT_EQ(to_json({}), R"({"number_of_pods_requested":0,"candidate_pods":[]})");
}

TEST(PickRequest, CarriesFactsBesideTheNames) {
  EXPECT_EQ(
      to_json(with_facts()),
      R"({"number_of_pods_requested":1,"candidate_pods":["web-a","web-b"],"candidates":[)"
      R"({"name":"web-a","node":"node-1","zone":"eu-1","age_seconds":3600,)"
      R"("ready_since":"2026-11-01T12:00:00Z","restarts":2,"cost":-5},)"
      R"({"name":"web-b","node":"node-2","zone":"","age_seconds":0,"restarts":0,"cost":0}]})");
}

TEST(PickRequest, EscapesWhateverNamesContain) {
  EXPECT_EQ(to_json({.requested = 1, .candidates = {"a\"b\\c\n\x01\x1f/\x7f"}}),
            "{\"number_of_pods_requested\":1,\"candidate_pods\":"
            "[\"a\\\"b\\\\c\\u000a\\u0001\\u001f/\x7f\"]}");
}

// Texts of ASCII, so that they are valid UTF-8.
rc::Gen<std::string> texts() {
  return rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
}

TEST(PickRequest, ComesBackFromJsonAsItWas) {
  EXPECT_TRUE(rc::check("JSON of a request is read back", [] {
    const auto names = *rc::gen::container<std::vector<std::string>>(texts());
    const auto requested = *rc::gen::inRange<std::size_t>(0, 5000);
    const json::value read = json::parse(to_json({.requested = requested, .candidates = names}));
    RC_ASSERT(read.at("number_of_pods_requested").to_number<std::size_t>() == requested);
    RC_ASSERT(json::value_to<std::vector<std::string>>(read.at("candidate_pods")) == names);
  }));
}

struct Message {
  std::vector<std::pair<unsigned, std::string>> texts;
  std::vector<std::pair<unsigned, std::int64_t>> numbers;
};

// The fields of a message; `numbers` says which of them are numbers.
Message read(std::string_view bytes, std::initializer_list<unsigned> numbers) {
  Message message;
  WireReader reader(bytes);
  while (reader.next()) {
    const bool is_number =
        std::find(numbers.begin(), numbers.end(), reader.field()) != numbers.end();
    if (is_number) {
      message.numbers.emplace_back(reader.field(), static_cast<std::int64_t>(reader.number()));
    } else {
      message.texts.emplace_back(reader.field(), std::string(reader.bytes()));
    }
  }
  EXPECT_TRUE(reader.ok());
  return message;
}

using Texts = std::vector<std::pair<unsigned, std::string>>;
using Numbers = std::vector<std::pair<unsigned, std::int64_t>>;

TEST(PickRequest, IsTheSameInProtobuf) {
  const Message request = read(to_protobuf(with_facts()), {1});
  EXPECT_EQ(request.numbers, (Numbers{{1, 1}}));
  ASSERT_EQ(request.texts.size(), 4U);
  EXPECT_EQ(request.texts[0], (std::pair{2U, std::string("web-a")}));
  EXPECT_EQ(request.texts[1], (std::pair{2U, std::string("web-b")}));
  EXPECT_EQ(request.texts[2].first, 3U);

  const Message first = read(request.texts[2].second, {4, 6, 7});
  EXPECT_EQ(first.numbers, (Numbers{{4, 3600}, {6, 2}, {7, -5}}));
  ASSERT_EQ(first.texts.size(), 4U);
  EXPECT_EQ(first.texts[0], (std::pair{1U, std::string("web-a")}));
  EXPECT_EQ(first.texts[1], (std::pair{2U, std::string("node-1")}));
  EXPECT_EQ(first.texts[2], (std::pair{3U, std::string("eu-1")}));
  const Message time = read(first.texts[3].second, {1, 2});
  EXPECT_EQ(time.numbers, (Numbers{{1, kReadySince.since_epoch_ns() / kNanosecondsPerSecond}}));

  const Message second = read(request.texts[3].second, {4, 6, 7});
  EXPECT_EQ(second.texts, (Texts{{1, "web-b"}, {2, "node-2"}}));
  EXPECT_TRUE(second.numbers.empty());
}

TEST(PickRequest, WritesTimesBefore1970WithAFractionThatCountsUp) {
  PickRequest request = with_facts();
  request.facts[0].ready_since = Timestamp::from_nanoseconds(-1);
  const Message message = read(to_protobuf(request), {1});
  const Message first = read(message.texts[2].second, {4, 6, 7});
  EXPECT_EQ(read(first.texts[3].second, {1, 2}).numbers, (Numbers{{1, -1}, {2, 999'999'999}}));
}

TEST(PickRequest, NamesInProtobufAreThereEvenWhenEmpty) {
  const Message request = read(to_protobuf({.requested = 300, .candidates = {"", "b"}}), {1});
  EXPECT_EQ(request.numbers, (Numbers{{1, 300}}));
  EXPECT_EQ(request.texts, (Texts{{2, ""}, {2, "b"}}));
}

}  // namespace
}  // namespace ebb::picker
