// `ebb picker-check` with real pickers.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/app.h"
#include "support/net/h2_server.h"
#include "support/net/raw_server.h"
#include "support/objects/temporary_folder.h"
#include "support/picker/local_picker.h"

namespace ebb {
namespace {

namespace json = boost::json;
using support::LocalPicker;

struct Printed {
  int code = 0;
  std::string out{};
  std::string err{};
};

// With more time than the slowest machine needs, unless the time is what a test is about.
Printed picker_check(std::vector<std::string> words) {
  words.insert(words.begin(), {"ebb", "picker-check", "--timeout", "30s"});
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(static_cast<int>(argv.size()), argv.data(), {in, out, err});
  return {.code = code, .out = out.str(), .err = err.str()};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(PickerCheck, FindsNothingWrongWithAGoodPicker) {
  const LocalPicker picker(LocalPicker::last_ones);
  const Printed run = picker_check({picker.url("/pick")});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "2 of 4 pods, as in KEP-3189")) << run.out;
  EXPECT_TRUE(has(run.out, R"({"number_of_pods_requested":2,"candidate_pods":["pod-1","pod-2",)"));
  EXPECT_TRUE(has(run.out, "pod-4 (PickerRank: ")) << run.out;
  EXPECT_TRUE(has(run.out, "5 requests, 0 problems, 0 warnings")) << run.out;
  ASSERT_EQ(picker.asked().size(), 5U);
  EXPECT_EQ(picker.asked()[1].body, picker.asked()[2].body);
}

TEST(PickerCheck, IsReadableByPrograms) {
  const LocalPicker picker(LocalPicker::first_ones);
  const Printed run =
      picker_check({picker.url(), "--pod", "b", "--pod", "a", "--pod", "c", "-o", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  const json::object document = json::parse(run.out).as_object();
  EXPECT_EQ(document.at("kind"), "PickerCheck");
  const json::object& first = document.at("questions").as_array().at(0).as_object();
  EXPECT_EQ(first.at("outcome"), "answered");
  EXPECT_EQ(first.at("question").as_object().at("candidate_pods"),
            json::value(json::array{"a", "b", "c"}));
  EXPECT_EQ(first.at("wouldGo").as_array().at(0).as_object().at("name"), "a");
}

TEST(PickerCheck, ReportsThatTheSameRequestHasAnotherAnswer) {
  int count = 0;
  const LocalPicker picker([&count](const LocalPicker::Asked& asked) {
    return ++count % 2 == 0 ? LocalPicker::first_ones(asked) : LocalPicker::last_ones(asked);
  });
  const Printed run = picker_check({picker.url(), "--pod", "a", "--pod", "b", "--pod", "c"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "problem:  the same request with the same Idempotency-Key")) << run.out;
  EXPECT_TRUE(has(run.err, "the check found")) << run.err;
}

TEST(PickerCheck, ReportsWrongNamesKeysAndTimes) {
  const LocalPicker picker(
      [](const LocalPicker::Asked&) {
        return LocalPicker::Answer{.body = R"({"chosen_pods":["a","z"],"tied":["b"]})",
                                   .content_type = "text/html"};
      },
      std::chrono::milliseconds(1600));
  const Printed run = picker_check({picker.url(), "--timeout", "3s", "--pod", "a", "--pod", "b"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "they are not candidates or are listed twice")) << run.out;
  EXPECT_TRUE(has(run.out, "unknown keys in the answer: tied (expected chosen_pods, tied_pods)"));
  EXPECT_TRUE(has(run.out, "more than half of the time budget"));
  EXPECT_TRUE(has(run.out, "its Content-Type is \"text/html\" (expected application/json)"));
}

TEST(PickerCheck, SaysWhatAControllerDoesWithoutAnAnswer) {
  const LocalPicker angry([](const LocalPicker::Asked&) {
    return LocalPicker::Answer{.code = 500, .body = "stack trace with a password"};
  });
  const Printed run = picker_check({angry.url()});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "problem:  status code 500")) << run.out;
  EXPECT_TRUE(has(run.out, "in the default order"));
  EXPECT_FALSE(has(run.out + run.err, "password"));

  const LocalPicker slow(LocalPicker::first_ones, std::chrono::milliseconds(3000));
  const Printed late = picker_check({slow.url(), "--timeout", "1s", "--pod", "a", "--pod", "b"});
  EXPECT_EQ(late.code, 1);
  EXPECT_TRUE(has(late.out, "problem:  timeout")) << late.out;
}

TEST(PickerCheck, TellsTheAuthorWhatIsWrongWithAnAnswer) {
  const LocalPicker picker([](const LocalPicker::Asked&) {
    return LocalPicker::Answer{.body = R"({"chosen_pods":"a"})"};
  });
  const Printed run = picker_check({picker.url()});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "malformed: the answer does not follow the contract: ")) << run.out;
  EXPECT_TRUE(has(run.out, R"(   answer:   {"chosen_pods":"a"})"
                           "\n"))
      << run.out;
}

TEST(PickerCheck, ShowsAMalformedAnswerWithoutLettingItSteerTheTerminal) {
  const LocalPicker picker([](const LocalPicker::Asked&) {
    return LocalPicker::Answer{.body = "<html>\n\x1b[2J\xff\xc3\xa4" + std::string(5000, 'x')};
  });
  const Printed run = picker_check({picker.url(), "--pod", "a", "--pod", "b"});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, R"(answer:   <html>\n\x1b[2J\xff\xc3\xa4xxx)")) << run.out;
  EXPECT_TRUE(has(run.out, "xxx... (5014 bytes)\n")) << run.out;
  EXPECT_FALSE(has(run.out, std::string(300, 'x')));
  const Printed json_run = picker_check({picker.url(), "--pod", "a", "--pod", "b", "-o", "json"});
  const json::object document = json::parse(json_run.out).as_object();
  const auto& received = document.at("questions").as_array().at(0).as_object().at("received");
  EXPECT_TRUE(received.as_string().starts_with(R"(<html>\n\x1b[2J)")) << received;
}

