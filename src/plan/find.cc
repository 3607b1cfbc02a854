#include "plan/find.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ebb::plan {
namespace {

using model::Deployment;
using model::DownscalePolicy;
using model::ReplicaSet;
using model::Snapshot;

// What to tell somebody whose workload is not there.
template <class Record>
std::string describe_missing(std::string_view kind, const std::vector<Record>& records,
                             std::string_view name_space, std::string_view name) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string_view> elsewhere;
  std::vector<std::string_view> here;
  for (const Record& record : records) {
    if (record.name.view() == name) elsewhere.push_back(record.name_space.view());
    if (record.name_space.view() == name_space) here.push_back(record.name.view());
  }
  std::string text = fmt::format("{} {}/{} is not in the input", kind, name_space, name);
  if (!elsewhere.empty()) {
    return text + fmt::format("; there is one in namespace {} (-n {})", fmt::join(elsewhere, ", "),
                              elsewhere.front());
  }
  if (!here.empty()) {
    std::sort(here.begin(), here.end());
    const auto end = here.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, here.size()));
    return text + fmt::format("; namespace {} has {}{}", name_space,
                              fmt::join(here.begin(), end, ", "),
                              here.size() > kShown ? ", ..." : "");
  }
  return text + fmt::format("; it has {} {}s in all, none of them in namespace {}", records.size(),
                            kind, name_space);
}

template <class Record>
Result<const Record*> find(std::string_view kind, const std::vector<Record>& records,
                           std::string_view name_space, std::string_view name) {
  for (const Record& record : records) {
    if (record.name.view() == name && record.name_space.view() == name_space) return &record;
  }
  return fail(ErrorCode::kNotFound, describe_missing(kind, records, name_space, name));
}

}  // namespace

Result<const ReplicaSet*> find_replica_set(const Snapshot& snapshot, std::string_view name_space,
                                           std::string_view name) {
  return find("ReplicaSet", snapshot.replica_sets, name_space, name);
}

Result<const Deployment*> find_deployment(const Snapshot& snapshot, std::string_view name_space,
                                          std::string_view name) {
  return find("Deployment", snapshot.deployments, name_space, name);
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

bool has_picker(const Snapshot& snapshot, const ReplicaSet& set) {
  const auto owner = [&](std::string_view kind, model::Interned name) {
    return set.controller != nullptr && set.controller->kind.view() == kind &&
           set.controller->name == name;
  };
  const auto targets = [&](const DownscalePolicy& policy) {
    if (!policy.has_picker || policy.name_space != set.name_space) return false;
    return (policy.target_kind.view() == "ReplicaSet" && policy.target_name == set.name) ||
           owner(policy.target_kind.view(), policy.target_name);
  };
  const auto is_owner = [&](const Deployment& deployment) {
    return deployment.has_picker && set.controller != nullptr &&
           deployment.uid == set.controller->uid;
  };
  return set.has_picker ||
         std::any_of(snapshot.policies.begin(), snapshot.policies.end(), targets) ||
         std::any_of(snapshot.deployments.begin(), snapshot.deployments.end(), is_owner);
}

}  // namespace ebb::plan
