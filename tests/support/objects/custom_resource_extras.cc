#include "support/objects/custom_resource_extras.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/core/picker_rules.h"
#include "support/objects/ranking_extras.h"

namespace ebb::support {

std::string rules(const std::vector<std::pair<std::string, std::string>>& all) {
  std::string text;
  for (const auto& [rule, message] : all) {
    if (!text.empty()) text += ',';
    text += fmt::format(R"({{"rule":"{}","message":"{}"}})", rule, message);
  }
  return fmt::format(R"("x-kubernetes-validations":[{}])", text);
}

namespace {

constexpr std::string_view kLabel = "[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?";
constexpr std::string_view kPortSchema =
    R"("minimum":1,"maximum":65535,"pattern":"^[1-9][0-9]{0,4}$")";

// Patterns cannot say "but not", so that is a rule of its own. There are no backslashes in CEL
// here: they would have to be doubled three times over.
constexpr std::string_view kEndsInNumber = "self.matches('(^|[.])([0-9]+|0[xX][0-9a-fA-F]*)$')";

std::string host_schema() {
  constexpr std::string_view kByte = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
  const std::string rule = fmt::format(
      "self.contains(':') || !{0} || self.matches('^({1}[.]){{3}}{1}$')", kEndsInNumber, kByte);
  return fmt::format(
      R"("maxLength":253,"pattern":"^({0}([.]{0})*|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$",{1})", kLabel,
      rules({{rule,
              "must be a host name or an IP address, without scheme, port or "
              "path"}}));
}

std::string tls_rules(std::string_view uses_tls, std::string_view message) {
  return rules({{fmt::format("{} || !(has(self.caBundle) || has(self.serverName) || "
                             "has(self.clientCertificate))",
                             uses_tls),
                 std::string(message)}});
}

std::string header_rules() {
  return rules({{fmt::format("!(self.name.lowerAscii() in ['{}']) && "
                             "!self.name.lowerAscii().startsWith('proxy-')",
                             fmt::join(schema::reserved_headers(), "', '")),
                 "this header is set by the client itself"},
                {"has(self.valueFrom) ? !has(self.value) || self.value == '' : has(self.value)",
                 "exactly one of value and valueFrom must be given"}});
}

std::string server_name_schema() {
  return fmt::format(R"("maxLength":253,"pattern":"^{0}([.]{0})*$",{1})", kLabel,
                     rules({{fmt::format("!{}", kEndsInNumber), "must be a host name"}}));
}

std::string ca_bundle_schema() {
  return fmt::format(R"("maxLength":{})", schema::kMaxCaBundleBytes);
}

std::string headers_schema() { return fmt::format(R"("maxItems":{})", schema::kMaxPickerHeaders); }

std::vector<Extra> picker_extras() {
  const std::string port(kPortSchema);
  const std::string metadata =
      rules({{"self.all(item, item.name.matches('^[a-z0-9_.-]+$') && "
              "!item.name.startsWith('grpc-') && !item.name.endsWith('-bin'))",
              "names must consist of lower-case letters, digits, '-', '_' or '.', must not "
              "start with 'grpc-' and must not end with '-bin'"}});
  return {
      {"SecretKeySelector", "key", R"("maxLength":253,"pattern":"^[-._a-zA-Z0-9]+$")"},
      {"PickerHeader", "", header_rules()},
      {"PickerHeader", "name",
       fmt::format(R"("maxLength":{},"pattern":"^[-!#$%&'*+.^_`|~0-9A-Za-z]+$")",
                   schema::kMaxHeaderNameBytes)},
      {"PickerHeader", "value",
       fmt::format(R"("maxLength":{},"pattern":"^[ -~]*$")", schema::kMaxPickerHeaderBytes)},
      {"HttpPicker", "",
       tls_rules("self.scheme.lowerAscii() == 'https'",
                 "caBundle, serverName and clientCertificate may only be given with https")},
      {"HttpPicker", "scheme", R"("pattern":"^[hH][tT][tT][pP][sS]?$")"},
      {"HttpPicker", "host", host_schema()},
      {"HttpPicker", "port", port},
      {"HttpPicker", "path",
       fmt::format(R"("maxLength":{},"pattern":"^/[!-\"$-~]*$")", schema::kMaxPickerPathBytes)},
      {"HttpPicker", "httpHeaders", headers_schema()},
      {"HttpPicker", "caBundle", ca_bundle_schema()},
      {"HttpPicker", "serverName", server_name_schema()},
      {"GrpcPicker", "",
       tls_rules("(has(self.tls) && self.tls)",
                 "caBundle, serverName and clientCertificate may only be given with tls")},
      {"GrpcPicker", "host", host_schema()},
      {"GrpcPicker", "port", port},
      {"GrpcPicker", "metadata", headers_schema() + "," + metadata},
      {"GrpcPicker", "caBundle", ca_bundle_schema()},
      {"GrpcPicker", "serverName", server_name_schema()},
      {"PodPicker", "",
       rules({{"has(self.http) != has(self.grpc)", "exactly one of http and grpc must be given"}})},
  };
}

std::vector<Extra> policy_extras() {
  return {
      {"DownscalePolicySpec", "",
       rules({{"has(self.podPicker) || has(self.ranking)",
               "at least one of podPicker and ranking must be given"}})},
      {"Condition", "status", R"("enum":["True","False","Unknown"])"},
  };
}

// Bounds for records that a tenant writes itself: ebb stays far below them.
std::vector<Extra> decision_extras() {
  std::vector<Extra> extras = {
      {"DecisionRanking", "problems", R"("maxItems":16)"},
      {"DownscaleDecisionSpec", "consulted", R"("maxItems":16)"},
      {"DownscaleDecisionSpec", "victims", R"("maxItems":500)"},
      {"DownscaleDecisionSpec", "gates", R"("maxProperties":64)"},
  };
  constexpr std::string_view kSentence = R"("maxLength":1024)";
  constexpr std::string_view kName = R"("maxLength":512)";
  for (const auto& [schema, field] :
       {std::pair("DecisionPicker", "problem"), std::pair("DecisionVictim", "because"),
        std::pair("DecisionVictim", "outcome")}) {
    extras.push_back({schema, field, std::string(kSentence)});
  }
  for (const auto& [schema, field] :
       {std::pair("DecisionWorkload", "kind"), std::pair("DecisionWorkload", "name"),
        std::pair("DecisionReplicaSet", "name"), std::pair("DecisionReplicaSet", "uid"),
        std::pair("DecisionPicker", "carrier"), std::pair("DecisionPicker", "outcome"),
        std::pair("DecisionPicker", "endpoint"), std::pair("DecisionPicker", "idempotencyKey"),
        std::pair("DecisionRanking", "outcome"), std::pair("DecisionRanking", "policy"),
        std::pair("DecisionRanking", "carrier"), std::pair("DecisionVictim", "name"),
        std::pair("DecisionVictim", "uid"), std::pair("DecisionVictim", "node"),
        std::pair("DecisionVictim", "decidedBy"), std::pair("DownscaleDecisionSpec", "id"),
        std::pair("DownscaleDecisionSpec", "decidedBy"),
        std::pair("DownscaleDecisionSpec", "firstKept"),
        std::pair("DownscaleDecisionSpec", "version")}) {
    extras.push_back({schema, field, std::string(kName)});
  }
  return extras;
}

const std::vector<Extra>& all_extras() {
  static const std::vector<Extra> kExtras = [] {
    std::vector<Extra> all = picker_extras();
    for (const auto& more : {ranking_extras(), policy_extras(), decision_extras()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return kExtras;
}

constexpr PrinterColumn kColumns[] = {
    {"DownscaleDecision", "Workload", "string", ".spec.workload.name"},
    {"DownscaleDecision", "From", "integer", ".spec.replicas.from"},
    {"DownscaleDecision", "To", "integer", ".spec.replicas.to"},
    {"DownscaleDecision", "Gone", "integer", ".spec.gone"},
    {"DownscaleDecision", "Decided-By", "string", ".spec.decidedBy"},
    {"DownscaleDecision", "Picker", "string", ".spec.picker.outcome"},
    {"DownscaleDecision", "Shadow", "string", ".spec.agreement"},
    {"DownscaleDecision", "Age", "date", ".metadata.creationTimestamp"},
    {"DownscaleDecision", "Kind", "string", ".spec.workload.kind", 1},
    {"DownscaleDecision", "ReplicaSet", "string", ".spec.replicaSet.name", 1},
    {"DownscaleDecision", "Ranking", "string", ".spec.ranking.outcome", 1},
    {"DownscalePolicy", "Kind", "string", ".spec.targetRef.kind"},
    {"DownscalePolicy", "Target", "string", ".spec.targetRef.name"},
    {"DownscalePolicy", "Picker", "string", ".spec.podPicker['http','grpc'].host"},
    {"DownscalePolicy", "Ranking", "string", ".spec.ranking.preset"},
    {"DownscalePolicy", "Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status"},
    {"DownscalePolicy", "Ranked", "string", ".status.conditions[?(@.type==\"Ranked\")].status"},
    {"DownscalePolicy", "Mode", "string", ".spec.mode"},
    {"DownscalePolicy", "Agreed", "integer", ".status.shadow.agreed"},
    {"DownscalePolicy", "Went", "integer", ".status.shadow.victims"},
    {"DownscalePolicy", "Age", "date", ".metadata.creationTimestamp"},
    {"DownscalePolicy", "Port", "string", ".spec.podPicker['http','grpc'].port", 1},
    {"DownscalePolicy", "Path", "string", ".spec.podPicker.http.path", 1},
    {"DownscalePolicy", "Publish", "string", ".spec.ranking.publish", 1},
    {"DownscalePolicy", "Reachable", "string",
     ".status.conditions[?(@.type==\"PickerReachable\")].status", 1},
    {"DownscalePolicy", "Conflicting", "string",
     ".status.conditions[?(@.type==\"Conflicting\")].status", 1},
    {"PodGroupCost", "Kind", "string", ".spec.owner.kind"},
    {"PodGroupCost", "Owner", "string", ".spec.owner.name"},
    {"PodGroupCost", "Age", "date", ".metadata.creationTimestamp"},
    {"PodGroupCost", "Recompute", "boolean", ".status.recompute", 1},
    {"PodGroupCost", "Pod-Set", "string", ".status.podSetHash", 1},
};

}  // namespace

std::string_view find_extra(std::string_view object_schema, std::string_view field) {
  for (const Extra& extra : all_extras()) {
    if (extra.object_schema == object_schema && extra.field == field) return extra.schema;
  }
  return {};
}

std::span<const PrinterColumn> printer_columns() { return kColumns; }

}  // namespace ebb::support
