#include "apiserver/handlers/managed_fields_update.h"

#include <utility>

#include "schema/core/json.h"
#include "schema/core/time.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

bool same_beside_entries(const json::object& a, const json::object& b) {
  const auto metadata_is_same = [](const json::object& left, const json::object& right) {
    for (const json::key_value_pair& member : left) {
      if (member.key() == "managedFields") continue;
      const json::value* other = right.if_contains(member.key());
      if (other == nullptr || *other != member.value()) return false;
    }
    return left.size() - left.count("managedFields") == right.size() - right.count("managedFields");
  };
  if (a.size() != b.size()) return false;
  for (const json::key_value_pair& member : a) {
    const json::value* other = b.if_contains(member.key());
    if (other == nullptr) return false;
    const bool is_same =
        member.key() == "metadata" && member.value().is_object() && other->is_object()
            ? metadata_is_same(member.value().get_object(), other->get_object())
            : *other == member.value();
    if (!is_same) return false;
  }
  return true;
}

}  // namespace

FieldWrite field_write(const Call& call, const WriteOptions& options) {
  const std::int64_t now_seconds = call.now.since_epoch_ns() / kNanosecondsPerSecond;
  return {.kind = call.kind(),
          .manager = {.name = options.manager,
                      .applies = options.applies,
                      .api_version = call.kind().api_version(),
                      .subresource = call.route.subresource},
          .now = schema::format_time(Timestamp::from_seconds(now_seconds)),
          .ignored = ignored_fields(call.kind(), call.route.subresource)};
}

void update_managed_fields(json::object& object, const ManagedFields& managed,
                           const json::object* old) {
  json::object& metadata = schema::ensure_object(object, {"metadata"});
  metadata.stable_erase("managedFields");
  if (managed.empty()) return;
  std::string entries = managed.encode();
  const std::string_view stored =
      old == nullptr ? std::string_view() : schema::text_at(*old, {"metadata", "managedFields"});
  if (!stored.empty() && stored != entries && same_beside_entries(object, *old) &&
      same_but_for_times(managed, ManagedFields::decode(stored))) {
    entries = stored;
  }
  metadata["managedFields"] = entries;
}

}  // namespace ebb::apiserver
