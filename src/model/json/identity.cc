#include "model/json/identity.h"

#include <utility>

#include "base/wire_reader.h"
#include "model/json/raw_json.h"
#include "model/protobuf/wire_fields.h"
#include "model/protobuf/wire_owner.h"
#include "model/records/pod_text.h"
#include "schema/core/kind.h"
#include "schema/core/utf8.h"

namespace ebb::model {
namespace {

// Empty if the text is not a valid name.
std::string_view checked(std::string_view text) {
  return text.size() <= kLongestName && schema::is_utf8(text) ? text : std::string_view();
}

// The first controller counts, as in Kubernetes.
void add_controller(Identity& identity, std::string_view api_version, std::string_view kind,
                    std::string_view name, std::string_view uid) {
  if (identity.owner == Identity::Owner::kKnown) return;
  identity.owner = Identity::Owner::kKnown;
  identity.owner_group = checked(schema::api_group(api_version));
  identity.owner_kind = checked(kind);
  identity.owner_name = checked(name);
  identity.owner_uid = checked(uid);
}

// Returns whether the reference is valid to its end.
bool add_owner(std::string_view reference, Identity& identity) {
  WireReader fields(reference);
  const WireOwner owner = read_owner(fields);
  if (fields.ok() && owner.controller) {
    add_controller(identity, owner.api_version, owner.kind, owner.name, owner.uid);
  }
  return fields.ok();
}

// The content of a string without escapes.
std::string_view unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return {};
  const std::string_view inner = text.substr(1, text.size() - 2);
  return inner.find('\\') == std::string_view::npos ? inner : std::string_view();
}

std::string_view text_of(std::string_view object, std::string_view key) {
  return unquoted(raw_member(object, key));
}

bool is_container(std::string_view text, char open, char close) {
  return text.size() >= 2 && text.front() == open && text.back() == close;
}

void read_owners(std::string_view references, Identity& identity) {
  if (references == "null") {
    identity.owner = Identity::Owner::kNone;
    return;
  }
  if (!is_container(references, '[', ']')) return;
  RawJsonCursor each(references);
  while (const auto reference = each.next()) {
    if (!is_container(reference->text, '{', '}')) return;
    if (raw_member(reference->text, "controller") != "true") continue;
    return add_controller(identity, text_of(reference->text, "apiVersion"),
                          text_of(reference->text, "kind"), text_of(reference->text, "name"),
                          text_of(reference->text, "uid"));
  }
  // The unreadable part may contain a controller.
  if (each.complete()) identity.owner = Identity::Owner::kNone;
}

}  // namespace

Identity identity_in_protobuf(std::string_view message) {
  Identity identity;
  WireReader parts(message);
  std::string_view metadata;
  while (parts.next()) {
    if (parts.field() != wire::kMetadata) continue;
    metadata = parts.bytes();
    break;
  }
  bool clear = parts.ok() && !metadata.empty();
  WireReader fields(metadata);
  while (fields.next()) {
    if (fields.field() == wire::kName) identity.name = checked(fields.bytes());
    if (fields.field() == wire::kNamespace) identity.namespace_name = checked(fields.bytes());
    if (fields.field() == wire::kUid) identity.uid = checked(fields.bytes());
    if (fields.field() == wire::kResourceVersion)
      identity.revision = parse_revision(fields.bytes());
    if (fields.field() == wire::kOwnerReferences) {
      clear = add_owner(fields.bytes(), identity) && clear;
    }
  }
  clear = clear && fields.ok();
  if (!clear) identity.owner = Identity::Owner::kUnclear;
  if (clear && identity.owner != Identity::Owner::kKnown) identity.owner = Identity::Owner::kNone;
  return identity;
}

Identity identity_in_json(std::string_view json) {
  Identity identity;
  const std::string_view metadata = raw_member(json, "metadata");
  if (!is_container(metadata, '{', '}')) return identity;
  bool has_owners = false;
  RawJsonCursor members(metadata);
  while (const auto member = members.next()) {
    const std::string_view text = unquoted(member->text);
    if (member->key == "name") identity.name = checked(text);
    if (member->key == "namespace") identity.namespace_name = checked(text);
    if (member->key == "uid") identity.uid = checked(text);
    if (member->key == "resourceVersion") identity.revision = parse_revision(text);
    if (member->key == "ownerReferences") {
      has_owners = true;
      read_owners(member->text, identity);
    }
  }
  // The owner references may be in the damaged part.
  if (!has_owners && members.complete()) identity.owner = Identity::Owner::kNone;
  return identity;
}

UndecodedObject undecoded_object(std::string_view kind, const Identity& identity,
                                 std::string problem, Pool& pool) {
  UndecodedObject object{.kind = std::string(kind),
                         .namespace_name = pool.intern(identity.namespace_name),
                         .name = pool.intern(identity.name),
                         .uid = pool.intern(identity.uid),
                         .controller = nullptr,
                         .owner_known = identity.owner != Identity::Owner::kUnclear,
                         .problem = std::move(problem)};
  if (identity.owner == Identity::Owner::kKnown) object.controller = known_owner(identity, pool);
  return object;
}

const ControllerRef* known_owner(const Identity& identity, Pool& pool) {
  return pool.intern(ControllerRef{.group = pool.intern(identity.owner_group),
                                   .kind = pool.intern(identity.owner_kind),
                                   .name = pool.intern(identity.owner_name),
                                   .uid = pool.intern(identity.owner_uid)});
}

}  // namespace ebb::model
