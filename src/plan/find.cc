#include "plan/find.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/policy/picker_choice.h"
#include "model/records/ownership.h"

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
  for (const Record& record : records) names.insert(record.namespace_name.view());
  const auto end =
      std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "),
                     names.size() > kShown ? ", ..." : "");
}

// The hint for a user whose workload does not exist.
template <class Record>
std::string describe_missing(const Snapshot& snapshot, std::string_view kind,
                             const std::vector<Record>& records, std::string_view namespace_name,
                             std::string_view name) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string_view> elsewhere;
  std::vector<std::string_view> here;
  for (const Record& record : records) {
    if (record.name.view() == name) elsewhere.push_back(record.namespace_name.view());
    if (record.namespace_name.view() == namespace_name) here.push_back(record.name.view());
  }
  std::string text = fmt::format("{} {}/{} is not in the input", kind, namespace_name, name);
  if (elsewhere.size() == 1) {
    return text + fmt::format("; it exists in namespace {0} (-n {0})", elsewhere.front());
  }
  if (!elsewhere.empty()) {
    std::sort(elsewhere.begin(), elsewhere.end());
    return text + fmt::format("; it exists in namespaces {}", fmt::join(elsewhere, ", "));
  }
  if (!here.empty()) {
    std::sort(here.begin(), here.end());
    const auto end = here.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, here.size()));
    return text + fmt::format("; namespace {} has {}{}", namespace_name,
                              fmt::join(here.begin(), end, ", "),
                              here.size() > kShown ? ", ..." : "");
  }
  if (!records.empty()) {
    return text + fmt::format("; namespace {} has no {}s, but these namespaces do: {}",
                              namespace_name, kind, some_namespaces(records));
  }
  text += fmt::format(", which has no {}s", kind);
  std::vector<std::string_view> skipped;
  for (const auto& [skipped_kind, count] : snapshot.skipped) skipped.push_back(skipped_kind);
  if (!skipped.empty()) text += fmt::format("; skipped: {}", fmt::join(skipped, ", "));
  return text;
}

template <class Record>
Result<const Record*> find(const Snapshot& snapshot, std::string_view kind,
                           const std::vector<Record>& records, std::string_view namespace_name,
                           std::string_view name) {
  for (const Record& record : records) {
    if (record.name.view() == name && record.namespace_name.view() == namespace_name)
      return &record;
  }
  for (const model::UndecodedObject& object : snapshot.undecoded) {
    if (object.kind == kind && object.name.view() == name &&
        object.namespace_name.view() == namespace_name) {
      return fail(ErrorCode::kInvalidInput, object.problem);
    }
  }
  return fail(ErrorCode::kNotFound,
              describe_missing(snapshot, kind, records, namespace_name, name));
}

template <class Record>
std::vector<std::string> namespaces_of(const std::vector<Record>& records, std::string_view name) {
  std::vector<std::string> found;
  for (const Record& record : records) {
    if (record.name.view() == name) found.emplace_back(record.namespace_name.view());
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

Result<const ReplicaSet*> find_replica_set(const Snapshot& snapshot,
                                           std::string_view namespace_name, std::string_view name) {
  return find(snapshot, "ReplicaSet", snapshot.replica_sets, namespace_name, name);
}

Result<const Deployment*> find_deployment(const Snapshot& snapshot, std::string_view namespace_name,
                                          std::string_view name) {
  return find(snapshot, "Deployment", snapshot.deployments, namespace_name, name);
}

std::vector<const ReplicaSet*> sets_of(const Snapshot& snapshot, const Deployment& deployment) {
  std::vector<const ReplicaSet*> sets;
  for (const ReplicaSet& set : snapshot.replica_sets) {
    if (model::controls(deployment, set)) sets.push_back(&set);
  }
  return sets;
}

bool is_rolling(const Snapshot& snapshot, const ReplicaSet& set) {
  return std::any_of(snapshot.replica_sets.begin(), snapshot.replica_sets.end(),
                     [&](const ReplicaSet& other) {
                       return other.uid != set.uid && model::share_controller(other, set) &&
                              (other.replicas > 0 || other.status_replicas > 0);
                     });
}

bool has_picker(const Snapshot& snapshot, const ReplicaSet& set, const TriedPolicy* tried) {
  std::vector<const DownscalePolicy*> policies;
  for (const DownscalePolicy& policy : snapshot.policies) policies.push_back(&policy);
  const DownscalePolicy* const policy = control::policy_of(set, policies);
  const auto is_owner = [&](const Deployment& deployment) {
    return deployment.has_picker && model::controls(deployment, set);
  };
  const bool by_policy = tried != nullptr
                             ? tried->has_picker
                             : policy != nullptr && !policy->shadow && policy->has_picker;
  return set.has_picker || by_policy ||
         std::any_of(snapshot.deployments.begin(), snapshot.deployments.end(), is_owner);
}

}  // namespace ebb::plan
