#include "cli/live_snapshot.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/live_list.h"
#include "cli/live_requests.h"
#include "control/ranking_choice.h"
#include "model/list_query.h"
#include "model/read_snapshot.h"
#include "ranking/strategy.h"
#include "schema/json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;
using kube::ApiReply;
using model::percent_encoded;
using plan::Request;
using schema::text_at;

constexpr std::string_view kJson = "application/json";

constexpr LiveKind kDeployments{"/apis/apps/v1", "deployments"};
constexpr LiveKind kReplicaSets{"/apis/apps/v1", "replicasets"};
constexpr LiveKind kPods{"/api/v1", "pods", true, false, true};
constexpr LiveKind kPodsEverywhere{"/api/v1", "pods", false, true, true};
// Before pods, because policies say which of those are looked at.
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

std::vector<std::string> namespaces_in(const std::string& list) {
  json::parse_options options;
  options.max_depth = 200;
  json::error_code error;
  const json::value value = json::parse(list, error, {}, options);
  std::vector<std::string> found;
  if (error || !value.is_object()) return found;
  const json::array* items = schema::array_at(value.get_object(), {"items"});
  if (items == nullptr) return found;
  for (const json::value& item : *items) {
    if (item.is_object()) found.emplace_back(text_at(item.get_object(), {"metadata", "namespace"}));
  }
  return found;
}

bool ranks_by_other_pods(const ranking::Settings& settings) {
  return std::any_of(settings.strategies.begin(), settings.strategies.end(),
                     [](const ranking::Weighed& one) { return one.strategy->reads_other_pods; });
}

// Whether a policy that may count looks at pods of other workloads, wherever they are.
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
    streams.err << "Warning: pods of other namespaces cannot be read, so ranks are worked out "
                   "without them\n";
  }
  return read_kind(requests, kPods, request.name_space, reader);
}

}  // namespace

Result<std::string> find_namespace(kube::Client& client, const Request& request,
                                   const Streams& streams) {
  const LiveKind& kind = kind_of(request);
  LiveRequests requests(client, streams.err);
  const ApiReply reply = requests.ask(
      path_of(kind, {}), "fieldSelector=metadata.name%3D" + percent_encoded(request.name), kJson);
  if (!good(reply)) return refused(reply);
  std::vector<std::string> found = namespaces_in(reply.response.body.str());
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
  // Asked for by itself, so that a wrong name is told as kubectl tells it.
  const ApiReply target =
      requests.ask(fmt::format("{}/{}", path_of(kind_of(request), request.name_space),
                               percent_encoded(request.name)),
                   {}, kJson);
  if (!good(target)) return refused(target);
  model::SnapshotReader reader;
  for (const LiveKind& one : kRead) {
    auto read = read_kind(requests, one, request.name_space, reader);
    if (!read) return propagate(read);
  }
  if (auto read = read_pods(requests, request, reader, streams); !read) return propagate(read);
  return std::move(reader).finish();
}

}  // namespace ebb::cli
