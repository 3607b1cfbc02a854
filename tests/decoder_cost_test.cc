// Decoders take time proportional to the length of their input. Each case decodes one input and
// another four times as long, both within the decoder's limits, and compares the CPU times in the
// same run: a factor of four is linear, sixteen would be quadratic.
#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/decode/decode.h"
#include "apiserver/managedfields/field_set.h"
#include "apiserver/managedfields/managed_fields.h"
#include "apiserver/patch/patch.h"
#include "apiserver/request/route.h"
#include "apiserver/store/selectors.h"
#include "control/cache/list_page.h"
#include "control/cache/live_pods.h"
#include "control/cache/object_reader.h"
#include "control/cache/watch_stream.h"
#include "model/api/requests.h"
#include "model/component/kind_feed.h"
#include "model/json/managed_fields_text.h"
#include "model/protobuf/decode_pod_protobuf.h"
#include "model/yaml/yaml_to_json.h"
#include "net/client/reply_reader.h"
#include "net/server/request_reader.h"
#include "picker/answer.h"
#include "picker/answer_protobuf.h"
#include "schema/core/kind.h"
#include "schema/core/quantity.h"
#include "schema/protobuf/protobuf.h"

namespace ebb {
namespace {

using Read = std::function<void()>;

struct Case {
  std::string name;
  std::size_t size;  // of the shorter input, in whatever the case counts
  // Makes the input, and returns what reads it.
  std::function<Read(std::size_t size)> prepare;
};

std::string repeated(std::size_t times, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += (i == 0 ? "" : ",") + part(i);
  return text;
}

template <class Feed>
void feed_pieces(std::string_view bytes, std::size_t piece, Feed feed) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    feed(bytes.substr(0, piece));
  }
}

std::string event_line(std::size_t size) {
  return fmt::format(
      R"({{"type":"ADDED","object":{{"metadata":{{"name":"a","uid":"b"}},"data":"{}"}}}})"
      "\n",
      std::string(size, 'x'));
}

struct Deaf final : net::ReplyListener {
  bool head_line(std::string_view /*line*/) override { return true; }
  bool body_piece(std::string_view /*piece*/) override { return true; }
};

Read read_reply(std::string text, std::size_t piece) {
  return [text = std::move(text), piece] {
    net::ReplyReader reader;
    Deaf listener;
    auto progress = net::ReplyReader::Progress::kGoesOn;
    feed_pieces(text, piece,
                [&](std::string_view part) { progress = reader.feed(part, listener); });
    EXPECT_EQ(progress, net::ReplyReader::Progress::kDone);
  };
}

Read read_request(std::string text, std::size_t piece) {
  return [text = std::move(text), piece] {
    net::RequestReader reader({.header_bytes = 1UL << 20, .header_count = 100'000});
    std::string waiting;
    feed_pieces(text, piece, [&](std::string_view part) {
      waiting += part;
      for (std::size_t used = 1; used > 0 && !waiting.empty();) {
        used = reader.take(waiting);
        waiting.erase(0, used);
      }
    });
    EXPECT_EQ(reader.state(), net::RequestReader::State::kDone);
  };
}

Read parse_body(std::string text) {
  return [text = std::move(text)] {
    const auto parsed = apiserver::parse_json(text);
    if (parsed) {
      (void)apiserver::conform(*schema::find_kind("v1", "Pod"), *parsed,
                               apiserver::FieldValidation::kStrict);
    }
  };
}

std::string pod_body(std::string_view spec) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a"}},"spec":{{{}}}}})", spec);
}

std::string environment(std::size_t size, std::string_view value) {
  return repeated(size, [&](std::size_t i) {
    return fmt::format(R"({{"name":"variable-{}","value":"{}"}})", i, value);
  });
}

// A container with this many variables, which are merged by their names.
boost::json::object with_variables(std::size_t size, std::string_view value) {
  return boost::json::parse(pod_body(fmt::format(R"("containers":[{{"name":"a","env":[{}]}}])",
                                                 environment(size, value))))
      .get_object();
}

std::string fields_of(std::size_t size) {
  return "{" +
         repeated(size, [](std::size_t i) { return fmt::format(R"("f:field-{}":{{}})", i); }) + "}";
}

std::string pod_message(std::size_t size) {
  boost::json::object labels;
  boost::json::array tolerations;
  for (std::size_t i = 0; i < size; ++i) {
    labels[fmt::format("label-{}", i)] = "x";
    tolerations.push_back(boost::json::object{{"key", fmt::format("taint-{}", i)}});
  }
  const boost::json::object pod{
      {"metadata",
       {{"name", "a"}, {"namespace", "b"}, {"uid", "c"}, {"labels", std::move(labels)}}},
      {"spec", {{"tolerations", std::move(tolerations)}}}};
  return schema::encode_message(*model::pod_kind()->schema, pod).bytes;
}

