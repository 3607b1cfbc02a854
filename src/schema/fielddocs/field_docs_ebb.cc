// Field docs of ebb's own kinds.
#include <map>

#include <fmt/format.h>

#include "schema/core/ranking_rules.h"
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {
namespace {

constexpr std::string_view kEbbFieldDocs = R"(
package dev.ebb.v1alpha1

SecretKeySelector: A key of a Secret.
  name: The name of a Secret in the namespace of the workload.
  key: The key in the Secret.
  optional: Omit the header if the Secret or the key is missing. Otherwise the picker is not called.

PickerHeaderSource: The source of a header's value.
  secretKeyRef: A key of a Secret.

PickerHeader: A header of the request.
  name: The name of the header. Reserved headers, which ebb or the protocol sets, are refused.
  value: The value, in printable ASCII.
  valueFrom: The source of the value, instead of value.

SecretReference: A Secret with a certificate and its key.
  name: The name of a Secret of type kubernetes.io/tls in the namespace of the workload.

ClientCertificate: A client certificate for calls to a picker.
  secretRef: The Secret with the certificate and its key.

HttpPicker: A picker that is called over HTTP, by POST.
  scheme: http or https, case-insensitive.
  host: A host name or an IP address.
  port: The port; by default 80 for http and 443 for https.
  path: The path and query of the request.
  httpHeaders: Headers of the request.
  caBundle: CA certificates in PEM format, trusted in addition to the system's; at most 32.
  serverName: The name that the picker's certificate must be valid for; host by default.
  clientCertificate: The client certificate for mutual TLS.

GrpcPicker: A picker that is called over gRPC, by ebb.picker.v1.PodPicker/Pick.
  host: A host name or an IP address.
  port: The port; by default 80, or 443 with tls.
  tls: Whether the connection uses TLS.
  metadata: gRPC metadata of the call.
  caBundle: CA certificates in PEM format, trusted in addition to the system's; at most 32.
  serverName: The name that the picker's certificate must be valid for; host by default.
  clientCertificate: The client certificate for mutual TLS.

PodPicker: The address of a picker, and how it is called.
  http: Call the picker over HTTP.
  grpc: Call the picker over gRPC.
  context: names: the request contains the names of the candidates. full: also the node, zone, age,
    ready-since, restarts and cost of each.
  timeoutSeconds: The time budget of one decision, including all attempts.
  maxRetries: The maximum number of retries of one call.

TargetReference: A workload: a ReplicaSet, or an object that owns ReplicaSets.
  apiVersion: The API version of the workload, such as apps/v1 or argoproj.io/v1alpha1. Only the
    group counts.
  kind: The kind of the workload: Deployment, ReplicaSet, or any other kind that owns ReplicaSets,
    such as Rollout of argoproj.io. The owner of a ReplicaSet is its controller, the owner reference
    with controller true.
  name: The name of the workload, in the policy's namespace.

DownscalePolicySpec: The workload, and how its victims are chosen.
  targetRef: The workload that the policy applies to.
  podPicker: A service that is called during a scale-down to choose the pods to remove.
  ranking: How pods are ranked in advance, before a scale-down.
  deletionCost: Whether deletion costs that other programs wrote on the pods count. Respect: they
    do, and they come before the picker. Ignore: they do not.
  mode: Active: the policy decides. Shadow: its choices are recorded and compared with what really
    went, and the default order decides.

DownscalePolicyStatus: The observed state of a policy.
  observedGeneration: The generation of the policy that the status describes.
  conditions: The conditions Ready, TargetFound, PickerReachable, Ranked, CostContested and
    Conflicting.
  lastDecision: The last scale-down that used the policy.
  shadow: How often the policy and what really went agreed, while it was only watching.

ShadowStatus: How often a policy and what really went agreed.
  decisions: The number of scale-downs that were compared.
  victims: The number of pods that went in them.
  agreed: The number of these pods that the policy would have removed as well.

DownscalePolicy: How a workload is scaled down: which of its pods go first.
  spec: The desired behaviour.
  status: The observed state.

PodGroupOwner: A workload.
  kind: The kind of the workload, Deployment or ReplicaSet.
  name: The name of the workload.
  uid: The uid of the workload.

PodGroupCostSpec: The ranks of a workload's pods.
  owner: The workload whose pods are ranked.
  costs: The rank of each pod by name; the higher the rank, the sooner the pod goes.

PodGroupCostStatus: The basis of the ranks.
  podSetHash: A hash of the pods that were ranked.
  recompute: Whether the ranks are valid for one removal only.
  observedGeneration: The generation that the status describes. It is ignored for any other.

PodGroupCost: The ranks of a workload's pods.
  spec: The ranks.
  status: The basis of the ranks.

DecisionWorkload: The workload that was scaled down.
  kind: The kind of the workload, such as Deployment; ReplicaSet if the ReplicaSet has no owner.
  name: The name of the workload.

DecisionReplicaSet: The ReplicaSet whose pods were removed.
  name: The name of the ReplicaSet.
  uid: The uid of the ReplicaSet.

DecisionReplicas: The number of pods before the decision, and the number that was wanted.
  from: The number of active pods before the decision.
  to: The value of spec.replicas.

DecisionPicker: How the picker call ended.
  carrier: The object or field that configures the picker, such as DownscalePolicy/web.
  outcome: How the call ended, in a few words, such as answered or timeout.
  endpoint: The address of the picker, without path and headers.
  code: The status code of the last attempt, if the outcome is a status code.
  problem: What is wrong with the settings of the picker or with a Secret that they name.
  requested: The number of pods that the picker was asked for.
  attempts: The number of requests that were sent.
  durationSeconds: The time from the first request to the end of the call, including waiting.
  idempotencyKey: The idempotency key of the requests.
  chosen: The number of candidates that the picker chose.
  tied: The number of candidates among which the picker has no preference.
  namesIgnored: The number of names in the answer that are not candidates or that occur twice.

DecisionRanking: How ranks were applied.
  outcome: How ranks were applied, in a few words, such as ranked or incomplete.
  policy: The policy that asks for ranks.
  carrier: The place from which the ranks were read.
  recompute: Whether the ranks are valid for one removal only.
  waitedSeconds: How long the scale-down waited for ranks.
  problems: Why carriers could not be used, one sentence each.

DecisionVictim: A pod that was chosen.
  position: The position in the removal order; 1 is the first pod to go.
  name: The name of the pod.
  uid: The uid of the pod.
  node: The node that the pod ran on.
  decidedBy: The rule that decided.
  because: Why the pod was chosen, in a sentence.
  outcome: How the delete ended, such as deleted or gone already. Of a shadow decision: went or stayed.

DecisionRemoved: A pod that the acting controller removed.
  name: The name of the pod.
  uid: The uid of the pod.
  node: The node that the pod ran on.
  agreed: Whether ebb would have removed the pod too.
  keptBy: The rule by which ebb would have kept the pod.
  because: Why ebb would have kept the pod, in a sentence.

DecisionActual: What the acting controller did in a scale-down that ebb only watched.
  end: Why the comparison ended: complete, resized (the size changed again) or timeout.
  agreed: The number of removed pods that ebb would have removed too.
  removed: The pods that were removed, in the order in which they went; at most 500.
  omittedRemoved: The number of pods that are missing from `removed`, because the record would have become
    too large.

DownscaleDecisionSpec: The record of one round of a scale-down.
  id: The id of the decision, as in the decision log.
  time: When the decision was made.
  workload: The workload that was scaled down.
  replicaSet: The ReplicaSet whose pods were removed.
  replicas: The number of pods before the decision, and the number that was wanted.
  candidates: The number of pods that could be chosen.
  gone: The number of pods that this round removed.
  decidedBy: The rules that decided, the most frequent first, separated by commas.
  picker: How the picker call ended. Absent if no picker is configured.
  ranking: How ranks were applied. Absent if there are none.
  consulted: What else was consulted, one sentence each.
  victims: The pods that were chosen, in the order of their removal; at most 500.
  omittedVictims: The number of victims that are missing from `victims`, because the record would have become
    too large.
  firstKept: The first pod that was kept, with which every victim was compared.
  gates: The feature gates that were in force.
  version: The version of ebb that made the decision.
  shadow: Whether ebb only watched. The victims are then the pods that it would have removed.
  agreement: The removed pods that ebb would have removed too, and all removed pods, such as 3/4. Only
    of shadow decisions.
  actual: What the acting controller did. Only of shadow decisions.

DownscaleDecision: A record of which pods went in one round of a scale-down, and why. ebb writes these
    records, and deletes the oldest ones.
  spec: The record. Nothing reads it; changes have no effect.

Ranking: The strategies, their weights, and where the ranks are published.
  strategies: The strategies. The rank of a pod is the weighted sum of their ranks.
  exact: Rank the pods by simulating their removal one by one.
  publish: Where the ranks are published. PodGroupCost: an object of that kind in the namespace of
    the workload. Annotation: scheduling.alpha.kubernetes.io/cost of pods. PodDeletionCost: the
    deletion cost of pods, which every ReplicaSet controller reads. StatusField: status.cost of
    pods, which only the API server of ebb up supports; on other API servers the policy has no
    effect.
  waitSeconds: How long a scale-down waits for complete ranks. By default it does not wait, or waits
    30 seconds if ranks must be recomputed after each removal.
  duringRollouts: Use ranks even while another ReplicaSet of the same owner has pods.
)";

constexpr std::string_view kStrategyFieldDocs = R"(
RankingStrategy: A way to rank pods: the higher the rank, the sooner a pod goes.
  weight: The factor by which its ranks are multiplied.
  threshold: The maximum rank; higher ranks count as this value.
  args: The arguments of the strategy.
)";

