#include "control/list_query.h"

#include <fmt/format.h>

#include "base/check.h"
#include "model/requests.h"
#include "schema/kind.h"

namespace ebb::control {
namespace {

constexpr int kPageSize = 500;

const schema::Kind* kind_of(Resource resource) {
  switch (resource) {
    case Resource::kPods:
      return schema::find_kind("v1", "Pod");
    case Resource::kReplicaSets:
      return schema::find_kind("apps/v1", "ReplicaSet");
    case Resource::kDeployments:
      return schema::find_kind("apps/v1", "Deployment");
    case Resource::kPolicies:
      return schema::find_kind("ebb.dev/v1alpha1", "DownscalePolicy");
    case Resource::kNodes:
      break;
  }
  return schema::find_kind("v1", "Node");
}

// Continue tokens are opaque, but the texts of a query are not.
std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace

std::string list_path(Resource resource) {
  const schema::Kind* kind = kind_of(resource);
  EBB_CHECK(kind != nullptr);
  return model::collection_path(*kind, "");
}

std::string_view list_accept(bool protobuf) {
  return protobuf ? "application/vnd.kubernetes.protobuf,application/json" : "application/json";
}

std::string page_query(std::string_view continue_token) {
  if (continue_token.empty()) return fmt::format("limit={}", kPageSize);
  return fmt::format("limit={}&continue={}", kPageSize, percent_encoded(continue_token));
}

std::string streaming_list_query(std::uint64_t timeout_seconds) {
  return fmt::format(
      "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
      "&allowWatchBookmarks=true&timeoutSeconds={}",
      timeout_seconds);
}

std::string watch_query(model::Revision after, std::uint64_t timeout_seconds) {
  return fmt::format("watch=true&resourceVersion={}&allowWatchBookmarks=true&timeoutSeconds={}",
                     after, timeout_seconds);
}

}  // namespace ebb::control
