#include "hollow/node_object.h"

#include <array>

#include <fmt/format.h>

#include "hollow/repeatable_random.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using boost::json::object;
using schema::text_at;

constexpr std::string_view kHostname = "kubernetes.io/hostname";

struct NodeCondition {
  std::string_view type;
  std::string_view status;
  std::string_view reason;
  std::string_view message;
};

constexpr std::array<NodeCondition, 4> kConditions{{
    {"MemoryPressure", "False", "KubeletHasSufficientMemory",
     "kubelet has sufficient memory available"},
    {"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
    {"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
    {"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
}};

struct Named {
  std::string_view name;
  std::string_view value;
};
constexpr std::array<Named, 4> kDefaultCapacity{
    {{"cpu", "8"}, {"memory", "32Gi"}, {"ephemeral-storage", "100Gi"}, {"pods", "110"}}};
constexpr std::array<Named, 4> kSystemLabels{{{"kubernetes.io/os", "linux"},
                                              {"kubernetes.io/arch", "amd64"},
                                              {"beta.kubernetes.io/os", "linux"},
                                              {"beta.kubernetes.io/arch", "amd64"}}};

boost::json::array healthy_conditions(Timestamp now) {
  boost::json::array conditions;
  for (const NodeCondition& each : kConditions) {
    conditions.push_back(object{{"type", each.type},
                                {"status", each.status},
                                {"reason", each.reason},
                                {"message", each.message},
                                {"lastHeartbeatTime", model::time_text(now)},
                                {"lastTransitionTime", model::time_text(now)}});
  }
  return conditions;
}

// Ids that look like those of a machine and depend only on the name.
object node_info(std::string_view name) {
  const std::string id = fmt::format("{:016x}{:016x}", random_of(1, name), random_of(2, name));
  return {{"machineID", id},
          {"systemUUID", id},
          {"bootID", id},
          {"kernelVersion", "6.1.0-ebb"},
          {"osImage", "ebb"},
          {"containerRuntimeVersion", "ebb://0.1.0"},
          {"kubeletVersion", "v1.36.0-ebb"},
          {"kubeProxyVersion", ""},
          {"operatingSystem", "linux"},
          {"architecture", "amd64"}};
}

boost::json::array node_addresses(std::string_view name, std::string_view address) {
  return {object{{"type", "InternalIP"}, {"address", address}},
          object{{"type", "Hostname"}, {"address", name}}};
}

bool condition_holds(const object& node, const NodeCondition& wanted) {
  const boost::json::array* all = schema::array_at(node, {"status", "conditions"});
  if (all == nullptr) return false;
  for (const boost::json::value& entry : *all) {
    if (entry.is_object() && text_at(entry.get_object(), {"type"}) == wanted.type) {
      return text_at(entry.get_object(), {"status"}) == wanted.status;
    }
  }
  return false;
}

}  // namespace

std::string_view internal_address(const object& node) {
  const boost::json::array* all = schema::array_at(node, {"status", "addresses"});
  if (all == nullptr) return {};
  for (const boost::json::value& entry : *all) {
    if (entry.is_object() && text_at(entry.get_object(), {"type"}) == "InternalIP") {
      return text_at(entry.get_object(), {"address"});
    }
  }
  return {};
}

object node_object(const NodeSpec& spec, std::string_view address, Timestamp now) {
  object labels{{kHostname, spec.name}};
  for (const Named& each : kSystemLabels) labels[each.name] = each.value;
  if (!spec.zone.empty()) labels["topology.kubernetes.io/zone"] = spec.zone;
  if (!spec.region.empty()) labels["topology.kubernetes.io/region"] = spec.region;
  for (const auto& [key, text] : spec.labels) labels[key] = text;

  object capacity;
  for (const Named& each : kDefaultCapacity) capacity[each.name] = each.value;
  for (const auto& [resource, amount] : spec.capacity) capacity[resource] = amount;

  object node_spec;
  boost::json::array taints;
  for (const Taint& taint : spec.taints) {
    object entry{{"key", taint.key}, {"effect", taint.effect}};
    if (!taint.value.empty()) entry["value"] = taint.value;
    taints.push_back(std::move(entry));
  }
  if (!taints.empty()) node_spec["taints"] = std::move(taints);

  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", spec.name}, {"labels", std::move(labels)}}},
          {"spec", std::move(node_spec)},
          {"status",
           {{"capacity", capacity},
            {"allocatable", capacity},
            {"conditions", healthy_conditions(now)},
            {"addresses", node_addresses(spec.name, address)},
            {"nodeInfo", node_info(spec.name)}}}};
}

object missing_status(const object& node, std::string_view address, Timestamp now) {
  object status;
  const std::string_view name = text_at(node, {"metadata", "name"});
  const object* capacity = schema::object_at(node, {"status", "capacity"});
  const object* allocatable = schema::object_at(node, {"status", "allocatable"});
  object added;
  for (const Named& each : kDefaultCapacity) {
    if (capacity == nullptr || !capacity->contains(each.name)) added[each.name] = each.value;
  }
  if (!added.empty()) status["capacity"] = added;
  object free;
  for (const Named& each : kDefaultCapacity) {
    if (allocatable != nullptr && allocatable->contains(each.name)) continue;
    const boost::json::value* own =
        capacity == nullptr ? nullptr : capacity->if_contains(each.name);
    free[each.name] = own == nullptr ? boost::json::value(each.value) : *own;
  }
  if (!free.empty()) status["allocatable"] = std::move(free);
  for (const NodeCondition& each : kConditions) {
    if (!condition_holds(node, each)) status["conditions"] = healthy_conditions(now);
  }
  const boost::json::array* addresses = schema::array_at(node, {"status", "addresses"});
  if (addresses == nullptr || addresses->empty()) {
    status["addresses"] = node_addresses(name, address);
  }
  if (text_at(node, {"status", "nodeInfo", "kubeletVersion"}).empty()) {
    status["nodeInfo"] = node_info(name);
  }
  return status;
}

object missing_labels(const object& node) {
  object labels;
  const object* known = schema::object_at(node, {"metadata", "labels"});
  const auto add = [&](std::string_view name, std::string_view text) {
    if (known == nullptr || !known->contains(name)) labels[name] = text;
  };
  add(kHostname, text_at(node, {"metadata", "name"}));
  for (const Named& each : kSystemLabels) add(each.name, each.value);
  return labels;
}

object lifted_taints(const object& node) {
  constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
  const boost::json::array* taints = schema::array_at(node, {"spec", "taints"});
  if (taints == nullptr) return {};
  boost::json::array kept;
  for (const boost::json::value& taint : *taints) {
    if (!taint.is_object() || schema::text_at(taint.get_object(), {"key"}) != kNotReady) {
      kept.push_back(taint);
    }
  }
  if (kept.size() == taints->size()) return {};
  object spec{{"taints", nullptr}};
  if (!kept.empty()) spec["taints"] = std::move(kept);
  return {
      {"metadata", {{"resourceVersion", schema::text_at(node, {"metadata", "resourceVersion"})}}},
      {"spec", std::move(spec)}};
}

object heartbeat(Timestamp now) {
  boost::json::array conditions;
  for (const NodeCondition& each : kConditions) {
    conditions.push_back(object{{"type", each.type}, {"lastHeartbeatTime", model::time_text(now)}});
  }
  return {{"conditions", std::move(conditions)}};
}

}  // namespace ebb::hollow
