// The columns of the ebb.dev kinds, chosen for the on-call engineer.
#include <fmt/format.h>

#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"

namespace ebb::schema {
namespace {

// Deployment/web
json::value reference(const json::object& object, std::string_view field) {
  const std::string_view name = text_at(object, {"spec", field, "name"});
  if (name.empty()) return json::value(kNone);
  return json::value(fmt::format("{}/{}", text_at(object, {"spec", field, "kind"}), name));
}

json::value target_cell(const json::object& policy, Timestamp /*now*/) {
  return reference(policy, "targetRef");
}

// `https://picker.shop.svc:8443/pick`, without the default port and path.
std::string endpoint(std::string_view scheme, const json::object& picker,
                     std::string_view usual_port) {
  const std::string_view host = text_at(picker, {"host"});
  const bool brackets = host.find(':') != std::string_view::npos;
  std::string text =
      fmt::format("{}://{}{}{}", scheme, brackets ? "[" : "", host, brackets ? "]" : "");
  const auto number = integer_at(picker, {"port"});
  const std::string port =
      number ? fmt::to_string(*number) : std::string(text_at(picker, {"port"}));
  if (!port.empty() && port != usual_port) text += ":" + port;
  const std::string_view path = text_at(picker, {"path"});
  if (path != "/") text += path;
  return text;
}

// The address of the picker: https://picker.shop.svc, grpc://picker.shop.svc:50051
json::value picker_cell(const json::object& policy, Timestamp /*now*/) {
  const json::object* picker = object_at(policy, {"spec", "podPicker"});
  if (picker == nullptr) return json::value(kNone);
  if (const json::object* grpc = object_at(*picker, {"grpc"})) {
    return json::value(endpoint("grpc", *grpc, is_true_at(*grpc, {"tls"}) ? "443" : "80"));
  }
  const json::object* http = object_at(*picker, {"http"});
  if (http == nullptr) return json::value(kNone);
  const bool secure = text_at(*http, {"scheme"}).size() == 5;  // https, in any case
  return json::value(endpoint(secure ? "https" : "http", *http, secure ? "443" : "80"));
}

// The preset, or the strategies in their order.
json::value ranking_cell(const json::object& policy, Timestamp /*now*/) {
  const json::object* ranking = object_at(policy, {"spec", "ranking"});
  if (ranking == nullptr) return json::value(kNone);
  const std::string strategies = joined_texts(array_at(*ranking, {"strategies"}), "name");
  return json::value(or_else(or_else(text_at(*ranking, {"preset"}), strategies), kNone));
}

json::value policy_ready_cell(const json::object& policy, Timestamp /*now*/) {
  return json::value(or_else(condition_status(policy, "Ready"), "Unknown"));
}

json::value ranks_cell(const json::object& policy, Timestamp /*now*/) {
  return json::value(or_else(condition_status(policy, "Ranked"), kNone));
}

json::value publish_cell(const json::object& policy, Timestamp /*now*/) {
  return json::value(or_else(text_at(policy, {"spec", "ranking", "publish"}), kNone));
}

json::value reachable_cell(const json::object& policy, Timestamp /*now*/) {
  return json::value(or_else(condition_status(policy, "PickerReachable"), kNone));
}

json::value conflicting_cell(const json::object& policy, Timestamp /*now*/) {
  return json::value(or_else(condition_status(policy, "Conflicting"), kNone));
}

json::value owner_cell(const json::object& costs, Timestamp /*now*/) {
  return reference(costs, "owner");
}

json::value ranked_cell(const json::object& costs, Timestamp /*now*/) {
  const json::object* entries = object_at(costs, {"spec", "costs"});
  return entries == nullptr ? std::int64_t{0} : static_cast<std::int64_t>(entries->size());
}

json::value recompute_cell(const json::object& costs, Timestamp /*now*/) {
  return json::value(is_true_at(costs, {"status", "recompute"}) ? "true" : "false");
}

json::value hash_cell(const json::object& costs, Timestamp /*now*/) {
  return json::value(or_else(text_at(costs, {"status", "podSetHash"}), kNone));
}

// The number at a path of the spec; 0 if it is absent.
json::value number(const json::object& decision, Path path) {
  return json::value(integer_at(decision, path).value_or(0));
}

json::value text(const json::object& decision, Path path) {
  return json::value(or_else(text_at(decision, path), kNone));
}

json::value workload_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "workload", "name"});
}

