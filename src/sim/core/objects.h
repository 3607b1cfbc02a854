// Builds the objects that users of the world create, and parses objects from requests and answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "schema/core/kind.h"

namespace ebb::sim {

inline constexpr std::string_view kNamespace = "default";
// The namespace of a tenant that forges owner references to objects in kNamespace.
inline constexpr std::string_view kForgerNamespace = "forger";

// The value of Secrets and of environment variables in templates. Logs, events and requests must
// not contain it.
inline constexpr std::string_view kSecret = "hush-4d1f0c";
// The prefix of the credentials for pickers. Only Secrets and the headers of picker requests may
// contain it, plain or in base64.
inline constexpr std::string_view kPickerSecret = "mum-77ab21c9";
inline constexpr std::string_view kPickerSecretEncoded = "bXVtLTc3YWIyMWM5";

[[nodiscard]] const schema::Kind& pods();
[[nodiscard]] const schema::Kind& replica_sets();
[[nodiscard]] const schema::Kind& deployments();
[[nodiscard]] const schema::Kind& node_objects();
[[nodiscard]] const schema::Kind& secrets();
[[nodiscard]] const schema::Kind& policies();
[[nodiscard]] const schema::Kind& group_costs();
[[nodiscard]] const schema::Kind& decision_objects();

// Paths of the API, in kNamespace.
[[nodiscard]] std::string path_of(const schema::Kind& kind, std::string_view name,
                                  std::string_view subresource = {});
[[nodiscard]] std::string collection_of(const schema::Kind& kind);

// Workloads select `app: NAME`; their template contains a secret that must not leak.
struct WorkloadSpec {
  std::string_view name;
  std::int64_t replicas = 1;
  int version = 1;  // of the template
  int min_ready_seconds = 0;
  bool recreate = false;  // Deployments only
  bool spread = false;    // its pods prefer not to share a node
};
[[nodiscard]] boost::json::object replica_set_object(const WorkloadSpec& wanted);
[[nodiscard]] boost::json::object deployment_object(const WorkloadSpec& wanted);

// A pod without a controller. If the name is empty, the server generates one.
[[nodiscard]] boost::json::object pod_object(std::string_view name, std::string_view app);
[[nodiscard]] boost::json::object secret_object();

// The picker settings of a workload.
struct PickerSpec {
  std::string host{};
  bool grpc = false;
  bool tls = false;
  bool full = false;  // with facts about each candidate
  int timeout_seconds = 1;
  int max_retries = 3;
  std::string header_secret{};       // the Secret of a header; empty: none
  bool header_optional = false;      // without the Secret, the header is left out
  std::string certificate_secret{};  // of the client; with TLS only
};
[[nodiscard]] boost::json::object picker_object(const PickerSpec& wanted);
[[nodiscard]] boost::json::object policy_object(std::string_view name, std::string_view target_kind,
                                                std::string_view target,
                                                boost::json::object picker);
// A policy that asks for ranks, and has a picker unless `picker` is empty.
[[nodiscard]] boost::json::object ranking_policy_object(std::string_view name,
                                                        std::string_view target_kind,
                                                        std::string_view target,
                                                        boost::json::object ranking,
                                                        boost::json::object picker);
// A Secret for headers and certificates of pickers; `trailer` follows the secret value.
[[nodiscard]] boost::json::object picker_secret_object(std::string_view name,
                                                       std::string_view trailer);

[[nodiscard]] std::string_view annotation(const boost::json::object& object, std::string_view key);

// Parses the body of a request or an answer; empty if it is not an object.
[[nodiscard]] boost::json::object read_object(std::string_view text);

}  // namespace ebb::sim
