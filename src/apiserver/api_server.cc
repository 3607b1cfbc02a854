#include "apiserver/api_server.h"

#include <array>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "apiserver/discovery/discovery.h"
#include "apiserver/discovery/openapi_v2.h"
#include "apiserver/handlers/access_reviews.h"
#include "apiserver/objects/lifecycle.h"
#include "apiserver/objects/name_generator.h"
#include "apiserver/request/call.h"
#include "apiserver/request/time_limit.h"
#include "apiserver/response/watch.h"
#include "schema/core/envelope.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::Method;
using model::StatusOr;

namespace {

void set_content_type(Reply& reply, Encoding encoding) {
  if (encoding == Encoding::kJson) return;
  reply.response.content_type = schema::kProtobufMediaType;
  if (reply.watch != nullptr) reply.response.content_type += ";stream=watch";
}

Reply refuse(const model::Status& status, Encoding encoding) {
  Reply reply;
  reply.response.code = status.code;
  reply.response.body = encode_document(encoding, schema::kStatus, status.to_json());
  set_content_type(reply, encoding);
  reply.response.retry_after_seconds = status.retry_after_seconds;
  return reply;
}

Reply text(std::string_view body, std::string_view content_type) {
  Reply reply;
  reply.response.content_type = content_type;
  reply.response.body.append_static(body);
  return reply;
}

// Far above any number of writes, and far below overflow.
constexpr Revision kMaxRevision = Revision{1} << 62U;

using Verb = Answer (*)(const Call&);

// The table of endpoints: one line per place and method.
struct Endpoint {
  enum class Place { kCollection, kObject, kStatus, kScale, kEviction, kBinding, kFinalize };