std::vector<Case> cases_of_streams() {
  return {
      {"a line of a watch in small pieces", 250'000,
       [](std::size_t size) -> Read {
         return [line = event_line(size)] {
           control::WatchStream stream;
           feed_pieces(line, 50, [&](std::string_view part) {
             ASSERT_TRUE(stream.feed(part, [](const auto&) {}));
           });
         };
       }},
      {"a line for the hollow nodes in small pieces", 250'000,
       [](std::size_t size) -> Read {
         return [line = event_line(size)] {
           model::KindFeed feed(*model::pod_kind());
           (void)feed.next_request();
           feed_pieces(line, 50, [&](std::string_view part) {
             ASSERT_TRUE(feed.take(part, [](const auto&) {}));
           });
         };
       }},
      {"a head of a response in small pieces", 30'000,
       [](std::size_t size) {
         return read_reply("HTTP/1.1 200 OK\r\nX-Long: " + std::string(size, 'x') +
                               "\r\nContent-Length: 0\r\n\r\n",
                           5);
       }},
      {"a body of many chunks", 5'000,
       [](std::size_t size) {
         std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
         for (std::size_t i = 0; i < size; ++i) text += "1\r\nx\r\n";
         return read_reply(text + "0\r\n\r\n", 7);
       }},
      {"a head of a request in small pieces", 12'000,
       [](std::size_t size) {
         return read_request(
             "GET / HTTP/1.1\r\nHost: a\r\nX-Long: " + std::string(size, 'x') + "\r\n\r\n", 5);
       }},
      {"a body of a request in small pieces", 200'000,
       [](std::size_t size) {
         return read_request(
             fmt::format("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{}", size,
                         std::string(size, 'x')),
             50);
       }},
  };
}

std::vector<Case> cases_of_answers() {
  const auto answer = [](std::string text) -> Read {
    return [text = std::move(text)] { (void)picker::decode_answer(text); };
  };
  return {
      {"an answer of many names", 20'000,
       [=](std::size_t size) {
         return answer(R"({"chosen_pods":[)" +
                       repeated(size, [](std::size_t i) { return fmt::format(R"("web-{}")", i); }) +
                       "]}");
       }},
      {"an answer of many unknown keys", 10'000,
       [=](std::size_t size) {
         return answer(
             "{" +
             repeated(size, [](std::size_t i) { return fmt::format(R"("key-{}":{{}})", i); }) +
             "}");
       }},
      {"an answer that breaks off after many escapes", 50'000,
       [=](std::size_t size) {
         std::string text = R"({"chosen_pods":[")";
         for (std::size_t i = 0; i < size; ++i) text += R"(\\\")";
         return answer(text);
       }},
      {"an answer in protobuf", 50'000,
       [](std::size_t size) -> Read {
         std::string message;
         for (std::size_t i = 0; i < size; ++i) message += "\x0a\x01x";
         return [message] { EXPECT_TRUE(picker::decode_answer_protobuf(message)); };
       }},
  };
}

