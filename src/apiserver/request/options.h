// The options of list, watch and write requests, from their query.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apiserver/decode/decode.h"
#include "apiserver/request/route.h"
#include "apiserver/response/watch.h"
#include "apiserver/store/change.h"
#include "model/api/status.h"

namespace ebb::apiserver {

struct ListOptions {
  Selection selection;
  std::size_t limit = 0;  // 0: no limit
  std::string continue_token;
  std::optional<Revision> revision;  // as requested; 0 is "any"
  enum class Match { kUnset, kExact, kNotOlderThan } match = Match::kUnset;

  bool watch = false;
  bool bookmarks = false;
  std::optional<bool> send_initial_events;
  std::optional<std::int64_t> timeout_seconds;
};
[[nodiscard]] model::StatusOr<ListOptions> parse_list_options(const Route& route,
                                                              const Query& query);

struct WriteOptions {
  bool dry_run = false;
  FieldValidation validation = FieldValidation::kWarn;
  std::string manager{};  // fieldManager, or the name in the User-Agent
  bool applies = false;   // server-side apply
  bool force = false;     // apply despite conflicts
};
inline constexpr std::string_view kApplyPatch = "application/apply-patch+yaml";
[[nodiscard]] model::StatusOr<WriteOptions> parse_write_options(const ApiRequest& request,
                                                                const Query& query);

enum class Propagation { kUnset, kBackground, kForeground, kOrphan };

struct DeleteOptions {
  std::optional<std::int64_t> grace_seconds;
  std::string uid;               // precondition; empty: none
  std::string resource_version;  // precondition; empty: none
  Propagation propagation = Propagation::kUnset;
  bool dry_run = false;
};
// From the body if there is one, otherwise from the query.
[[nodiscard]] model::StatusOr<DeleteOptions> parse_delete_options(const ApiRequest& request,
                                                                  const Query& query);
// From the JSON of a DeleteOptions, as in evictions.
[[nodiscard]] model::StatusOr<DeleteOptions> read_delete_options(const boost::json::object& json);

}  // namespace ebb::apiserver