  Place place;
  Method method;
  Verb verb;
};

using Place = Endpoint::Place;

constexpr std::array kEndpoints{
    Endpoint{Place::kCollection, Method::kGet, list},
    Endpoint{Place::kCollection, Method::kPost, create},
    Endpoint{Place::kCollection, Method::kDelete, delete_collection},
    Endpoint{Place::kObject, Method::kGet, get},
    Endpoint{Place::kObject, Method::kPut, update},
    Endpoint{Place::kObject, Method::kPatch, patch},
    Endpoint{Place::kObject, Method::kDelete, delete_one},
    Endpoint{Place::kStatus, Method::kGet, get},
    Endpoint{Place::kStatus, Method::kPut, update},
    Endpoint{Place::kStatus, Method::kPatch, patch},
    Endpoint{Place::kScale, Method::kGet, get_scale},
    Endpoint{Place::kScale, Method::kPut, update_scale},
    Endpoint{Place::kScale, Method::kPatch, patch_scale},
    Endpoint{Place::kEviction, Method::kPost, evict},
    Endpoint{Place::kBinding, Method::kPost, bind},
    Endpoint{Place::kFinalize, Method::kPut, finalize_namespace},
};

// Nothing if the kind does not have the subresource.
std::optional<Place> place_of(const Route& route) {
  const schema::Kind& kind = *route.kind;
  const bool core = kind.group.empty();
  if (route.subresource.empty()) return route.name.empty() ? Place::kCollection : Place::kObject;
  if (route.subresource == "status" && kind.has_status) return Place::kStatus;
  if (route.subresource == "scale" && kind.has_scale) return Place::kScale;
  if (route.subresource == "eviction" && core && kind.name == "Pod") return Place::kEviction;
  if (route.subresource == "binding" && core && kind.name == "Pod") return Place::kBinding;
  if (route.subresource == "finalize" && core && kind.name == "Namespace") return Place::kFinalize;
  return std::nullopt;
}

std::string_view verb_name(Method method) {
  switch (method) {
    case Method::kGet:
      return "get";
    case Method::kPost:
      return "create";
    case Method::kPut:
      return "update";
    case Method::kPatch:
      return "patch";
    case Method::kDelete:
      return "delete";
  }
  return "";
}

StatusOr<Form> form_of(const ApiRequest& request, const schema::Kind& kind, const Query& query) {
  const std::optional<Negotiated> negotiated = negotiate(request.accept, kind);
  if (!negotiated) {
    return tl::unexpected(model::not_acceptable(
        kind.custom ? "application/json"
                    : fmt::format("application/json, {}", schema::kProtobufMediaType)));
  }
  Form form{.representation = negotiated->representation,
            .encoding = negotiated->encoding,
            .include = IncludeObject::kMetadata};
  const auto include = query.find("includeObject");
  if (include != query.end() && include->second == "None") form.include = IncludeObject::kNone;
  if (include != query.end() && include->second == "Object") form.include = IncludeObject::kObject;
  return form;
}

Answer answer_resource(ServerState& state, const ApiRequest& request, const Route& route,
                       Timestamp now, WebhookSession* session) {
  const std::optional<Place> place = place_of(route);
  if (!place) return tl::unexpected(model::no_such_resource());
  EBB_ASSIGN_OR_RETURN(const Query query, parse_query(request.query));
  EBB_ASSIGN_OR_RETURN(const Form form, form_of(request, *route.kind, query));
  if (request.method != Method::kGet) {
    EBB_ASSIGN_OR_RETURN(const Nanoseconds limit_ns, parse_time_limit(query));
    if (session != nullptr) session->limit_ns = limit_ns;
  }
  const Call call{state, request, route, query, form, now, session};
  for (const Endpoint& endpoint : kEndpoints) {
    if (endpoint.place != *place || endpoint.method != request.method) continue;
    // Objects of namespaced kinds are created, and deleted as a collection, within a namespace.
    if (request.method != Method::kGet && route.kind->namespaced && route.namespace_name.empty()) {
      break;
    }
    if (endpoint.verb == delete_collection && route.kind->deleted_one_by_one) break;
    Answer answer = endpoint.verb(call);
    if (answer) set_content_type(*answer, form.encoding);
    return answer;
  }
  return tl::unexpected(model::method_not_allowed(call.subject(), verb_name(request.method)));
}

// Encodes errors in the encoding that the client accepts.
Reply reply_of(Answer answer, const ApiRequest& request, const Route& route) {
  if (answer) return *std::move(answer);
  return refuse(answer.error(),
                negotiate(request.accept, *route.kind).value_or(Negotiated{}).encoding);
}

bool may_concern_webhooks(ServerState& state, const ApiRequest& request, const Route& route) {
  if (request.method == Method::kGet || is_exempt(*route.kind)) return false;
  state.webhooks.refresh(state.store);
  return !state.webhooks.empty();
}

// One run of a request that webhooks may apply to.
Reply consult(ServerState& state, const ApiRequest& request, const Route& route, Timestamp now,
              std::shared_ptr<WebhookSession> session) {
  if (!session) {
    session = std::make_shared<WebhookSession>();
    session->seed = state.random();
    session->started = now;
  } else if (session->is_over()) {
    return reply_of(tl::unexpected(model::timeout(
                        "Timeout: request did not complete within the allotted timeout")),
                    request, route);
  }
  session->begin_run();
  Answer answer = answer_resource(state, request, route, session->started, session.get());
  if (!session->questions.empty()) {
    if (session->end_open_run()) {
      Reply reply;
      reply.session = std::move(session);
      return reply;
    }
    const schema::Kind& kind = *route.kind;
    answer = tl::unexpected(model::conflict(
        {.group = kind.group, .resource = kind.plural, .kind = kind.name, .name = route.name},
        "the object has been modified; please apply your changes to the latest version and try "
        "again"));
  }
  Reply reply = reply_of(std::move(answer), request, route);
  session->copy_warnings(reply.response.warnings);
  return reply;
}

}  // namespace

