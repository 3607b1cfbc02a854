// DELETE on an object or a collection.
#include "apiserver/handlers/delete_object.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apiserver/handlers/admission.h"
#include "apiserver/handlers/write.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/objects/lifecycle.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

using model::StatusOr;

namespace {

// Clients expect these namespaces in every cluster.
constexpr std::array<std::string_view, 3> kImmortalNamespaces{"default", "kube-system",
                                                              "kube-public"};

bool is_immortal(const Object& object) {
  return is_namespace(object.kind()) &&
         std::find(kImmortalNamespaces.begin(), kImmortalNamespaces.end(), object.name()) !=
             kImmortalNamespaces.end();
}

// Returns the precondition that the object does not meet.
std::optional<std::string> find_mismatch(const Target& target, const DeleteOptions& options) {
  const std::string_view uid = schema::text_at(target.content, {"metadata", "uid"});
  if (!options.uid.empty() && options.uid != uid) {
    return fmt::format(
        "the UID in the precondition ({}) does not match the UID in record ({}). The object might "
        "have been deleted and then recreated",
        options.uid, uid);
  }
  const std::string revision = fmt::to_string(target.object->revision());
  if (!options.resource_version.empty() && options.resource_version != revision) {
    return fmt::format(
        "the ResourceVersion in the precondition ({}) does not match the ResourceVersion in record "
        "({}). The object might have been modified",
        options.resource_version, revision);
  }
  return std::nullopt;
}

// Checks that the object may be deleted and meets the preconditions.
StatusOr<void> check_removal(const Call& call, const Target& target, const DeleteOptions& options) {
  const ObjectPtr& object = target.object;
  if (is_immortal(*object)) {
    return tl::unexpected(
        model::forbidden(call.subject(object->name()), "this namespace may not be deleted"));
  }
  if (const auto mismatch = find_mismatch(target, options)) {
    return tl::unexpected(model::conflict(
        {.group = "", .resource = object->kind().name, .kind = "", .name = object->name()},
        *mismatch));
  }
  return {};
}

// Calls the webhooks for the deletion.
StatusOr<void> admit_removal(const Call& call, const Target& target, const DeleteOptions& options) {
  if (!is_admitted(call)) return {};
  EBB_RETURN_IF_ERROR(check_removal(call, target, options));
  return review_deletion(call, target, options);
}

// The number of a collection's objects per round of webhook calls; bounds the memory for questions.
constexpr std::size_t kMaxQuestions = 1000;

// Nothing of a collection is deleted until all verdicts are known, because a run that ends with
// questions must not change anything. A refusal is returned when its object is reached.
StatusOr<std::vector<StatusOr<void>>> admit_collection(const Call& call,
                                                       const std::vector<ObjectPtr>& objects,
                                                       const DeleteOptions& options) {
  std::vector<StatusOr<void>> verdicts;
  for (const ObjectPtr& object : objects) {
    if (call.session->questions.size() >= kMaxQuestions) break;
    verdicts.push_back(
        admit_removal(call, {.object = object, .content = object->draft()}, options));
  }
  const auto open = std::find_if(verdicts.begin(), verdicts.end(), [](const StatusOr<void>& one) {
    return !one && is_pending(one.error());
  });
  if (open != verdicts.end()) return tl::unexpected(open->error());
  return verdicts;
}

}  // namespace

StatusOr<DeleteResult> delete_object(const Call& call, const Target& target,
                                     const DeleteOptions& options) {
  const ObjectPtr& object = target.object;
  EBB_RETURN_IF_ERROR(check_removal(call, target, options));
  Deletion deletion = begin_deletion(object->kind(), target.content, options, call.now);
  if (options.dry_run) {
    return DeleteResult{.object = object, .gone = deletion.gone};
  }
  if (deletion.gone) {
    // The last state of a pod includes its deletion time; other kinds keep their state.
    if (!is_pod(object->kind())) deletion.object = target.content;
    return DeleteResult{
        .object = call.store().remove(object->kind(), std::move(deletion.object), call.now),
        .gone = true};
  }
  if (deletion.object == target.content) return DeleteResult{.object = object, .gone = false};
  return DeleteResult{
      .object = call.store().put(object->kind(), std::move(deletion.object), call.now),
      .gone = false};
}

Answer delete_one(const Call& call) {
  EBB_ASSIGN_OR_RETURN(const DeleteOptions options, parse_delete_options(call.request, call.query));
  EBB_ASSIGN_OR_RETURN(const Target target, target_of(call));
  EBB_RETURN_IF_ERROR(admit_removal(call, target, options));
  EBB_ASSIGN_OR_RETURN(const DeleteResult removal, delete_object(call, target, options));

  // Kubernetes answers with the object if it is not gone yet, and always for pods.
  if (!removal.gone || is_pod(call.kind())) return answer_with(call, 200, removal.object, {});
  return answer_success(call, 200, options.dry_run ? 0 : removal.object->revision(),
                        schema::text_at(target.content, {"metadata", "uid"}));
}

Answer delete_collection(const Call& call) {
  EBB_ASSIGN_OR_RETURN(ListOptions selected, parse_list_options(call.route, call.query));
  EBB_ASSIGN_OR_RETURN(const DeleteOptions options, parse_delete_options(call.request, call.query));

  std::vector<ObjectPtr> chosen =
      call.store().all_newest(call.kind(), selected.selection.namespace_name);
  std::erase_if(chosen,
                [&](const ObjectPtr& object) { return !selected.selection.matches(*object); });
  std::vector<StatusOr<void>> verdicts;
  if (is_admitted(call)) {
    EBB_ASSIGN_OR_RETURN(verdicts, admit_collection(call, chosen, options));
  }

  std::vector<ObjectPtr> removed;
  Revision last = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const ObjectPtr& object = chosen[i];
    if (!verdicts.empty() && !verdicts[i]) return tl::unexpected(verdicts[i].error());
    const StatusOr<DeleteResult> removal =
        delete_object(call, {.object = object, .content = object->draft()}, options);
    // If an object is refused (an immortal namespace), those deleted before it stay deleted.
    if (!removal) return tl::unexpected(removal.error());
    removed.push_back(removal->object);
    if (!options.dry_run) last = std::max(last, removal->object->revision());
  }
  Reply reply;
  reply.response.body = encode_list(
      call.form, call.kind(),
      {.revision = std::max(last, call.store().published()), .continue_token = "", .remaining = {}},
      removed, call.now);
  reply.after = last;
  return reply;
}

}  // namespace ebb::apiserver
