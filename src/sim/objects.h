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
[[nodiscard]] const schema::Kind& secrets();
[[nodiscard]] const schema::Kind& policies();
[[nodiscard]] const schema::Kind& group_costs();

// Workloads select `app: NAME`; their template has a secret in it, which nobody may tell.
struct WorkloadWish {
  std::string_view name;
  std::int64_t replicas = 1;
  int version = 1;  // of the template
  int min_ready_seconds = 0;
  bool recreate = false;  // Deployments only
  bool spread = false;    // its pods would rather not share a node
};
[[nodiscard]] boost::json::object replica_set_object(const WorkloadWish& wish);
[[nodiscard]] boost::json::object deployment_object(const WorkloadWish& wish);

// A pod that nobody controls. An empty name: the server makes one up.
[[nodiscard]] boost::json::object pod_object(std::string_view name, std::string_view app);
[[nodiscard]] boost::json::object secret_object();

// How a picker is to be asked.
struct PickerWish {
  std::string host{};
  bool grpc = false;
  bool tls = false;
  bool full = false;  // with facts about each candidate
  int timeout_seconds = 1;
  int max_retries = 3;
  std::string header_secret{};       // the Secret that a header comes from; empty: none
  bool header_optional = false;      // it is left out where there is no such Secret
  std::string certificate_secret{};  // of the client; with TLS only
};
[[nodiscard]] boost::json::object picker_object(const PickerWish& wish);
[[nodiscard]] boost::json::object policy_object(std::string_view name, std::string_view target_kind,
                                                std::string_view target,
                                                boost::json::object picker);
// One that asks for ranks, and has a picker unless that is empty.
[[nodiscard]] boost::json::object ranking_policy_object(std::string_view name,
                                                        std::string_view target_kind,
                                                        std::string_view target,
                                                        boost::json::object ranking,
                                                        boost::json::object picker);
// One that headers and certificates of pickers come from; `trailer` follows what nobody may tell.
[[nodiscard]] boost::json::object picker_secret_object(std::string_view name,
                                                       std::string_view trailer);

// A body of a request or an answer; empty if it is no object.
[[nodiscard]] boost::json::object read_object(std::string_view text);

}  // namespace ebb::sim