TEST(PickerCheck, FailsWhereAMisspeltKeyIsAllThereIs) {
  const struct {
    const char* body;
    int code;
  } rows[] = {
      {R"({"chosenPods":["a"]})", 1},
      {R"({"pods":["a"]})", 1},
      {R"({"chosen_pods":[],"tied":["a"]})", 1},
      {R"({"chosen_pods":["a"],"tiedPods":[]})", 0},
      {R"({"chosen_pods":[],"reason":"none of them is idle"})", 0},
      {"{}", 0},
  };
  for (const auto& row : rows) {
    const LocalPicker picker(
        [&](const LocalPicker::Asked&) { return LocalPicker::Answer{.body = row.body}; });
    const Printed run = picker_check({picker.url(), "--pod", "a", "--pod", "b"});
    EXPECT_EQ(run.code, row.code) << row.body << '\n' << run.out;
    EXPECT_EQ(has(run.out, "problem:  the answer names no pods"), row.code == 1) << run.out;
  }
}

TEST(PickerCheck, SpeaksGrpc) {
  // Chooses `a`: field 1 of PickResponse, behind the five bytes that frame a message.
  const support::RawServer server([](support::RawConnection& connection, int) {
    support::serve_h2(connection, [](const support::H2Request& request) {
      EXPECT_EQ(request.headers.at(":path"), "/ebb.picker.v1.PodPicker/Pick");
      return support::H2Answer{
          .headers = {{":status", "200"}, {"content-type", "application/grpc"}},
          .body = std::string("\0\0\0\0\3\x0a\1a", 8),
          .trailers = {{"grpc-status", "0"}}};
    });
  });
  const Printed run = picker_check({fmt::format("grpc://127.0.0.1:{}", server.port()), "--pod", "a",
                                    "--pod", "b", "--context", "full"});
  EXPECT_EQ(run.code, 0) << run.err << run.out;
  EXPECT_TRUE(has(run.out, "1 chosen, 0 tied, 0 ignored")) << run.out;
}

TEST(PickerCheck, StopsIfNoPickerListens) {
  std::uint16_t unused_port = 0;
  {
    const LocalPicker gone(LocalPicker::first_ones);
    unused_port = gone.port();
  }
  const Printed run = picker_check({fmt::format("http://127.0.0.1:{}/", unused_port)});
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run.out, "1 request, 1 problem")) << run.out;
  EXPECT_TRUE(has(run.out, "problem:  refused")) << run.out;
}

TEST(PickerCheck, NeverDialsWhereNoPickerIs) {
  for (const char* url :
       {"http://169.254.169.254/latest", "http://0.0.0.0/", "http://224.0.0.1/"}) {
    const Printed run = picker_check({url});
    EXPECT_EQ(run.code, 1) << url;
    EXPECT_TRUE(has(run.out, "problem:  refused")) << run.out;
    EXPECT_TRUE(has(run.out, "is never allowed")) << run.out;
    EXPECT_FALSE(has(run.out, "--picker-allow-cidr")) << "no flag allows these";
  }
}

TEST(PickerCheck, SendsHeadersFromFilesAndTheEnvironmentWithoutShowingThem) {
  const LocalPicker picker([](const LocalPicker::Asked& asked) {
    if (asked.authorization != "Bearer abc123") return LocalPicker::Answer{.code = 401};
    return LocalPicker::first_ones(asked);
  });
  const support::TemporaryFolder folder;
  const std::string file = (folder.path() / "headers").string();
  std::ofstream(file) << "X-Team: shop\nAuthorization: Bearer abc123\n";
  ::setenv("EBB_TEST_AUTH", "Bearer abc123", 1);
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"--header-file", file},
                                             {"--header-env", "Authorization: EBB_TEST_AUTH"},
                                             {"--header", "Authorization: Bearer abc123"}}) {
    for (const char* output : {"text", "json"}) {
      std::vector<std::string> all{picker.url(), "-o", output};
      all.insert(all.end(), words.begin(), words.end());
      const Printed run = picker_check(all);
      EXPECT_EQ(run.code, 0) << words[0] << run.out;
      EXPECT_FALSE(has(run.out + run.err, "abc123")) << words[0];
    }
  }
  EXPECT_EQ(picker_check({picker.url()}).code, 1);
}

TEST(PickerCheck, AsksAboutThePodsOfASnapshot) {
  const LocalPicker picker(LocalPicker::first_ones);
  const Printed run =
      picker_check({picker.url(), "-f", EBB_SOURCE_DIR "/examples/snapshots/shop.yaml", "--target",
                    "deploy/checkout", "-n", "shop", "--replicas", "6"});
  EXPECT_EQ(run.code, 0) << run.err << run.out;
  ASSERT_EQ(picker.asked().size(), 2U);
  // Three of the six go anyway, because they do not serve.
  EXPECT_TRUE(has(picker.asked()[0].body, R"("number_of_pods_requested":3)"))
      << picker.asked()[0].body;
  EXPECT_TRUE(has(run.out, "(Unassigned: ")) << run.out;
}

}  // namespace
}  // namespace ebb
