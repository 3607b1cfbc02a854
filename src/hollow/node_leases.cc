#include "hollow/node_leases.h"

#include <algorithm>
#include <optional>

#include "hollow/repeatable_random.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using boost::json::object;
using schema::text_at;

// The kubelet's default.
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
    deadlines_.erase(name);
    nodes_.erase(known);
    return;
  }
  if (known != nodes_.end() && known->second.uid == uid) return;
  Node& node = nodes_[name];
  node.uid = uid;
  reconcile(name, node, now);
}

void NodeLeases::wake(Timestamp now) {
  for (const std::string& due : deadlines_.take_due(now)) {
    const auto found = nodes_.find(due);
    if (found != nodes_.end()) reconcile(due, found->second, now);
  }
}

void NodeLeases::reconcile(const std::string& name, Node& node, Timestamp now) {
  if (node.request_in_flight) return;
  node.request_in_flight = true;
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
  node.request_in_flight = false;
  const bool was_made = std::exchange(node.make_it, false);
  if (model::succeeded(response)) {
    node.failures = 0;
    // With jitter, so that a thousand nodes do not write at the same moment.
    const Nanoseconds less = draw({0, kRenewNs / 10}, random_of(seed_, *name),
                                  static_cast<std::uint64_t>(now.since_epoch_ns()));
    return deadlines_.set(*name, later_by(now, kRenewNs - less));
  }
  // Try the other operation (create or renew) next; if that fails too, back off.
  if (!was_made && response.code == kNotFound) node.make_it = true;
  const bool at_once = was_made ? response.code == kConflict : node.make_it;
  if (at_once && node.failures == 0) return reconcile(*name, node, now);
  const Nanoseconds delay = std::min(retry_delay_ns(node.failures++), kRenewNs);
  deadlines_.set(*name, later_by(now, delay));
}

}  // namespace ebb::hollow
