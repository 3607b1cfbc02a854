#include "nodes/node_leases.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "model/requests.h"
#include "nodes/luck.h"
#include "schema/json.h"

namespace ebb::nodes {
namespace {

using boost::json::object;
using schema::text_at;

// What kubelets do by default.
constexpr Nanoseconds kRenewNs = 10 * kNanosecondsPerSecond;
constexpr int kLeaseSeconds = 40;
constexpr std::string_view kNamespace = "kube-node-lease";

constexpr int kNotFound = 404;
constexpr int kConflict = 409;

object spec_of(const std::string& node, Timestamp now) {
  return {{"holderIdentity", node},
          {"leaseDurationSeconds", kLeaseSeconds},
          {"renewTime", model::micro_time_text(now)}};
}

}  // namespace

std::vector<const schema::Kind*> NodeLeases::watched() const { return {model::node_kind()}; }

void NodeLeases::observe(const model::ObjectEvent& event, Timestamp now) {
  if (event.kind != model::node_kind()) return;
  const std::string name(text_at(*event.object, {"metadata", "name"}));
  const std::string_view uid = text_at(*event.object, {"metadata", "uid"});
  const auto known = nodes_.find(name);
  if (event.type == model::ObjectEvent::Type::kDeleted) {
    if (known == nodes_.end() || known->second.uid != uid) return;
    agenda_.erase(name);
    nodes_.erase(known);
    return;
  }
  if (known != nodes_.end() && known->second.uid == uid) return;
  Node& node = nodes_[name];
  node.uid = uid;
  attend(name, node, now);
}

void NodeLeases::wake(Timestamp now) {
  for (const std::string& due : agenda_.take_due(now, std::numeric_limits<std::size_t>::max())) {
    const auto found = nodes_.find(due);
    if (found != nodes_.end()) attend(due, found->second, now);
  }
}

void NodeLeases::attend(const std::string& name, Node& node, Timestamp now) {
  if (node.request_under_way) return;
  node.request_under_way = true;
  const model::ObjectName lease{.namespace_name = std::string(kNamespace), .name = name};
  if (!node.make_it) {
    return outbox_.send(model::merge_patch_request(model::object_path(*model::lease_kind(), lease),
                                                   {{"spec", spec_of(name, now)}}),
                        name);
  }
  const object owner{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", name}, {"uid", node.uid}};
  const object made{
      {"apiVersion", "coordination.k8s.io/v1"},
      {"kind", "Lease"},
      {"metadata",
       {{"name", name}, {"namespace", kNamespace}, {"ownerReferences", boost::json::array{owner}}}},
      {"spec", spec_of(name, now)}};
  outbox_.send(
      model::create_request(model::collection_path(*model::lease_kind(), kNamespace), made), name);
}

void NodeLeases::answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) {
  const std::optional<std::string> name = outbox_.answered(id);
  if (!name.has_value()) return;
  const auto found = nodes_.find(*name);
  if (found == nodes_.end()) return;
  Node& node = found->second;
  node.request_under_way = false;
  const bool was_made = std::exchange(node.make_it, false);
  if (model::succeeded(response)) {
    node.failures = 0;
    // A little apart, so that a thousand nodes do not all write in the same moment.
    const Nanoseconds less = draw({0, kRenewNs / 10}, luck_of(seed_, *name),
                                  static_cast<std::uint64_t>(now.since_epoch_ns()));
    return agenda_.set(*name, later_by(now, kRenewNs - less));
  }
  // The other of the two is right then; if neither is, wait as after any failure.
  if (!was_made && response.code == kNotFound) node.make_it = true;
  const bool at_once = was_made ? response.code == kConflict : node.make_it;
  if (at_once && node.failures == 0) return attend(*name, node, now);
  const Nanoseconds delay = std::min(retry_delay_ns(node.failures++), kRenewNs);
  agenda_.set(*name, later_by(now, delay));
}

}  // namespace ebb::nodes
