// GET on one object, and lists: of the current state, or page by page of one past revision.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/request/call.h"
#include "apiserver/store/continue_token.h"

namespace ebb::apiserver {
namespace {

using model::StatusOr;

// The time that a request waits for a future revision.
constexpr Nanoseconds kPatience = 3 * kNanosecondsPerSecond;

struct Page {
  std::vector<ObjectPtr> objects;
  std::size_t left = 0;  // objects of the namespace behind the page, selected or not
};

// The first page counts the remaining objects; later pages read the count from their token.
Page read_page(const Store& store, const ListOptions& options, Revision revision,
               const ContinueToken* after) {
  const std::string& wanted = options.selection.namespace_name;
  // Names contain no zero byte, so this key directly follows the last one.
  const std::string first = after == nullptr ? "" : after->name + '\0';
  RevisionCursor objects =
      store.cursor_at(*options.selection.kind, revision,
                      {after == nullptr ? wanted : after->namespace_name, first});
  const auto next = [&] {
    ObjectPtr object = objects.next();
    const bool is_in = object && (wanted.empty() || object->namespace_name() == wanted);
    return is_in ? object : nullptr;
  };

  Page page;
  std::size_t seen = 0;
  ObjectPtr object = next();
  for (; object && (options.limit == 0 || page.objects.size() < options.limit); object = next()) {
    ++seen;
    if (options.selection.matches(*object)) page.objects.push_back(std::move(object));
  }
  if (object && after != nullptr && after->left > seen) {
    page.left = after->left - seen;
  } else {
    for (; object; object = next()) ++page.left;
  }
  return page;
}

Reply ok(Bytes body) {
  Reply reply;
  reply.response.body = std::move(body);
  return reply;
}

// The revision to list.
StatusOr<Revision> revision_to_list(const Store& store, const ListOptions& options,
                                    const ContinueToken* after) {
  const bool exact = options.match == ListOptions::Match::kExact ||
                     (options.match == ListOptions::Match::kUnset && options.limit > 0 &&
                      options.revision.value_or(0) > 0);
  if (after == nullptr && !exact) return store.published();
  const Revision revision = after != nullptr ? after->revision : *options.revision;
  if (store.can_go_back_to(*options.selection.kind, revision)) return revision;
  return tl::unexpected(model::expired(
      after != nullptr
          ? "The provided continue parameter is too old to display a consistent list result. You "
            "can start a new list without the continue parameter."
          : "The resourceVersion for the provided list is too old."));
}

}  // namespace

std::optional<Answer> wait_for(const Call& call, Revision revision) {
  const Revision current = call.store().published();
  if (revision <= current) return std::nullopt;
  if (elapsed_ns(call.request.received, call.now) >= kPatience) {
    model::Status status = model::timeout(
        fmt::format("Timeout: Too large resource version: {}, current: {}", revision, current));
    status.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
    status.retry_after_seconds = 1;
    return tl::unexpected(std::move(status));
  }
  Reply reply;
  reply.retry_after = revision;
  reply.retry_at = Timestamp::from_nanoseconds(call.request.received.since_epoch_ns() + kPatience);
  return reply;
}

Answer get(const Call& call) {
  EBB_ASSIGN_OR_RETURN(ListOptions options, parse_list_options(call.route, call.query));
  if (options.watch) return watch(call, options);
  if (auto waiting = wait_for(call, options.revision.value_or(0))) return *std::move(waiting);
  const ObjectPtr object =
      call.store().find(call.kind(), call.route.namespace_name, call.route.name);
  if (!object) return tl::unexpected(model::not_found(call.subject()));
  return ok(encode_response(call.form, object, call.now));
}

Answer list(const Call& call) {
  EBB_ASSIGN_OR_RETURN(ListOptions options, parse_list_options(call.route, call.query));
  if (options.watch) return watch(call, options);
  if (auto waiting = wait_for(call, options.revision.value_or(0))) return *std::move(waiting);

  std::optional<ContinueToken> after;
  if (!options.continue_token.empty()) {
    after = ContinueToken::parse(options.continue_token);
    if (!after) return tl::unexpected(model::bad_request("continue key is not valid"));
    if (options.revision.value_or(0) != 0) {
      return tl::unexpected(
          model::bad_request("specifying resource version is not allowed when using continue"));
    }
  }
  const ContinueToken* const start = after ? &*after : nullptr;
  EBB_ASSIGN_OR_RETURN(const Revision revision, revision_to_list(call.store(), options, start));

  const Page page = read_page(call.store(), options, revision, start);
  ListHead head{.revision = revision, .continue_token = "", .remaining = std::nullopt};
  if (page.left > 0) {
    const Object& last = *page.objects.back();
    head.continue_token = ContinueToken{.revision = revision,
                                        .left = page.left,
                                        .namespace_name = std::string(last.namespace_name()),
                                        .name = std::string(last.name())}
                              .text();
    if (!options.selection.has_selectors()) head.remaining = page.left;
  }
  return ok(encode_list(call.form, call.kind(), head, page.objects, call.now));
}

Answer watch(const Call& call, const ListOptions& options) {
  if (auto waiting = wait_for(call, options.revision.value_or(0))) return *std::move(waiting);
  const Store& store = call.store();
  const bool from_now = options.revision.value_or(0) == 0;
  const bool initial = options.send_initial_events.value_or(from_now);

  WatchCursor::Start start{.selection = options.selection,
                           .form = call.form,
                           .after = from_now || initial ? store.published() : *options.revision,
                           .initial = {},
                           .marks_end_of_initial = false,
                           .bookmarks = options.bookmarks,
                           .deadline = {}};
  if (initial) {
    ListOptions everything = options;
    everything.limit = 0;
    start.initial = read_page(store, everything, store.published(), nullptr).objects;
    start.marks_end_of_initial = options.bookmarks && options.send_initial_events.value_or(false);
  }
  // Kubernetes ends watches without a timeout after a random time between 30 and 60 minutes.
  std::int64_t seconds = options.timeout_seconds.value_or(0);
  if (seconds <= 0) seconds = 1800 + static_cast<std::int64_t>(call.state.random() % 1800);
  seconds = std::min<std::int64_t>(seconds, 365 * 86400);
  start.deadline =
      Timestamp::from_nanoseconds(call.now.since_epoch_ns() + seconds * kNanosecondsPerSecond);
  Reply reply;
  reply.watch = std::make_shared<WatchCursor>(std::move(start), call.now);
  return reply;
}

}  // namespace ebb::apiserver