// Lists the strategies or presets with their summaries.
template <class Entries>
std::string described(std::string_view before, const Entries& entries) {
  std::string text(before);
  for (const auto& entry : entries) text += fmt::format(" {}: {}.", entry.name, entry.summary);
  return text + '\n';
}

// Lists each argument with its meaning for each strategy.
std::string argument_field_docs() {
  std::map<std::string_view, std::string> summaries;
  for (const StrategyRules& strategy : strategy_rules()) {
    for (const RankingArg& arg : strategy.args) {
      std::string& text = summaries[arg.name];
      text += fmt::format(" For {}: {}", strategy.name, arg.summary);
      if (!arg.by_default.empty()) text += fmt::format(" (default {})", arg.by_default);
      text += '.';
    }
  }
  std::string field_docs = "RankingArgs: The arguments of the strategies.\n";
  for (const auto& [name, summary] : summaries)
    field_docs += fmt::format("  {}:{}\n", name, summary);
  return field_docs;
}

}  // namespace

std::string ebb_field_docs() {
  // Each field is added to the last structure before it.
  return std::string(kEbbFieldDocs) +
         described("  preset: A named set of strategies.", ranking_presets()) +
         std::string(kStrategyFieldDocs) +
         described("  name: The name of the strategy.", strategy_rules()) + argument_field_docs();
}

}  // namespace ebb::schema
