// Rules for writes: what a ranker may send, and that it preserves what others have published.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "model/api/method_name.h"
#include "model/records/pod.h"
#include "ranking/settings.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/rules/rank_rules.h"

namespace ebb::sim {
namespace {

using boost::json::object;
using control::Call;
using model::Method;
using schema::text_at;

constexpr std::string_view kRanker = "ebb-ranker";

// The object that a path refers to, below its namespace.
struct Target {
  std::string plural{};
  std::string name{};
  std::string subresource{};
};

Target target_of(std::string_view path) {
  constexpr std::string_view kNamespaces = "/namespaces/";
  const std::size_t at = path.find(kNamespaces);
  if (at == std::string_view::npos) return {};
  path.remove_prefix(at + kNamespaces.size());
  std::array<std::string_view, 4> parts{};  // the namespace comes first
  for (std::string_view& part : parts) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    part = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return {std::string(parts[1]), std::string(parts[2]), std::string(parts[3])};
}

bool has_only(const object& from, std::initializer_list<std::string_view> keys) {
  return std::all_of(from.begin(), from.end(), [&](const auto& entry) {
    return std::find(keys.begin(), keys.end(), std::string_view(entry.key())) != keys.end();
  });
}

// Whether a patch of a pod contains only ranks, and names the pod's uid.
bool is_rank_patch(const object& patch) {
  const object* const metadata = schema::object_at(patch, {"metadata"});
  const object* const annotations = schema::object_at(patch, {"metadata", "annotations"});
  const object* const status = schema::object_at(patch, {"status"});
  if (metadata == nullptr || annotations == nullptr || annotations->empty()) return false;
  return has_only(patch, {"metadata", "status"}) &&
         has_only(*metadata, {"uid", "resourceVersion", "annotations"}) &&
         has_only(*annotations, {model::kPublishedCostAnnotation, model::kCostRankAnnotation,
                                 model::kDeletionCostAnnotation}) &&
         (status == nullptr || has_only(*status, {"cost"})) && !text_at(*metadata, {"uid"}).empty();
}

// Whether a process that only ranks may send this call.
bool may_rank_with(const Call& call, const Target& target) {
  if (call.kind != Call::Kind::kWrite && call.kind != Call::Kind::kPatientWrite) return true;
  if (target.plural == "podgroupcosts") return true;
  if (target.plural == "downscalepolicies") return target.subresource == "status";
  return target.plural == "pods" && call.request.method == Method::kPatch &&
         (target.subresource.empty() || target.subresource == "status") &&
         is_rank_patch(read_object(call.request.body));
}

// A value where ranks are published; empty if there is none.
struct Carrier {
  std::string_view name;
  ranking::Publish publish;
  std::string (*read)(const object& pod);
};
constexpr std::array<Carrier, 3> kCarriers = {{
    {"the rank annotation", ranking::Publish::kAnnotation,
     [](const object& pod) { return std::string(annotation(pod, model::kCostRankAnnotation)); }},
    {"the deletion cost", ranking::Publish::kPodDeletionCost,
     [](const object& pod) {
       return std::string(annotation(pod, model::kDeletionCostAnnotation));
     }},
    {"status.cost", ranking::Publish::kStatusField,
     [](const object& pod) {
       const auto cost = schema::integer_at(pod, {"status", "cost"});
       return cost ? std::to_string(*cost) : std::string();
     }},
}};

}  // namespace

void RankRules::sent(Invariants::Tag tag, ProcessId process, const Call& call) {
  const Target target = target_of(call.request.path);
  if (tag == 0 || !control::is_write(call.kind)) return;
  if (invariants_.role(process) == Role::kRanks && !may_rank_with(call, target)) {
    invariants_.violate("ranker",
                        fmt::format("it sends {} {}: {}", model::method_name(call.request.method),
                                    call.request.path, call.request.body));
  }
  const schema::Kind* kind = nullptr;
  if (target.plural == "pods" && call.request.method == Method::kPatch) kind = &pods();
  if (target.plural == "podgroupcosts") kind = &group_costs();
  if (kind == nullptr) return;
  writes_[tag] = {
      .kind = kind, .name = target.name, .creates = call.request.method == Method::kPost};
}

void RankRules::executing(std::uint64_t tag) {
  const auto found = writes_.find(tag);
  if (found == writes_.end() || found->second.creates) return;
  found->second.before = inventory_.find(*found->second.kind, found->second.name);
}

void RankRules::executed(std::uint64_t tag, const model::ApiResponse& response) {
  const auto found = writes_.find(tag);
  if (found == writes_.end()) return;
  const Inventory::Object before = std::exchange(found->second.before, nullptr);
  if (before == nullptr || response.code < 200 || response.code >= 300) return;
  if (found->second.kind == &group_costs()) {
    if (text_at(*before, {"metadata", "labels", "app.kubernetes.io/managed-by"}) != kRanker) {
      invariants_.violate("ranker", fmt::format("it changes PodGroupCost {}, which it did not make",
                                                found->second.name));
    }
    return;
  }
  const Inventory::Object after = inventory_.find(pods(), found->second.name);
  if (after != nullptr) check_pod_kept(*before, *after);
}

// Each value of the ranker has a companion annotation with the same number, with the carrier or,
// from older versions, without it. All other values belong to others.
void RankRules::check_pod_kept(const object& before, const object& after) {
  const std::string_view companion = annotation(before, model::kPublishedCostAnnotation);
  for (const Carrier& carrier : kCarriers) {
    const std::string value = carrier.read(before);
    const bool ours =
        value == companion || companion == fmt::format("{}={}", to_string(carrier.publish), value);
    if (value.empty() || ours || value == carrier.read(after)) continue;
    invariants_.violate("ranker",
                        fmt::format("{} of {} is changed from {} to {}, but its companion "
                                    "is \"{}\"",
                                    carrier.name, text_at(before, {"metadata", "name"}), value,
                                    carrier.read(after), companion));
  }
}

}  // namespace ebb::sim
