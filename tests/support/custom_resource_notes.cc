#include "support/custom_resource_notes.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/picker_rules.h"
#include "support/ranking_notes.h"

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
  return fmt::format(R"("maxLength":{})", schema::kMostCaBundleBytes);
}

std::string headers_schema() { return fmt::format(R"("maxItems":{})", schema::kMostPickerHeaders); }

std::vector<Note> picker_notes() {
  return {
      {"SecretKeySelector", "name", "The name of a Secret in the namespace of the workload."},
      {"SecretKeySelector", "key", "The key in it.",
       R"("maxLength":253,"pattern":"^[-._a-zA-Z0-9]+$")"},
      {"SecretKeySelector", "optional",
       "Leave the header out if the Secret or its key is missing, instead of not asking at all."},
      {"PickerHeaderSource", "secretKeyRef", "A key of a Secret."},
      {"PickerHeader", "", "A header of the request.", header_rules()},
      {"PickerHeader", "name",
       "The name of the header. Headers that frame the request or that are set anyway are refused.",
       fmt::format(R"("maxLength":{},"pattern":"^[-!#$%&'*+.^_`|~0-9A-Za-z]+$")",
                   schema::kMostHeaderNameBytes)},
      {"PickerHeader", "value", "Its value, in printable ASCII.",
       fmt::format(R"("maxLength":{},"pattern":"^[ -~]*$")", schema::kMostPickerHeaderBytes)},
      {"PickerHeader", "valueFrom", "Where its value comes from, in place of value."},
      {"SecretReference", "name",
       "The name of a Secret of type kubernetes.io/tls in the namespace of the workload."},
      {"ClientCertificate", "secretRef", "The Secret that holds certificate and key."},
      {"HttpPicker", "", "A picker that is asked by POST.",
       tls_rules("self.scheme.lowerAscii() == 'https'",
                 "caBundle, serverName and clientCertificate may only be given with https")},
      {"HttpPicker", "scheme", "http or https, in any case.",
       R"("pattern":"^[hH][tT][tT][pP][sS]?$")"},
      {"HttpPicker", "host", "A host name or an IP address.", host_schema()},
      {"HttpPicker", "port", "80 for http and 443 for https, unless it is given.",
       std::string(kPortSchema)},
      {"HttpPicker", "path", "The path of the request, and its query.",
       fmt::format(R"("maxLength":{},"pattern":"^/[!-\"$-~]*$")", schema::kMostPickerPathBytes)},
      {"HttpPicker", "httpHeaders", "Headers of the request.", headers_schema()},
      {"HttpPicker", "caBundle", "Certificates in PEM format to be trusted beside the system's.",
       ca_bundle_schema()},
      {"HttpPicker", "serverName", "The name that the certificate has to have; host by default.",
       server_name_schema()},
      {"HttpPicker", "clientCertificate", "The certificate that the picker is shown."},
      {"GrpcPicker", "", "A picker that is asked through ebb.picker.v1.PodPicker/Pick.",
       tls_rules("(has(self.tls) && self.tls)",
                 "caBundle, serverName and clientCertificate may only be given with tls")},
      {"GrpcPicker", "host", "A host name or an IP address.", host_schema()},
      {"GrpcPicker", "port", "80, and 443 with tls, unless it is given.", std::string(kPortSchema)},
      {"GrpcPicker", "tls", "Whether the connection is encrypted."},
      {"GrpcPicker", "metadata", "Metadata of the call.",
       headers_schema() + "," +
           rules({{"self.all(item, item.name.matches('^[a-z0-9_.-]+$') && "
                   "!item.name.startsWith('grpc-') && !item.name.endsWith('-bin'))",
                   "names must consist of lower-case letters, digits, '-', '_' or '.', must not "
                   "start with 'grpc-' and must not end with '-bin'"}})},
      {"GrpcPicker", "caBundle", "Certificates in PEM format to be trusted beside the system's.",
       ca_bundle_schema()},
      {"GrpcPicker", "serverName", "The name that the certificate has to have; host by default.",
       server_name_schema()},
      {"GrpcPicker", "clientCertificate", "The certificate that the picker is shown."},
      {"PodPicker", "", "A service that is asked which pods should go.",
       rules({{"has(self.http) != has(self.grpc)", "exactly one of http and grpc must be given"}})},
      {"PodPicker", "http", "Ask over HTTP."},
      {"PodPicker", "grpc", "Ask over gRPC."},
      {"PodPicker", "context",
       "names: the picker is told the names of the candidates. full: also node, zone, age, "
       "ready-since, restarts and cost of each."},
      {"PodPicker", "timeoutSeconds",
       "How long a scale-down waits for the answer, all attempts together."},
      {"PodPicker", "maxRetries", "How often a question is repeated at most."},
  };
}

std::vector<Note> policy_notes() {
  return {
      {"TargetReference", "apiVersion", "apps/v1."},
      {"TargetReference", "kind", "Deployment or ReplicaSet."},
      {"TargetReference", "name", "The name of the workload, in the policy's namespace."},
      {"DownscalePolicySpec", "", "What is wanted.",
       rules({{"has(self.podPicker) || has(self.ranking)",
               "at least one of podPicker and ranking must be given"}})},
      {"DownscalePolicySpec", "targetRef", "The workload."},
      {"DownscalePolicySpec", "podPicker", "A service that is asked which pods should go."},
      {"DownscalePolicySpec", "ranking", "How pods are ranked in advance."},
      {"DownscalePolicyStatus", "observedGeneration", "The generation that the status is about."},
      {"DownscalePolicyStatus", "conditions", "Ready, TargetFound, PickerReachable, Ranked, Conflicting."},
      {"DownscalePolicyStatus", "lastDecision", "The last scale-down that the policy was used in."},
      {"DownscalePolicy", "", "How a workload is scaled down: which of its pods go first."},
      {"DownscalePolicy", "spec", "What is wanted."},
      {"DownscalePolicy", "status", "What has become of it."},
      {"PodGroupOwner", "kind", "Deployment or ReplicaSet."},
      {"PodGroupOwner", "name", "Its name."},
      {"PodGroupOwner", "uid", "Its uid."},
      {"PodGroupCostSpec", "owner", "Whose pods are ranked."},
      {"PodGroupCostSpec", "costs", "By the name of a pod: the higher, the sooner it goes."},
      {"PodGroupCostStatus", "podSetHash", "Which pods the ranks were worked out for."},
      {"PodGroupCostStatus", "recompute", "Whether each removal asks for new ranks."},
      {"PodGroupCostStatus", "observedGeneration",
       "The generation of the ranks that the status is about; it counts for no other."},
      {"PodGroupCost", "", "The ranks of a workload's pods."},
      {"PodGroupCost", "spec", "The ranks."},
      {"PodGroupCost", "status", "What they were worked out from."},
      {"Condition", "type", "What the condition is about."},
      {"Condition", "status", "True, False or Unknown.", R"("enum":["True","False","Unknown"])"},
      {"Condition", "observedGeneration", "The generation that the condition is about."},
      {"Condition", "lastTransitionTime", "When the status changed."},
      {"Condition", "reason", "Why, in one word."},
      {"Condition", "message", "Why, in a sentence."},
  };
}

const std::vector<Note>& all_notes() {
  static const std::vector<Note> kNotes = [] {
    std::vector<Note> all = picker_notes();
    for (const auto& more : {ranking_notes(), policy_notes()}) {
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return kNotes;
}

constexpr PrinterColumn kColumns[] = {
    {"DownscalePolicy", "Kind", "string", ".spec.targetRef.kind"},
    {"DownscalePolicy", "Target", "string", ".spec.targetRef.name"},
    {"DownscalePolicy", "Picker", "string", ".spec.podPicker['http','grpc'].host"},
    {"DownscalePolicy", "Ranking", "string", ".spec.ranking.preset"},
    {"DownscalePolicy", "Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status"},
    {"DownscalePolicy", "Ranked", "string", ".status.conditions[?(@.type==\"Ranked\")].status"},
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

const Note* find_note(std::string_view shape, std::string_view field) {
  const std::vector<Note>& notes = all_notes();
  const auto found = std::find_if(notes.begin(), notes.end(), [&](const Note& note) {
    return note.shape == shape && note.field == field;
  });
  return found == notes.end() ? nullptr : &*found;
}

std::span<const PrinterColumn> printer_columns() { return kColumns; }

}  // namespace ebb::support
