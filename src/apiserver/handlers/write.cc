#include "apiserver/handlers/write.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/handlers/admission.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/objects/lifecycle.h"
#include "apiserver/objects/scale.h"
#include "apiserver/request/body.h"
#include "apiserver/validation/validate.h"
#include "schema/core/json.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

StatusOr<Decoded> read_body(const Call& call, const schema::Kind& kind,
                            FieldValidation validation) {
  EBB_ASSIGN_OR_RETURN(ParsedJson parsed, parse_body(call.request, kind));
  return conform(kind, std::move(parsed), validation);
}

StatusOr<json::object> read_subresource(const Call& call, const schema::Kind& kind) {
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  EBB_ASSIGN_OR_RETURN(Decoded decoded, read_body(call, kind, options.validation));
  if (!call.route.name.empty()) {
    EBB_RETURN_IF_ERROR(fit_to_path(call, decoded.object));
  }
  return std::move(decoded.object);
}

StatusOr<Target> target_of(const Call& call) {
  ObjectPtr object = call.store().newest(call.kind(), call.route.namespace_name, call.route.name);
  if (!object) return tl::unexpected(model::not_found(call.subject()));
  json::object content = object->draft();
  return Target{.object = std::move(object), .content = std::move(content)};
}

StatusOr<void> fit_to_namespace(const Call& call, json::object& object) {
  json::object& metadata = schema::ensure_object(object, {"metadata"});
  if (!call.kind().namespaced) {
    metadata.stable_erase("namespace");
    return {};
  }
  const std::string_view namespace_name = schema::text_at(metadata, {"namespace"});
  if (namespace_name.empty()) {
    metadata["namespace"] = call.route.namespace_name;
  } else if (namespace_name != call.route.namespace_name) {
    return tl::unexpected(model::bad_request(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  return {};
}

StatusOr<void> fit_to_path(const Call& call, json::object& object) {
  EBB_RETURN_IF_ERROR(fit_to_namespace(call, object));
  if (call.route.name.empty()) return {};
  json::object& metadata = *schema::object_at(object, {"metadata"});
  const std::string_view name = schema::text_at(metadata, {"name"});
  if (name.empty()) {
    metadata["name"] = call.route.name;
  } else if (name != call.route.name) {
    return tl::unexpected(model::bad_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})", name,
                    call.route.name)));
  }
  return {};
}

Reply answer_with(const Call& call, int code, const ObjectPtr& object,
                  std::vector<std::string> warnings) {
  Reply reply;
  reply.response.code = code;
  reply.response.body = encode_response(call.form, object, call.now);
  reply.response.warnings = std::move(warnings);
  reply.after = object->revision();
  return reply;
}

Reply answer_success(const Call& call, int code, Revision after, std::string_view uid) {
  json::object status{{"kind", "Status"},
                      {"apiVersion", "v1"},
                      {"metadata", json::object()},
                      {"status", "Success"}};
  json::object details{{"name", call.route.name}};
  if (!call.kind().group.empty()) details["group"] = call.kind().group;
  details["kind"] = call.kind().plural;
  if (!uid.empty()) details["uid"] = uid;
  status["details"] = std::move(details);
  if (code != 200) status["code"] = code;
  Reply reply;
  reply.response.code = code;
  reply.response.body = encode_document(call.form.encoding, schema::kStatus, status);
  reply.after = after;
  return reply;
}

namespace {

StatusOr<void> review_changed(const Call& call, const NewState& state) {
  const json::object& old = state.old.content;
  if (!state.of_scale) {
    return review(call, admission_of_update(call, state.options, old), state.object);
  }
  const json::object old_scale = scale_of(call.kind(), old);
  Admission admission = admission_of_update(call, state.options, old_scale);
  admission.shown = &schema::scale_kind();
  return review(call, admission, scale_of(call.kind(), state.object));
}

}  // namespace

StatusOr<ObjectPtr> store_state(const Call& call, NewState state) {
  const Object& stored = *state.old.object;
  const schema::Kind& kind = stored.kind();
  const json::object& old = state.old.content;
  const std::vector<model::StatusCause> causes =
      state.of_status ? validate_status(kind, state.object, old, call.state.gates)
                      : validate(kind, state.object, &old, call.state.gates);
  if (!causes.empty()) return tl::unexpected(model::invalid(call.subject(stored.name()), causes));
  if (is_admitted(call)) {
    EBB_RETURN_IF_ERROR(review_changed(call, state));
  }
  if (state.object == old) return state.old.object;
  if (state.options.dry_run) {
    return std::make_shared<const Object>(kind, std::move(state.object), stored.revision());
  }
  if (!is_at_its_end(state.object))
    return call.store().put(kind, std::move(state.object), call.now);
  // The last finalizer was removed: the written state is the last one that watchers see.
  return call.store().remove(kind, std::move(state.object), call.now);
}

Answer save(const Call& call, NewState state) {
  std::vector<std::string> warnings = std::move(state.warnings);
  EBB_ASSIGN_OR_RETURN(ObjectPtr stored, store_state(call, std::move(state)));
  return answer_with(call, 200, stored, std::move(warnings));
}

}  // namespace ebb::apiserver