std::vector<Case> cases_of_lists() {
  return {
      {"a page of many items", 5'000,
       [](std::size_t size) -> Read {
         const std::string body =
             R"({"metadata":{"resourceVersion":"7"},"items":[)" +
             repeated(size,
                      [](std::size_t i) {
                        return fmt::format(R"({{"metadata":{{"name":"web-{}","uid":"{}"}}}})", i,
                                           i);
                      }) +
             "]}";
         return [body] {
           EXPECT_TRUE(control::read_page(body));
           EXPECT_TRUE(control::read_live_pods(body, {.name = "web", .uid = "a"}));
         };
       }},
      {"an object of many members, cut apart", 20'000,
       [](std::size_t size) -> Read {
         const std::string body =
             R"({"metadata":{"a":{},)" +
             repeated(size, [](std::size_t i) { return fmt::format(R"("key-{}":"\\\"")", i); }) +
             R"(,"managedFields":[{}]}})";
         return [body] {
           EXPECT_LT(control::kept_text(body, "ReplicaSet").size(), body.size() + 40);
           EXPECT_TRUE(model::cut_managed_fields(body));
         };
       }},
      {"a pod in protobuf with many labels and tolerations", 2'000,
       [](std::size_t size) -> Read {
         return [message = pod_message(size)] {
           model::Pool pool;
           EXPECT_TRUE(model::decode_pod_protobuf(message, pool));
         };
       }},
  };
}

std::vector<Case> cases_of_requests() {
  return {
      {"a body with many unknown fields", 5'000,
       [](std::size_t size) {
         return parse_body(pod_body(
             repeated(size, [](std::size_t i) { return fmt::format(R"("field-{}":1)", i); })));
       }},
      {"a body with many duplicates", 5'000,
       [](std::size_t size) {
         return parse_body(
             pod_body(repeated(size, [](std::size_t) { return R"("hostname":"a")"; })));
       }},
      {"a body with many list items", 5'000,
       [](std::size_t size) {
         return parse_body(pod_body(
             fmt::format(R"("containers":[{{"name":"a","env":[{}]}}])", environment(size, "x"))));
       }},
      {"a strategic patch of a long list", 1'000,
       [](std::size_t size) -> Read {
         return [object = with_variables(size, "old"), patch = with_variables(size, "new")] {
           EXPECT_TRUE(apiserver::strategic_merge_patch(*model::pod_kind()->schema, object, patch));
         };
       }},
      {"a JSON patch of many operations", 2'000,
       [](std::size_t size) -> Read {
         const auto patch = boost::json::parse(
             "[" +
             repeated(size,
                      [](std::size_t i) {
                        return fmt::format(R"({{"op":"add","path":"/a{}","value":1}})", i);
                      }) +
             "]");
         return [patch] { EXPECT_TRUE(apiserver::json_patch(boost::json::object(), patch)); };
       }},
      {"fields of a manager", 5'000,
       [](std::size_t size) -> Read {
         return [fields = fields_of(size)] {
           const auto set = apiserver::parse_fields_v1(fields);
           ASSERT_TRUE(set);
           const apiserver::OwnedFields owned(*set);
           EXPECT_TRUE(owned.has_all(*set) && owned.has_any(*set) && owned.reaches(*set));
           EXPECT_EQ(apiserver::united(*set, *set), *set);
         };
       }},
      {"a label selector of many requirements", 2'000,
       [](std::size_t size) -> Read {
         const std::string text =
             repeated(size, [](std::size_t i) { return fmt::format("key-{} in (a,b)", i); });
         return [text] { EXPECT_TRUE(apiserver::LabelSelector::parse(text)); };
       }},
      {"a label selector of many values", 10'000,
       [](std::size_t size) -> Read {
         const std::string text =
             "key in (" + repeated(size, [](std::size_t i) { return fmt::format("v{}", i); }) + ")";
         return [text] { EXPECT_TRUE(apiserver::LabelSelector::parse(text)); };
       }},
      {"a query of many parameters", 10'000,
       [](std::size_t size) -> Read {
         std::string text;
         for (std::size_t i = 0; i < size; ++i) text += fmt::format("p{}=%41&", i);
         return [text] { EXPECT_TRUE(apiserver::parse_query(text)); };
       }},
      {"a quantity of many digits", 50'000,
       [](std::size_t size) -> Read {
         return [text = std::string(size, '0') + std::string(size, '7') + std::string(size, '0')] {
           const auto quantity = schema::Quantity::parse(text);
           ASSERT_TRUE(quantity);
           EXPECT_FALSE(quantity->canonical().empty());
         };
       }},
      {"a YAML document of many lines", 2'000,
       [](std::size_t size) -> Read {
         std::string text;
         for (std::size_t i = 0; i < size; ++i) text += fmt::format("key-{}: [a, b]\n", i);
         return [text] { EXPECT_TRUE(model::yaml_to_json(text)); };
       }},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> all = cases_of_streams();
  for (const auto& more : {cases_of_answers(), cases_of_lists(), cases_of_requests()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// The best of some attempts: whatever else the machine does makes it slower, never faster.
double best_of(const Read& read, int attempts) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < attempts; ++i) {
    const double start = processor_seconds();
    read();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

TEST(DecoderCost, GrowsInProportionToTheInput) {
  constexpr double kMax = 9;       // between four and sixteen
  constexpr double kClear = 0.02;  // seconds; below that, what pages of memory cost would count
  for (const Case& each : all_cases()) {
    const double shorter = best_of(each.prepare(each.size), 5);
    const double longer = best_of(each.prepare(4 * each.size), 3);
    RecordProperty(each.name, fmt::format("{:.2f}", longer / shorter));
    EXPECT_TRUE(longer < kClear || longer / shorter < kMax)
        << each.name << ": " << shorter * 1e3 << " ms for " << each.size << ", " << longer * 1e3
        << " ms for four times as much";
  }
}

}  // namespace
}  // namespace ebb