json::value from_cell(const json::object& decision, Timestamp /*now*/) {
  return number(decision, {"spec", "replicas", "from"});
}

json::value to_cell(const json::object& decision, Timestamp /*now*/) {
  return number(decision, {"spec", "replicas", "to"});
}

json::value gone_cell(const json::object& decision, Timestamp /*now*/) {
  return number(decision, {"spec", "gone"});
}

json::value decided_by_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "decidedBy"});
}

json::value picker_outcome_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "picker", "outcome"});
}

json::value workload_kind_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "workload", "kind"});
}

json::value replica_set_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "replicaSet", "name"});
}

json::value ranking_outcome_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "ranking", "outcome"});
}

// Empty until a scale-down was compared.
json::value shadow_number(const json::object& policy, std::string_view field) {
  const auto number = integer_at(policy, {"status", "shadow", field});
  return number ? json::value(fmt::to_string(*number)) : json::value(kNone);
}

json::value shadow_agreed_cell(const json::object& policy, Timestamp /*now*/) {
  return shadow_number(policy, "agreed");
}

json::value shadow_went_cell(const json::object& policy, Timestamp /*now*/) {
  return shadow_number(policy, "victims");
}

json::value mode_cell(const json::object& policy, Timestamp /*now*/) {
  return json::value(or_else(text_at(policy, {"spec", "mode"}), kNone));
}

json::value decision_agreement_cell(const json::object& decision, Timestamp /*now*/) {
  return text(decision, {"spec", "agreement"});
}

constexpr PrinterColumn kPolicyColumns[] = {
    kNameColumn,
    {"Target", "string", "", 0, "The workload that the policy applies to.", target_cell},
    {"Picker", "string", "", 0, "The address of the picker.", picker_cell},
    {"Ranking", "string", "", 0, "The strategies that rank the pods.", ranking_cell},
    {"Ready", "string", "", 0, "Whether the policy is valid.", policy_ready_cell},
    {"Ranked", "string", "", 0, "Whether the ranks are published.", ranks_cell},
    {"Mode", "string", "", 0, "Whether the policy decides or only watches.", mode_cell},
    {"Agreed", "string", "", 0, "Pods that went and that the policy would have removed too.",
     shadow_agreed_cell},
    {"Went", "string", "", 0, "Pods that went while the policy only watched.", shadow_went_cell},
    kAgeColumn,
    {"Publish", "string", "", 1, "Where the ranks are published.", publish_cell},
    {"Reachable", "string", "", 1, "Whether the picker answered the last call.", reachable_cell},
    {"Conflicting", "string", "", 1, "Whether an older policy has the same target.",
     conflicting_cell},
};

constexpr PrinterColumn kPodGroupCostColumns[] = {
    kNameColumn,
    {"Owner", "string", "", 0, "The workload whose pods are ranked.", owner_cell},
    {"Pods", "integer", "", 0, "The number of ranked pods.", ranked_cell},
    kAgeColumn,
    {"Recompute", "string", "", 1, "Whether ranks are recomputed after each removal.",
     recompute_cell},
    {"Pod-Set", "string", "", 1, "A hash of the pods that were ranked.", hash_cell},
};

constexpr PrinterColumn kDecisionColumns[] = {
    kNameColumn,
    {"Workload", "string", "", 0, "The workload that was scaled down.", workload_cell},
    {"From", "integer", "", 0, "The number of pods before.", from_cell},
    {"To", "integer", "", 0, "The number of pods that were wanted.", to_cell},
    {"Gone", "integer", "", 0, "The number of pods that this round removed.", gone_cell},
    {"Decided-By", "string", "", 0, "The rules that decided.", decided_by_cell},
    {"Picker", "string", "", 0, "How the picker call ended.", picker_outcome_cell},
    kAgeColumn,
    {"Kind", "string", "", 1, "The kind of the workload.", workload_kind_cell},
    {"ReplicaSet", "string", "", 1, "The ReplicaSet whose pods were removed.", replica_set_cell},
    {"Ranking", "string", "", 1, "How ranks were applied.", ranking_outcome_cell},
    {"Shadow", "string", "", 1,
     "The removed pods that ebb would have removed too, and all of them.", decision_agreement_cell},
};

}  // namespace

std::span<const PrinterColumn> policy_columns() { return kPolicyColumns; }
std::span<const PrinterColumn> podgroupcost_columns() { return kPodGroupCostColumns; }
std::span<const PrinterColumn> decision_columns() { return kDecisionColumns; }

}  // namespace ebb::schema
