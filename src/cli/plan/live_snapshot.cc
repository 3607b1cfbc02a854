#include "cli/plan/live_snapshot.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/plan/live_list.h"
#include "cli/plan/live_requests.h"
#include "control/cache/list_page.h"
#include "control/policy/ranking_choice.h"
#include "model/api/list_query.h"
#include "model/json/identity.h"
#include "model/snapshot/read_snapshot.h"
#include "ranking/strategy.h"

namespace ebb::cli {
namespace {

using kube::ApiReply;
using model::percent_encoded;
using plan::Request;

constexpr std::string_view kAcceptJson = "application/json";

constexpr LiveKind kDeployments{"/apis/apps/v1", "deployments"};
constexpr LiveKind kReplicaSets{"/apis/apps/v1", "replicasets"};
constexpr LiveKind kPods{"/api/v1", "pods", true, false, true};
constexpr LiveKind kPodsEverywhere{"/api/v1", "pods", false, true, true};
// Policies come before pods, because they determine which pods are needed.
constexpr std::array kRead = {
    kDeployments,
    kReplicaSets,
    LiveKind{"/apis/ebb.dev/v1alpha1", "downscalepolicies", true, true},
    LiveKind{"/apis/ebb.dev/v1alpha1", "podgroupcosts", true, true},
    LiveKind{"/api/v1", "nodes", false, true, true},
};

const LiveKind& kind_of(const Request& request) {
  return request.kind == Request::Kind::kDeployment ? kDeployments : kReplicaSets;
}

Result<std::vector<std::string>> namespaces_in(std::string_view list) {
  EBB_ASSIGN_OR_RETURN(const auto page, control::read_page(list));
  std::vector<std::string> found;
  for (const std::string_view item : page.items) {
    found.emplace_back(model::identity_in_json(item).namespace_name);
  }
  return found;
}

bool ranks_by_other_pods(const ranking::Settings& settings) {
  return std::any_of(settings.strategies.begin(), settings.strategies.end(),
                     [](const ranking::Weighed& one) { return one.strategy->reads_other_pods; });
}

// Whether a policy that may apply needs pods of other workloads, in any namespace.
bool needs_pods_everywhere(const model::Snapshot& read, const Request& request) {
  if (!request.gates.on(model::Gate::kPodCostRanking)) return false;
  if (request.policy) {
    return request.policy->ranking && ranks_by_other_pods(*request.policy->ranking);
  }
  return std::any_of(read.policies.begin(), read.policies.end(),
                     [](const model::DownscalePolicy& policy) {
                       if (!policy.has_ranking) return false;
                       const auto settings = control::read_ranking(policy).settings;
                       return settings && ranks_by_other_pods(*settings);
                     });
}

Result<void> read_pods(LiveRequests& requests, const Request& request,
                       model::SnapshotReader& reader, const Streams& streams) {
  if (needs_pods_everywhere(reader.so_far(), request)) {
    const std::size_t before = reader.count();
    auto read = read_kind(requests, kPodsEverywhere, {}, reader);
    if (!read || reader.count() > before) return read;
    streams.err << "Warning: pods of other namespaces cannot be read, so ranks are computed "
                   "without them\n";
  }
  return read_kind(requests, kPods, request.namespace_name, reader);
}

}  // namespace

Result<std::string> find_namespace(kube::Client& client, const Request& request,
                                   const Streams& streams) {
  const LiveKind& kind = kind_of(request);
  LiveRequests requests(client, streams.err);
  const ApiReply reply =
      requests.ask(path_of(kind, {}),
                   "fieldSelector=metadata.name%3D" + percent_encoded(request.name), kAcceptJson);
  if (!good(reply)) return refused(reply);
  EBB_ASSIGN_OR_RETURN(std::vector<std::string> found, namespaces_in(reply.response.body.str()));
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no namespace has {} {}", kind.plural, request.name));
  }
  return fail(ErrorCode::kUsage,
              fmt::format("several namespaces have {} {}: {}; choose one with -n", kind.plural,
                          request.name, fmt::join(found, ", ")));
}

Result<model::Snapshot> read_live(kube::Client& client, const Request& request,
                                  const Streams& streams) {
  LiveRequests requests(client, streams.err);
  // Read separately, so that a wrong name causes the same error as in kubectl.
  const ApiReply target =
      requests.ask(fmt::format("{}/{}", path_of(kind_of(request), request.namespace_name),
                               percent_encoded(request.name)),
                   {}, kAcceptJson);
  if (!good(target)) return refused(target);
  model::SnapshotReader reader(model::OnInvalid::kKeepOthers);
  for (const LiveKind& one : kRead) {
    EBB_RETURN_IF_ERROR(read_kind(requests, one, request.namespace_name, reader));
  }
  EBB_RETURN_IF_ERROR(read_pods(requests, request, reader, streams));
  return std::move(reader).finish();
}

}  // namespace ebb::cli
