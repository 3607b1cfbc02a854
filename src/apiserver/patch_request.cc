// PATCH on an object or its status.
#include "apiserver/patch_request.h"

#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/negotiate.h"
#include "apiserver/patch.h"
#include "apiserver/update.h"
#include "apiserver/write.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";

constexpr std::size_t kDeepestEntries = 1000;

StatusOr<json::value> apply(std::string_view type, const schema::Shape* shape,
                            json::object document, const json::value& patch) {
  if (type == kJsonPatch) return json_patch(std::move(document), patch);
  if (!patch.is_object()) {
    return tl::unexpected(model::bad_request("the patch must be a JSON object"));
  }
  if (type == kMergePatch) return merge_patch(std::move(document), patch);
  return strategic_merge_patch(*shape, std::move(document), patch.get_object());
}

StatusOr<void> check_patch_type(const Call& call, const schema::Shape* shape) {
  const std::string_view type = media_type(call.request.content_type);
  if (type == kJsonPatch || type == kMergePatch || (type == kStrategicPatch && shape != nullptr)) {
    return {};
  }
  return tl::unexpected(model::unsupported_media_type(
      type, shape == nullptr ? "application/json-patch+json, application/merge-patch+json, "
                               "application/apply-patch+yaml"
                             : "application/json-patch+json, application/merge-patch+json, "
                               "application/strategic-merge-patch+json, "
                               "application/apply-patch+yaml"));
}

// What is patched: a copy of a draft. Hardly any patch is about metadata.managedFields; for one
// that is they are made a list.
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

StatusOr<ParsedJson> apply_patch_body(const Call& call, const schema::Shape* shape,
                                      const json::object& document) {
  if (const StatusOr<void> known = check_patch_type(call, shape); !known) {
    return tl::unexpected(known.error());
  }
  const std::string_view type = media_type(call.request.content_type);
  StatusOr<ParsedJson> patch = parse_json(call.request.body);
  if (!patch) return patch;
  // On the heap: operation after operation may replace what the one before has made, and a
  // block of memory would keep it all.
  json::object edited = without_or_with_entries(call, document);
  StatusOr<json::value> patched = apply(type, shape, std::move(edited), patch->value);
  if (!patched) return tl::unexpected(patched.error());
  return ParsedJson{.value = *std::move(patched), .duplicates = std::move(patch->duplicates)};
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
  // An object that is not there yet is created by it.
  if (media_type(call.request.content_type) == kApplyPatch) return apply(call);
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  const schema::Shape* shape = call.kind().custom ? nullptr : call.kind().shape;
  if (const StatusOr<void> known = check_patch_type(call, shape); !known) {
    return tl::unexpected(known.error());
  }
  const StatusOr<Target> old = target_of(call);
  if (!old) return tl::unexpected(old.error());

  StatusOr<ParsedJson> patched = apply_patch_body(call, shape, old->content);
  if (!patched) return tl::unexpected(patched.error());
  StatusOr<Decoded> decoded = conform_patched(call, call.kind(), *std::move(patched), *options);
  if (!decoded) return tl::unexpected(decoded.error());
  if (const StatusOr<void> fits = fit_to_path(call, decoded->object); !fits) {
    return tl::unexpected(fits.error());
  }
  // A patch that names a revision wants to change just that one. The uid is left to
  // validation, which refuses to change it.
  const StatusOr<void> checked = check_preconditions(
      call, *old, "", schema::text_at(decoded->object, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());

  StatusOr<json::object> object = next_state(call, *old, std::move(decoded->object), *options);
  if (!object) return tl::unexpected(object.error());
  return save(call, {.old = *old,
                     .object = *std::move(object),
                     .options = *options,
                     .warnings = std::move(decoded->warnings),
                     .of_status = call.route.subresource == "status"});
}

}  // namespace ebb::apiserver