ApiServer::ApiServer(const Settings& settings) : state_(std::make_unique<ServerState>(settings)) {}
ApiServer::~ApiServer() = default;
ApiServer::ApiServer(ApiServer&&) noexcept = default;
ApiServer& ApiServer::operator=(ApiServer&&) noexcept = default;

void ApiServer::restore_history_start(Revision history_start) {
  state_->store.restore_history_start(history_start);
}

Result<void> ApiServer::restore(const Change& change) {
  if (change.revision <= state_->store.published() || change.revision > kMaxRevision) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("change {} follows change {}: revisions must grow", change.revision,
                            state_->store.published()));
  }
  json::parse_options options;
  options.max_depth = 1000;
  json::error_code error;
  json::value value = json::parse(
      json::string_view(change.json.text.data(), change.json.text.size()), error, {}, options);
  if (error || !value.is_object()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("change {} ({} {}/{}) is not a JSON object", change.revision,
                            change.kind->plural, change.namespace_name, change.name));
  }
  state_->store.restore(std::make_shared<const Object>(*change.kind, std::move(value.get_object()),
                                                       change.revision, &state_->store.texts()),
                        change.deleted, change.time);
  return {};
}

void ApiServer::bootstrap(Timestamp now) {
  const schema::Kind& namespaces = *schema::find_kind("", "v1", "namespaces");
  for (const std::string_view name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
    if (state_->store.newest(namespaces, "", name)) continue;
    json::object object{
        {"kind", "Namespace"}, {"apiVersion", "v1"}, {"metadata", json::object{{"name", name}}}};
    prepare_create(namespaces, object, generate_uid(state_->random), now);
    state_->store.put(namespaces, std::move(object), now);
  }
}

Reply ApiServer::handle(const ApiRequest& request, Timestamp now,
                        std::shared_ptr<WebhookSession> session) {
  if (const StatusOr<void> known = check_impersonation(request.as); !known) {
    return refuse(known.error(), Encoding::kJson);
  }
  if (const std::optional<Route> found = route(request.path)) {
    if (may_concern_webhooks(*state_, request, *found)) {
      return consult(*state_, request, *found, now, std::move(session));
    }
    return reply_of(answer_resource(*state_, request, *found, now, nullptr), request, *found);
  }
  if (const std::optional<Review> review = answer_review(request)) {
    const Encoding encoding =
        negotiate(request.accept, review->kind).value_or(Negotiated{}).encoding;
    if (!review->answer) return refuse(review->answer.error(), encoding);
    Reply reply;
    reply.response.code = 201;
    reply.response.body = encode_document(encoding, *review->kind.schema, *review->answer);
    set_content_type(reply, encoding);
    return reply;
  }
  if (request.method == Method::kGet) {
    const std::string_view path = request.path;
    if (path == "/healthz" || path == "/livez" || path == "/readyz") {
      return text("ok", "text/plain; charset=utf-8");
    }
    if (const auto document = discovery_document(path, request.accept)) {
      Reply reply = text(document->json, document->content_type);
      reply.response.etag = document->etag;
      if (!document->etag.empty() && document->etag == request.if_none_match) {
        reply.response.code = 304;
        reply.response.body = {};
      }
      return reply;
    }
    if (path == "/openapi/v2") {
      const OpenApiV2 document = openapi_v2(request.accept);
      return text(document.body, document.content_type);
    }
  }
  return refuse(model::no_such_resource(), Encoding::kJson);
}

std::vector<Change> ApiServer::take_staged() { return state_->store.take_staged(); }

void ApiServer::publish(Revision last, Timestamp now) { state_->store.publish(last, now); }

Revision ApiServer::discard() {
  state_->store.discard();
  return state_->store.published();
}

Revision ApiServer::published() const { return state_->store.published(); }

CompactedHistory ApiServer::take_compacted() { return state_->store.take_compacted(); }

Frames ApiServer::follow(WatchCursor& cursor, Timestamp now, std::size_t max_bytes) {
  return cursor.next(state_->store, now, max_bytes);
}

}  // namespace ebb::apiserver
