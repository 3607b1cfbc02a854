#include "hollow/node_registrar.h"

#include <algorithm>

#include "hollow/node_object.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using schema::text_at;

// 172.18.0.0/16, starting at the second address.
constexpr Address kFirstNodeAddress = (172U << 24U) | (18U << 16U) | 2U;
constexpr std::uint32_t kNodeAddresses = (1U << 16U) - 4;

Timestamp last_heartbeat(const boost::json::object& node) {
  const boost::json::array* all = schema::array_at(node, {"status", "conditions"});
  if (all == nullptr) return {};
  for (const boost::json::value& entry : *all) {
    if (entry.is_object() && text_at(entry.get_object(), {"type"}) == "Ready") {
      return model::time_at(entry.get_object(), {"lastHeartbeatTime"});
    }
  }
  return {};
}

}  // namespace

NodeRegistrar::NodeRegistrar(const Settings& settings)
    : settings_(settings), addresses_(kFirstNodeAddress, kNodeAddresses) {
  for (const NodeSpec& spec : settings_.nodes) to_create_.emplace(spec.name, spec);
}

std::vector<const schema::Kind*> NodeRegistrar::watched() const { return {model::node_kind()}; }

void NodeRegistrar::observe(const model::ObjectEvent& event, Timestamp now) {
  if (event.kind != model::node_kind()) return;
  const boost::json::object& object = *event.object;
  const std::string node_name(text_at(object, {"metadata", "name"}));
  if (event.type == model::ObjectEvent::Type::kDeleted) {
    const auto gone = nodes_.find(node_name);
    if (gone == nodes_.end() || gone->second.uid != text_at(object, {"metadata", "uid"})) return;
    if (gone->second.address.has_value()) addresses_.release(*gone->second.address);
    deadlines_.erase(node_name);
    nodes_.erase(gone);
    return;
  }
  to_create_.erase(node_name);
  Node& node = nodes_[node_name];
  read(node, object, now);
  reconcile(node_name, node, now);
}

void NodeRegistrar::read(Node& node, const boost::json::object& object, Timestamp now) {
  node.exists = true;
  node.uid = text_at(object, {"metadata", "uid"});
  if (const auto own = parse_address(internal_address(object)); own.has_value()) {
    if (node.address.has_value() && node.address != own) addresses_.release(*node.address);
    node.address = own;
    addresses_.mark(*own);
  }
  node.status_to_write = missing_status(object, address_for(node), now);
  node.labels_to_write = missing_labels(object);
  node.taints_to_lift = lifted_taints(object);
  const Timestamp beat = last_heartbeat(object);
  node.heartbeat_at = beat.is_zero() ? now : later_by(beat, settings_.heartbeat_ns);
}

const std::string& NodeRegistrar::address_for(Node& node) {
  if (!node.address.has_value()) node.address = addresses_.take();
  address_text_ = node.address.has_value() ? address_text(*node.address) : std::string("127.0.0.1");
  return address_text_;
}

void NodeRegistrar::synced(Timestamp now) {
  synced_ = true;
  for (const auto& entry : to_create_) nodes_.try_emplace(entry.first);
  for (auto& entry : nodes_) reconcile(entry.first, entry.second, now);
}

void NodeRegistrar::wake(Timestamp now) {
  for (const std::string& due : deadlines_.take_due(now)) {
    const auto found = nodes_.find(due);
    if (found != nodes_.end()) reconcile(due, found->second, now);
  }
}

// Sends one request at a time per node; the response, or the change that it causes, triggers the
// next call.
void NodeRegistrar::reconcile(const std::string& node_name, Node& node, Timestamp now) {
  if (!synced_ || node.request_in_flight) return;
  if (!node.retry_at.is_zero() && node.retry_at > now) {
    deadlines_.set(node_name, node.retry_at);
    return;
  }
  const model::ObjectName name{.name = node_name};
  std::optional<model::ApiRequest> request;
  if (!node.exists) {
    const auto wanted = to_create_.find(node_name);
    if (wanted != to_create_.end()) {
      request = model::create_request(model::collection_path(*model::node_kind(), {}),
                                      node_object(wanted->second, address_for(node), now));
    }
  } else if (!node.labels_to_write.empty()) {
    request = model::strategic_patch_request(
        model::object_path(*model::node_kind(), name),
        {{"metadata", {{"uid", node.uid}, {"labels", std::exchange(node.labels_to_write, {})}}}});
  } else if (!node.status_to_write.empty()) {
    request = model::strategic_patch_request(
        model::object_path(*model::node_kind(), name, "status"),
        {{"metadata", {{"uid", node.uid}}}, {"status", std::exchange(node.status_to_write, {})}});
  } else if (!node.taints_to_lift.empty()) {
    // Its status is Ready.
    request = model::merge_patch_request(model::object_path(*model::node_kind(), name),
                                         std::exchange(node.taints_to_lift, {}));
  } else if (node.heartbeat_at <= now) {
    request = model::strategic_patch_request(
        model::object_path(*model::node_kind(), name, "status"),
        {{"metadata", {{"uid", node.uid}}}, {"status", heartbeat(now)}});
    node.heartbeat_at = later_by(now, settings_.heartbeat_ns);
  }
  if (!request.has_value()) {
    deadlines_.set(node_name, node.exists ? node.heartbeat_at : Timestamp{});
    return;
  }
  node.request_in_flight = true;
  outbox_.send(*std::move(request), node_name);
}

void NodeRegistrar::answered(model::EffectId id, const model::ApiResponse& response,
                             Timestamp now) {
  const std::optional<std::string> node_name = outbox_.answered(id);
  if (!node_name.has_value()) return;
  const auto found = nodes_.find(*node_name);
  if (found == nodes_.end()) return;
  Node& node = found->second;
  node.request_in_flight = false;
  if (model::succeeded(response) || (!node.exists && response.code == 409)) {
    node.failures = 0;
    node.retry_at = {};
    // Created. If it is deleted before the watch shows it, it stays deleted.
    if (!node.exists) to_create_.erase(*node_name);
  } else {
    // The next update of the node shows again what is missing; the heartbeat guarantees that one
    // comes.
    node.retry_at = later_by(now, retry_delay_ns(node.failures++));
    node.heartbeat_at = sooner(node.heartbeat_at, node.retry_at);
  }
  reconcile(*node_name, node, now);
}

}  // namespace ebb::hollow
