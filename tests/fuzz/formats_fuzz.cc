// Fuzzes pods and nodes in protobuf and in JSON: the same object gives the same record in both
// formats. The last byte selects the kind.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/serialize.hpp>
#include <simdjson.h>

#include "base/check.h"
#include "input.h"
#include "model/api/requests.h"
#include "model/json/decode_node.h"
#include "model/json/decode_pod.h"
#include "model/protobuf/decode_node_protobuf.h"
#include "model/protobuf/decode_pod_protobuf.h"
#include "model/records/snapshot.h"
#include "schema/core/envelope.h"
#include "schema/protobuf/protobuf.h"
#include "support/objects/reading.h"

namespace {

namespace json = boost::json;
using ebb::model::Snapshot;

// The record as text, or nothing if the object is invalid. Each format has its own pool, so that it
// cannot use values that the other has interned.
std::string from_protobuf(bool is_node, std::string_view message) {
  Snapshot snapshot;
  if (is_node) {
    auto node = ebb::model::decode_node_protobuf(message, snapshot.pool);
    if (!node) {
      EBB_CHECK(ebb::fuzz::is_text(node.error().message));
      return "";
    }
    EBB_CHECK(!node->name.empty() && node->labels != nullptr);
    snapshot.nodes.push_back(*std::move(node));
  } else {
    auto pod = ebb::model::decode_pod_protobuf(message, snapshot.pool);
    if (!pod) return "";
    snapshot.pods.push_back(*std::move(pod));
  }
  return ebb::testing::describe(snapshot);
}

std::string from_json(bool is_node, const std::string& text) {
  Snapshot snapshot;
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  if (parser.parse(text).get(element) != simdjson::SUCCESS) return "";
  ebb::model::DecodeContext context(snapshot.pool);
  const ebb::model::JsonValue value(context, element);
  if (is_node) {
    snapshot.nodes.push_back(ebb::model::decode_node(value));
  } else {
    snapshot.pods.push_back(ebb::model::decode_pod(value));
  }
  return context.problem() ? "" : ebb::testing::describe(snapshot);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_node = data[size - 1] % 2 == 1;
  std::string_view message = ebb::fuzz::as_text(data, size - 1);
  if (const auto envelope = ebb::schema::open_envelope(message)) message = envelope->message;
  (void)from_protobuf(is_node, message);
  const ebb::schema::Kind& kind = *(is_node ? ebb::model::node_kind() : ebb::model::pod_kind());
  const auto object = ebb::schema::decode_message(*kind.schema, message);
  if (!object) return 0;
  // As an API server writes it, without what the table does not know.
  const auto encoded = ebb::schema::encode_message(*kind.schema, *object);
  EBB_CHECK(encoded.lost.empty());
  const std::string of_protobuf = from_protobuf(is_node, encoded.bytes);
  const std::string of_json = from_json(is_node, json::serialize(*object));
  EBB_CHECK(of_protobuf == of_json);
  return 0;
}
