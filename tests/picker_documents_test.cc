// The published documents of the picker's contract (api/picker/v1) agree with the code.
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "base/wire_reader.h"
#include "model/yaml/yaml_to_json.h"
#include "picker/answer.h"
#include "picker/answer_protobuf.h"
#include "picker/pick_request.h"
#include "schema/core/json.h"
#include "schema/core/time.h"
#include "support/objects/wire_encoder.h"

namespace ebb::picker {
namespace {

namespace json = boost::json;
using schema::object_at;

using Names = std::set<std::string>;
// Number and type of each field, by name.
using Fields = std::map<std::string, std::pair<unsigned, std::string>>;

std::string read_document(const std::string& name) {
  const std::ifstream file(std::string(EBB_SOURCE_DIR) + "/api/picker/v1/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

json::object read_openapi() {
  const auto documents = model::yaml_to_json(read_document("openapi.yaml"));
  EXPECT_TRUE(documents.has_value()) << documents.error().message;
  return json::parse(documents->front().json).as_object();
}

// The fields of a message of the .proto.
Fields read_message(const std::string& message) {
  const std::string text = read_document("picker.proto");
  const std::size_t begin = text.find("\nmessage " + message + " {");
  EXPECT_NE(begin, std::string::npos) << message;
  const std::string body = text.substr(begin, text.find("\n}", begin) - begin);
  static const std::regex kLine(R"(\n  (repeated )?([\w.]+) (\w+) = (\d+);)");
  Fields fields;
  for (std::sregex_iterator i(body.begin(), body.end(), kLine); i != std::sregex_iterator(); ++i) {
    fields[(*i)[3]] = {static_cast<unsigned>(std::stoul((*i)[4])), (*i)[2]};
  }
  return fields;
}

// One with every field.
PickRequest full_request() {
  return {.requested = 1,
          .candidates = {"web-a", "web-b"},
          .facts = {{.node = "n",
                     .zone = "z",
                     .age_seconds = 11,
                     .ready_since = *schema::parse_time("2026-11-01T12:00:00Z"),
                     .restarts = 12,
                     .cost = 13},
                    {}}};
}

Names keys_of(const json::object& object) {
  Names names;
  for (const auto& member : object) names.emplace(member.key());
  return names;
}

Names keys_of(const Fields& fields) {
  Names names;
  for (const auto& field : fields) names.insert(field.first);
  return names;
}

Names required_by(const json::object& schema) {
  Names names;
  for (const json::value& name : *schema::array_at(schema, {"required"})) {
    names.emplace(name.as_string());
  }
  return names;
}

class PickerDocuments : public ::testing::Test {
 protected:
  const json::object& schema(std::string_view name) const {
    return *object_at(openapi_, {"components", "schemas", name});
  }
  Names properties(std::string_view name) const {
    return keys_of(*object_at(schema(name), {"properties"}));
  }
  // The examples of the request, or of the response with status 200.
  const json::object& request_examples() const {
    return *object_at(
        openapi_, {"paths", "/", "post", "requestBody", "content", "application/json", "examples"});
  }
  const json::object& response_examples() const {
    return *object_at(openapi_, {"paths", "/", "post", "responses", "200", "content",
                                 "application/json", "examples"});
  }

  json::object openapi_ = read_openapi();
};

TEST_F(PickerDocuments, NameWhatIsSent) {
  const json::object sent = json::parse(to_json(full_request())).as_object();
  EXPECT_EQ(keys_of(sent), properties("PickRequest"));
  const json::array& candidates = sent.at("candidates").as_array();
  EXPECT_EQ(keys_of(candidates[0].as_object()), properties("Candidate"));
  EXPECT_EQ(keys_of(candidates[1].as_object()), required_by(schema("Candidate")));
  const json::value names = json::parse(to_json({.requested = 1, .candidates = {"a"}}));
  EXPECT_EQ(keys_of(names.as_object()), required_by(schema("PickRequest")));
}

TEST_F(PickerDocuments, GiveThePropertiesTheTypesThatAreSent) {
  const json::object sent = json::parse(to_json(full_request())).as_object();
  const auto expect_types = [&](const json::object& object, std::string_view name) {
    for (const auto& member : object) {
      const std::string_view type =
          schema::text_at(schema(name), {"properties", member.key(), "type"});
      const bool fits = type == "integer"  ? member.value().is_int64()
                        : type == "string" ? member.value().is_string()
                                           : type == "array" && member.value().is_array();
      EXPECT_TRUE(fits) << name << "." << member.key() << ": " << type;
    }
  };
  expect_types(sent, "PickRequest");
  expect_types(sent.at("candidates").at(0).as_object(), "Candidate");
}

TEST_F(PickerDocuments, NameWhatIsReadFromAnAnswer) {
  json::object answer;
  for (const std::string& name : properties("PickResponse")) answer[name] = json::array{name};
  const auto read = decode_answer(json::serialize(answer));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->chosen, (std::vector<std::string>{"chosen_pods"}));
  EXPECT_EQ(read->tied, (std::vector<std::string>{"tied_pods"}));
  EXPECT_TRUE(read->other_keys.empty());
}

TEST_F(PickerDocuments, HaveTheWorkedExampleOfTheProposal) {
  const json::value& request = request_examples().at("names").at("value");
  EXPECT_EQ(
      request,
      json::parse(to_json({.requested = 2, .candidates = {"pod-1", "pod-2", "pod-3", "pod-4"}})));
  const auto answer = decode_answer(json::serialize(response_examples().at("tie").at("value")));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, (std::vector<std::string>{"pod-1"}));
  EXPECT_EQ(answer->tied, (std::vector<std::string>{"pod-2", "pod-3", "pod-4"}));
}

TEST_F(PickerDocuments, HaveExamplesThatTheCodeWouldWriteAndRead) {
  const json::object& full = request_examples().at("full").at("value").as_object();
  EXPECT_EQ(keys_of(full), properties("PickRequest"));
  for (const json::value& candidate : full.at("candidates").as_array()) {
    EXPECT_EQ(keys_of(candidate.as_object()), properties("Candidate"));
  }
  for (const auto& example : response_examples()) {
    EXPECT_TRUE(decode_answer(json::serialize(example.value().at("value"))).has_value());
  }
}

TEST_F(PickerDocuments, AreTheSameContractInBothLanguages) {
  for (const char* name : {"PickRequest", "Candidate", "PickResponse"}) {
    EXPECT_EQ(keys_of(read_message(name)), properties(name)) << name;
    for (const auto& [field, number_and_type] : read_message(name)) {
      const std::string_view format =
          schema::text_at(schema(name), {"properties", field, "format"});
      if (number_and_type.second.starts_with("int")) {
        EXPECT_EQ(number_and_type.second, format) << field;
      }
    }
  }
}

// The values of the fields of a message: messages and texts as bytes, numbers as text.
std::map<unsigned, std::string> read_fields(std::string_view bytes, const Fields& expected) {
  std::map<unsigned, std::string> found;
  WireReader reader(bytes);
  while (reader.next()) {
    bool is_number = false;
    for (const auto& [name, number_and_type] : expected) {
      is_number |=
          number_and_type.first == reader.field() && number_and_type.second.starts_with("int");
    }
    found.emplace(reader.field(),
                  is_number ? std::to_string(reader.number()) : std::string(reader.bytes()));
  }
  EXPECT_TRUE(reader.ok());
  return found;
}

TEST_F(PickerDocuments, NumberTheFieldsAsTheyAreWritten) {
  const Fields request = read_message("PickRequest");
  const auto sent = read_fields(to_protobuf(full_request()), request);
  ASSERT_EQ(sent.size(), request.size());
  EXPECT_EQ(sent.at(request.at("number_of_pods_requested").first), "1");
  EXPECT_EQ(sent.at(request.at("candidate_pods").first), "web-a");

  const Fields candidate = read_message("Candidate");
  const auto facts = read_fields(sent.at(request.at("candidates").first), candidate);
  ASSERT_EQ(facts.size(), candidate.size());
  EXPECT_EQ(facts.at(candidate.at("name").first), "web-a");
  EXPECT_EQ(facts.at(candidate.at("node").first), "n");
  EXPECT_EQ(facts.at(candidate.at("zone").first), "z");
  EXPECT_EQ(facts.at(candidate.at("age_seconds").first), "11");
  EXPECT_EQ(facts.at(candidate.at("restarts").first), "12");
  EXPECT_EQ(facts.at(candidate.at("cost").first), "13");
  EXPECT_EQ(candidate.at("ready_since").second, "google.protobuf.Timestamp");
}

TEST_F(PickerDocuments, NumberTheFieldsAsTheyAreRead) {
  const Fields response = read_message("PickResponse");
  std::string message;
  testing::append_field(message, response.at("tied_pods").first, std::string_view("b"));
  testing::append_field(message, response.at("chosen_pods").first, std::string_view("a"));
  const auto answer = decode_answer_protobuf(message);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->chosen, (std::vector<std::string>{"a"}));
  EXPECT_EQ(answer->tied, (std::vector<std::string>{"b"}));
}

}  // namespace
}  // namespace ebb::picker
