// Fuzzes the identity of objects, in JSON and in protobuf. If the whole object can be decoded,
// its identity equals that of the record, and all its text points into the input.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/check.h"
#include "input.h"
#include "model/json/identity.h"
#include "model/protobuf/decode_pod_protobuf.h"
#include "model/records/pod_text.h"
#include "model/records/pool.h"
#include "schema/core/envelope.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::model::Identity;
using ebb::schema::text_at;

void check_identity(const Identity& identity, std::string_view from) {
  for (const std::string_view text :
       {identity.name, identity.namespace_name, identity.uid, identity.owner_kind,
        identity.owner_name, identity.owner_uid}) {
    EBB_CHECK(ebb::fuzz::is_text(text));
    EBB_CHECK(text.empty() || (text.data() >= from.data() &&
                               text.data() + text.size() <= from.data() + from.size()));
  }
}

void check_json(std::string_view text) {
  const Identity identity = ebb::model::identity_in_json(text);
  check_identity(identity, text);
  const auto value = ebb::fuzz::parse_plainly(text);
  // Texts with escapes count as unreadable.
  if (!value || !value->is_object() || ebb::fuzz::has_odd_names(text) ||
      text.find('\\') != std::string_view::npos) {
    return;
  }
  const json::object& object = value->get_object();
  const auto at = [&](std::string_view field) {
    const std::string_view found = text_at(object, {"metadata", field});
    return found.size() <= ebb::model::kLongestName ? found : std::string_view();
  };
  EBB_CHECK(identity.name == at("name") && identity.namespace_name == at("namespace"));
  EBB_CHECK(identity.uid == at("uid"));
  EBB_CHECK(identity.revision ==
            ebb::model::parse_revision(text_at(object, {"metadata", "resourceVersion"})));
}

void check_protobuf(std::string_view message) {
  const Identity identity = ebb::model::identity_in_protobuf(message);
  check_identity(identity, message);
  ebb::model::Pool pool;
  const auto pod = ebb::model::decode_pod_protobuf(message, pool);
  if (!pod) return;
  EBB_CHECK(identity.name == pod->name.view() && identity.uid == pod->uid.view());
  EBB_CHECK(identity.namespace_name.empty() ||
            identity.namespace_name == pod->namespace_name.view());
  EBB_CHECK(identity.revision == pod->revision);
  EBB_CHECK((identity.owner == Identity::Owner::kKnown) == (pod->controller != nullptr));
  EBB_CHECK(pod->controller == nullptr || identity.owner_uid == pod->controller->uid.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = ebb::fuzz::as_text(data, size);
  check_json(bytes);
  const auto envelope = ebb::schema::open_envelope(bytes);
  check_protobuf(envelope ? envelope->message : bytes);
  return 0;
}
