// The objects that people of the world create, and reading those that go over the wire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "schema/kind.h"

namespace ebb::sim {

inline constexpr std::string_view kNamespace = "default";

[[nodiscard]] const schema::Kind& pods();
[[nodiscard]] const schema::Kind& replica_sets();
[[nodiscard]] const schema::Kind& deployments();
[[nodiscard]] const schema::Kind& node_objects();

// Workloads select `app: NAME`; their template has a secret in it, which nobody may tell.
struct WorkloadWish {
  std::string_view name;
  std::int64_t replicas = 1;
  int version = 1;  // of the template
  int min_ready_seconds = 0;
  bool recreate = false;  // Deployments only
};
[[nodiscard]] boost::json::object replica_set_object(const WorkloadWish& wish);
[[nodiscard]] boost::json::object deployment_object(const WorkloadWish& wish);

// A pod that nobody controls. An empty name: the server makes one up.
[[nodiscard]] boost::json::object pod_object(std::string_view name, std::string_view app);
[[nodiscard]] boost::json::object secret_object();

// A body of a request or an answer; empty if it is no object.
[[nodiscard]] boost::json::object read_object(std::string_view text);

}  // namespace ebb::sim
