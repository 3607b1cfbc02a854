// The kinds of ebb.dev: what somebody on call wants to know about them at a glance.
#include <fmt/format.h>

#include "schema/cells.h"
#include "schema/columns.h"

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

// `https://picker.shop.svc:8443/pick`, without a port or path that goes without saying.
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

// Where the picker is: https://picker.shop.svc, grpc://picker.shop.svc:50051
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

json::value ready_cell(const json::object& policy, Timestamp /*now*/) {
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

constexpr Column kPolicyColumns[] = {
    kNameColumn,
    {"Target", "string", "", 0, "The workload that is scaled down this way.", target_cell},
    {"Picker", "string", "", 0, "The service that is asked which pods should go.", picker_cell},
    {"Ranking", "string", "", 0, "The strategies that rank the pods.", ranking_cell},
    {"Ready", "string", "", 0, "Whether the policy is in force.", ready_cell},
    {"Ranked", "string", "", 0, "Whether the pods have their ranks.", ranks_cell},
    kAgeColumn,
    {"Publish", "string", "", 1, "Where the ranks are written.", publish_cell},
    {"Reachable", "string", "", 1, "Whether the picker answered last time.", reachable_cell},
    {"Conflicting", "string", "", 1, "Whether an older policy has the same target.",
     conflicting_cell},
};

constexpr Column kPodGroupCostColumns[] = {
    kNameColumn,
    {"Owner", "string", "", 0, "Whose pods are ranked.", owner_cell},
    {"Pods", "integer", "", 0, "How many pods are ranked.", ranked_cell},
    kAgeColumn,
    {"Recompute", "string", "", 1, "Whether each removal asks for new ranks.", recompute_cell},
    {"Pod-Set", "string", "", 1, "The hash of the pods that were ranked.", hash_cell},
};

}  // namespace

std::span<const Column> policy_columns() { return kPolicyColumns; }
std::span<const Column> podgroupcost_columns() { return kPodGroupCostColumns; }

}  // namespace ebb::schema
