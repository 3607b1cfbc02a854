// PATCH on an object or its status.
#include "apiserver/handlers/patch_request.h"

#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/handlers/update.h"
#include "apiserver/handlers/write.h"
#include "apiserver/patch/patch.h"
#include "apiserver/response/negotiate.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";

constexpr std::size_t kDeepestEntries = 1000;

StatusOr<json::value> apply(std::string_view type, const schema::ObjectSchema* schema,
                            json::object document, const json::value& patch) {
  if (type == kJsonPatch) return json_patch(std::move(document), patch);
  if (!patch.is_object()) {
    return tl::unexpected(model::bad_request("the patch must be a JSON object"));
  }
  if (type == kMergePatch) return merge_patch(std::move(document), patch);
  return strategic_merge_patch(*schema, std::move(document), patch.get_object());
}

StatusOr<void> check_patch_type(const Call& call, const schema::ObjectSchema* schema) {
  const std::string_view type = media_type(call.request.content_type);
  if (type == kJsonPatch || type == kMergePatch || (type == kStrategicPatch && schema != nullptr)) {
    return {};
  }
  return tl::unexpected(model::unsupported_media_type(
      type, schema == nullptr ? "application/json-patch+json, application/merge-patch+json, "
                                "application/apply-patch+yaml"
                              : "application/json-patch+json, application/merge-patch+json, "
                                "application/strategic-merge-patch+json, "
                                "application/apply-patch+yaml"));
}

// Returns the document to patch: a copy of a draft. metadata.managedFields becomes a list only if
// the patch touches it, which is rare.
json::object without_or_with_entries(const Call& call, const json::object& draft) {
  json::object copy(draft, json::storage_ptr());
  json::object* metadata = schema::object_at(copy, {"metadata"});
  if (metadata == nullptr || !metadata->contains("managedFields")) return copy;
  if (call.request.body.find("managedFields") == std::string::npos) {
    metadata->stable_erase("managedFields");
    return copy;
  }
  json::value& entries = metadata->at("managedFields");
  json::parse_options options;
  options.max_depth = kDeepestEntries;
  json::error_code error;
  json::value list = json::parse(schema::text_at(*metadata, {"managedFields"}), error, {}, options);
  if (!error) entries = std::move(list);
  return copy;
}

}  // namespace

StatusOr<ParsedJson> apply_patch_body(const Call& call, const schema::ObjectSchema* schema,
                                      const json::object& document) {
  EBB_RETURN_IF_ERROR(check_patch_type(call, schema));
  const std::string_view type = media_type(call.request.content_type);
  EBB_ASSIGN_OR_RETURN(ParsedJson patch, parse_json(call.request.body));
  // Allocated on the heap: each operation may replace the result of the one before, and a single
  // block of memory would keep all of them.
  json::object edited = without_or_with_entries(call, document);
  EBB_ASSIGN_OR_RETURN(json::value patched, apply(type, schema, std::move(edited), patch.value));
  return ParsedJson{.value = std::move(patched), .duplicates = std::move(patch.duplicates)};
}

StatusOr<Decoded> conform_patched(const Call& call, const schema::Kind& kind, ParsedJson patched,
                                  const WriteOptions& options) {
  StatusOr<Decoded> decoded = conform(kind, std::move(patched), options.validation);
  if (decoded || decoded.error().code != 400) return decoded;
  return tl::unexpected(model::invalid(
      {}, {model::invalid_value("patch", json::serialize(json::value(call.request.body)),
                                decoded.error().message)}));
}

Answer patch(const Call& call) {
  // Apply creates the object if it does not exist.
  if (media_type(call.request.content_type) == kApplyPatch) return apply(call);
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  const schema::ObjectSchema* schema = call.kind().custom ? nullptr : call.kind().schema;
  EBB_RETURN_IF_ERROR(check_patch_type(call, schema));
  EBB_ASSIGN_OR_RETURN(const Target old, target_of(call));

  EBB_ASSIGN_OR_RETURN(ParsedJson patched, apply_patch_body(call, schema, old.content));
  EBB_ASSIGN_OR_RETURN(Decoded decoded,
                       conform_patched(call, call.kind(), std::move(patched), options));
  EBB_RETURN_IF_ERROR(fit_to_path(call, decoded.object));
  // A patch that contains a resourceVersion applies to that revision only. Validation refuses a
  // changed uid.
  EBB_RETURN_IF_ERROR(check_preconditions(
      call, old, "", schema::text_at(decoded.object, {"metadata", "resourceVersion"})));
  return replace_object(call, old, std::move(decoded), options);
}

}  // namespace ebb::apiserver
