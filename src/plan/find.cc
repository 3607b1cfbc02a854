#include "plan/find.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/picker_choice.h"

namespace ebb::plan {
namespace {

using model::Deployment;
using model::DownscalePolicy;
using model::ReplicaSet;
using model::Snapshot;

// `cart, shop, ...`
template <class Record>
std::string some_namespaces(const std::vector<Record>& records) {
  constexpr std::size_t kShown = 5;
  std::set<std::string_view> names;
  for (const Record& record : records) names.insert(record.name_space.view());
  const auto end =
      std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "),
                     names.size() > kShown ? ", ..." : "");
}

// What to tell somebody whose workload is not there.
template <class Record>
std::string describe_missing(const Snapshot& snapshot, std::string_view kind,
                             const std::vector<Record>& records, std::string_view name_space,
                             std::string_view name) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string_view> elsewhere;
  std::vector<std::string_view> here;
  for (const Record& record : records) {
    if (record.name.view() == name) elsewhere.push_back(record.name_space.view());
    if (record.name_space.view() == name_space) here.push_back(record.name.view());
  }
  std::string text = fmt::format("{} {}/{} is not in the input", kind, name_space, name);
  if (elsewhere.size() == 1) {
    return text + fmt::format("; there is one in namespace {0} (-n {0})", elsewhere.front());
  }
  if (!elsewhere.empty()) {
    std::sort(elsewhere.begin(), elsewhere.end());
    return text + fmt::format("; there are some in namespaces {}", fmt::join(elsewhere, ", "));
  }
  if (!here.empty()) {
    std::sort(here.begin(), here.end());
    const auto end = here.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, here.size()));
    return text + fmt::format("; namespace {} has {}{}", name_space,
                              fmt::join(here.begin(), end, ", "),
                              here.size() > kShown ? ", ..." : "");
  }
  if (!records.empty()) {
    return text + fmt::format("; namespace {} has no {}s, but these have some: {}", name_space,
                              kind, some_namespaces(records));
  }
  text += fmt::format(", which has no {}s at all", kind);
  std::vector<std::string_view> skipped;
  for (const auto& [skipped_kind, count] : snapshot.skipped) skipped.push_back(skipped_kind);
  if (!skipped.empty()) text += fmt::format("; skipped were: {}", fmt::join(skipped, ", "));
  return text;
}

template <class Record>
Result<const Record*> find(const Snapshot& snapshot, std::string_view kind,
                           const std::vector<Record>& records, std::string_view name_space,
                           std::string_view name) {
  for (const Record& record : records) {
    if (record.name.view() == name && record.name_space.view() == name_space) return &record;
  }
  return fail(ErrorCode::kNotFound, describe_missing(snapshot, kind, records, name_space, name));
}

template <class Record>
std::vector<std::string> namespaces_of(const std::vector<Record>& records, std::string_view name) {
  std::vector<std::string> found;
  for (const Record& record : records) {
    if (record.name.view() == name) found.emplace_back(record.name_space.view());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::string> namespaces_with(const Snapshot& snapshot, Request::Kind kind,
                                         std::string_view name) {
  return kind == Request::Kind::kDeployment ? namespaces_of(snapshot.deployments, name)
                                            : namespaces_of(snapshot.replica_sets, name);
}

Result<const ReplicaSet*> find_replica_set(const Snapshot& snapshot, std::string_view name_space,
                                           std::string_view name) {
  return find(snapshot, "ReplicaSet", snapshot.replica_sets, name_space, name);
}

Result<const Deployment*> find_deployment(const Snapshot& snapshot, std::string_view name_space,
                                          std::string_view name) {
  return find(snapshot, "Deployment", snapshot.deployments, name_space, name);
}

std::vector<const ReplicaSet*> sets_of(const Snapshot& snapshot, const Deployment& deployment) {
  std::vector<const ReplicaSet*> sets;
  for (const ReplicaSet& set : snapshot.replica_sets) {
    if (set.name_space == deployment.name_space && set.controller != nullptr &&
        set.controller->uid == deployment.uid) {
      sets.push_back(&set);
    }
  }
  return sets;
}

bool is_rolling(const Snapshot& snapshot, const ReplicaSet& set) {
  if (set.controller == nullptr) return false;
  return std::any_of(snapshot.replica_sets.begin(), snapshot.replica_sets.end(),
                     [&](const ReplicaSet& other) {
                       return other.controller != nullptr && other.uid != set.uid &&
                              other.controller->uid == set.controller->uid &&
                              (other.replicas > 0 || other.status_replicas > 0);
                     });
}

bool has_picker(const Snapshot& snapshot, const ReplicaSet& set, const TriedPolicy* tried) {
  std::vector<const DownscalePolicy*> policies;
  for (const DownscalePolicy& policy : snapshot.policies) policies.push_back(&policy);
  const DownscalePolicy* const policy = control::policy_of(set, policies);
  const auto is_owner = [&](const Deployment& deployment) {
    return deployment.has_picker && set.controller != nullptr &&
           deployment.uid == set.controller->uid;
  };
  const bool by_policy =
      tried != nullptr ? tried->has_picker : policy != nullptr && policy->has_picker;
  return set.has_picker || by_policy ||
         std::any_of(snapshot.deployments.begin(), snapshot.deployments.end(), is_owner);
}

}  // namespace ebb::plan
