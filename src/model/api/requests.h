// Builds the requests that components send.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "model/api/api.h"
#include "schema/core/kind.h"

namespace ebb::model {

struct ObjectName {
  std::string namespace_name{};  // empty: cluster-scoped
  std::string name{};

  friend auto operator<=>(const ObjectName&, const ObjectName&) = default;
};

// Read from the object's metadata.
[[nodiscard]] ObjectName name_of(const boost::json::object& object);

// "/apis/apps/v1/namespaces/shop/deployments"
[[nodiscard]] std::string collection_path(const schema::Kind& kind,
                                          std::string_view namespace_name);
// ".../web", or ".../web/status" with a subresource
[[nodiscard]] std::string object_path(const schema::Kind& kind, const ObjectName& name,
                                      std::string_view subresource = {});

[[nodiscard]] ApiRequest get_request(std::string path);
[[nodiscard]] ApiRequest create_request(std::string path, const boost::json::object& body);
[[nodiscard]] ApiRequest replace_request(std::string path, const boost::json::object& body);
[[nodiscard]] ApiRequest strategic_patch_request(std::string path, const boost::json::object& body);
[[nodiscard]] ApiRequest merge_patch_request(std::string path, const boost::json::object& body);

struct DeleteOptions {
  std::string_view uid{};               // empty: no precondition
  std::string_view resource_version{};  // likewise
  int grace_seconds = -1;               // -1: the object's own
  std::string_view propagation{};       // empty: the kind's default
};
[[nodiscard]] ApiRequest delete_request(std::string path, const DeleteOptions& options);

// As objects carry them: whole seconds.
[[nodiscard]] std::string time_text(Timestamp time);
// As leases carry them: `2026-11-01T12:00:00.000000Z`.
[[nodiscard]] std::string micro_time_text(Timestamp time);
[[nodiscard]] Timestamp time_at(const boost::json::object& object,
                                std::initializer_list<std::string_view> path);

// The kinds that components refer to by name. They must be served.
[[nodiscard]] const schema::Kind* pod_kind();
[[nodiscard]] const schema::Kind* node_kind();
[[nodiscard]] const schema::Kind* event_kind();
[[nodiscard]] const schema::Kind* namespace_kind();
[[nodiscard]] const schema::Kind* lease_kind();

}  // namespace ebb::model
