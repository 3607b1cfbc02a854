// DELETE on an object or a collection.
#include "apiserver/remove.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apiserver/admission.h"
#include "apiserver/lifecycle.h"
#include "apiserver/particulars.h"
#include "apiserver/write.h"
#include "schema/json.h"

namespace ebb::apiserver {

using model::StatusOr;

namespace {

// A cluster without these makes no sense to its clients.
constexpr std::array<std::string_view, 3> kImmortalNamespaces{"default", "kube-system",
                                                              "kube-public"};

bool is_immortal(const Object& object) {
  return is_namespace(object.kind()) &&
         std::find(kImmortalNamespaces.begin(), kImmortalNamespaces.end(), object.name()) !=
             kImmortalNamespaces.end();
}

// In which precondition the object is not the one that is meant.
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

// Whether it may go and is the one that is meant.
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

// What webhooks say to it.
StatusOr<void> admit_removal(const Call& call, const Target& target, const DeleteOptions& options) {
  if (!is_admitted(call)) return {};
  if (StatusOr<void> checked = check_removal(call, target, options); !checked) return checked;
  return review_deletion(call, target, options);
}

// How much of a collection is asked about at a time, so that the questions find room in memory.
constexpr std::size_t kMostQuestions = 1000;

// Nothing of a collection is deleted before all is known of it: a run that ends with questions
// must not have changed anything. Who was refused is told when its turn comes.
StatusOr<std::vector<StatusOr<void>>> admit_collection(const Call& call,
                                                       const std::vector<ObjectPtr>& objects,
                                                       const DeleteOptions& options) {
  std::vector<StatusOr<void>> verdicts;
  for (const ObjectPtr& object : objects) {
    if (call.consultation->questions.size() >= kMostQuestions) break;
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

StatusOr<Removal> remove_object(const Call& call, const Target& target,
                                const DeleteOptions& options) {
  const ObjectPtr& object = target.object;
  if (const StatusOr<void> checked = check_removal(call, target, options); !checked) {
    return tl::unexpected(checked.error());
  }
  Deletion deletion = begin_deletion(object->kind(), target.content, options, call.now);
  if (options.dry_run) {
    return Removal{.object = object, .gone = deletion.gone};
  }
  if (deletion.gone) {
    // The last that is seen of a pod says when it had to go; other kinds go as they were.
    if (!is_pod(object->kind())) deletion.object = target.content;
    return Removal{
        .object = call.store().remove(object->kind(), std::move(deletion.object), call.now),
        .gone = true};
  }
  if (deletion.object == target.content) return Removal{.object = object, .gone = false};
  return Removal{.object = call.store().put(object->kind(), std::move(deletion.object), call.now),
                 .gone = false};
}

Answer remove(const Call& call) {
  const StatusOr<DeleteOptions> options = parse_delete_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  const StatusOr<Target> target = target_of(call);
  if (!target) return tl::unexpected(target.error());
  if (const StatusOr<void> admitted = admit_removal(call, *target, *options); !admitted) {
    return tl::unexpected(admitted.error());
  }
  const StatusOr<Removal> removal = remove_object(call, *target, *options);
  if (!removal) return tl::unexpected(removal.error());

  // Kubernetes answers with the object while it waits for its end, and for pods always.
  if (!removal->gone || is_pod(call.kind())) return answer_with(call, 200, removal->object, {});
  return answer_success(call, 200, options->dry_run ? 0 : removal->object->revision(),
                        schema::text_at(target->content, {"metadata", "uid"}));
}

Answer remove_collection(const Call& call) {
  StatusOr<ListOptions> selected = parse_list_options(call.route, call.query);
  if (!selected) return tl::unexpected(selected.error());
  const StatusOr<DeleteOptions> options = parse_delete_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());

  std::vector<ObjectPtr> chosen =
      call.store().all_newest(call.kind(), selected->selection.namespace_name);
  std::erase_if(chosen,
                [&](const ObjectPtr& object) { return !selected->selection.matches(*object); });
  std::vector<StatusOr<void>> verdicts;
  if (is_admitted(call)) {
    auto admitted = admit_collection(call, chosen, *options);
    if (!admitted) return tl::unexpected(admitted.error());
    verdicts = *std::move(admitted);
  }

  std::vector<ObjectPtr> removed;
  Revision last = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const ObjectPtr& object = chosen[i];
    if (!verdicts.empty() && !verdicts[i]) return tl::unexpected(verdicts[i].error());
    const StatusOr<Removal> removal =
        remove_object(call, {.object = object, .content = object->draft()}, *options);
    // What was refused (an immortal namespace) stays; what was deleted before it stays so.
    if (!removal) return tl::unexpected(removal.error());
    removed.push_back(removal->object);
    if (!options->dry_run) last = std::max(last, removal->object->revision());
  }
  Reply reply;
  reply.response.body = represent_list(
      call.form, call.kind(),
      {.revision = std::max(last, call.store().published()), .continue_token = "", .remaining = {}},
      removed, call.now);
  reply.after = last;
  return reply;
}

}  // namespace ebb::apiserver
