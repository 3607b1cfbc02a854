// What the fields of our own kinds are for.
#include <map>

#include <fmt/format.h>

#include "schema/notes_text.h"
#include "schema/ranking_rules.h"

namespace ebb::schema {
namespace {

constexpr std::string_view kEbbNotes = R"(
package dev.ebb.v1alpha1

SecretKeySelector: A key of a Secret.
  name: The name of a Secret in the namespace of the workload.
  key: The key in it.
  optional: Leave the header out if the Secret or its key is missing, instead of not asking at all.

PickerHeaderSource: Where the value of a header comes from.
  secretKeyRef: A key of a Secret.

PickerHeader: A header of the request.
  name: The name of the header. Headers that frame the request or that are set anyway are refused.
  value: Its value, in printable ASCII.
  valueFrom: Where its value comes from, in place of value.

SecretReference: A Secret with a certificate and its key.
  name: The name of a Secret of type kubernetes.io/tls in the namespace of the workload.

ClientCertificate: A certificate that is shown to a picker.
  secretRef: The Secret that holds certificate and key.

HttpPicker: A picker that is asked by POST.
  scheme: http or https, in any case.
  host: A host name or an IP address.
  port: 80 for http and 443 for https, unless it is given.
  path: The path of the request, and its query.
  httpHeaders: Headers of the request.
  caBundle: Certificates in PEM format to be trusted beside the system's.
  serverName: The name that the certificate has to have; host by default.
  clientCertificate: The certificate that the picker is shown.

GrpcPicker: A picker that is asked through ebb.picker.v1.PodPicker/Pick.
  host: A host name or an IP address.
  port: 80, and 443 with tls, unless it is given.
  tls: Whether the connection is encrypted.
  metadata: Metadata of the call.
  caBundle: Certificates in PEM format to be trusted beside the system's.
  serverName: The name that the certificate has to have; host by default.
  clientCertificate: The certificate that the picker is shown.

PodPicker: Where a picker is, and how it is asked.
  http: Ask over HTTP.
  grpc: Ask over gRPC.
  context: names: the picker is told the names of the candidates. full: also node, zone, age,
    ready-since, restarts and cost of each.
  timeoutSeconds: How long a scale-down waits for the answer, all attempts together.
  maxRetries: How often a question is repeated at most.

TargetReference: A workload.
  apiVersion: apps/v1.
  kind: Deployment or ReplicaSet.
  name: The name of the workload, in the policy's namespace.

DownscalePolicySpec: Whose pods are chosen, and by what.
  targetRef: The workload.
  podPicker: A service that is asked which pods should go.
  ranking: How pods are ranked in advance.

DownscalePolicyStatus: What has become of a policy.
  observedGeneration: The generation that the status is about.
  conditions: Ready, TargetFound, PickerReachable, Ranked, Conflicting.
  lastDecision: The last scale-down that the policy was used in.

DownscalePolicy: How a workload is scaled down: which of its pods go first.
  spec: What is wanted.
  status: What has become of it.

PodGroupOwner: A workload.
  kind: Deployment or ReplicaSet.
  name: Its name.
  uid: Its uid.

PodGroupCostSpec: The ranks of a workload's pods.
  owner: Whose pods are ranked.
  costs: By the name of a pod: the higher, the sooner it goes.

PodGroupCostStatus: What ranks were worked out from.
  podSetHash: Which pods the ranks were worked out for.
  recompute: Whether each removal asks for new ranks.
  observedGeneration: The generation of the ranks that the status is about; it counts for no other.

PodGroupCost: The ranks of a workload's pods.
  spec: The ranks.
  status: What they were worked out from.

Ranking: Strategies, how their ranks are weighed, and where the sum is written.
  strategies: Strategies, whose weighed ranks are added.
  exact: Rank by removing one pod after the other in thought.
  publish: Where the ranks are written. PodGroupCost: an object beside the ReplicaSet. Annotation:
    scheduling.alpha.kubernetes.io/cost of pods. PodDeletionCost: the deletion cost of pods,
    which every ReplicaSet controller reads. StatusField: status.cost of pods, which only the
    API server of ebb up has; elsewhere such a policy is not acted on.
  waitSeconds: How long a scale-down waits for complete ranks. Unless it is given, it does not wait, or
    30 seconds where ranks have to be worked out anew after each removal.
  duringRollouts: Use ranks while another ReplicaSet of the Deployment has pods, too.
)";

constexpr std::string_view kStrategyNotes = R"(
RankingStrategy: A way to rank pods: the higher the rank, the sooner a pod goes.
  weight: What its ranks are multiplied by.
  threshold: Ranks above this count as this.
  args: What the strategy wants to know.
)";

// What strategies and presets there are, with what they are for.
template <class Entries>
std::string described(std::string_view before, const Entries& entries) {
  std::string text(before);
  for (const auto& entry : entries) text += fmt::format(" {}: {}.", entry.name, entry.summary);
  return text + '\n';
}

// Each argument, with what it means to whom.
std::string argument_notes() {
  std::map<std::string_view, std::string> summaries;
  for (const StrategyRules& strategy : strategy_rules()) {
    for (const RankingArg& arg : strategy.args) {
      std::string& text = summaries[arg.name];
      text += fmt::format(" Of {}: {}", strategy.name, arg.summary);
      if (!arg.by_default.empty()) text += fmt::format(" ({})", arg.by_default);
      text += '.';
    }
  }
  std::string notes = "RankingArgs: What strategies want to know.\n";
  for (const auto& [name, summary] : summaries) notes += fmt::format("  {}:{}\n", name, summary);
  return notes;
}

}  // namespace

std::string ebb_notes() {
  // A field is added to the structure that was described last.
  return std::string(kEbbNotes) +
         described("  preset: A named set of strategies.", ranking_presets()) +
         std::string(kStrategyNotes) + described("  name: Which strategy.", strategy_rules()) +
         argument_notes();
}

}  // namespace ebb::schema
