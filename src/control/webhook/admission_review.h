// An AdmissionReview (admission.k8s.io/v1): the request as far as the webhook reads it, and the
// answer.
//
// Other fields may hold anything. A review of something that the webhook does not handle is decoded
// all the same, so that it can be allowed by its uid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::control {

// An UPDATE of a ReplicaSet or of its scale.
struct ReviewedResize {
  std::string set_uid{};
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool by_scale = false;  // through the subresource
  // The annotation deployment.kubernetes.io/desired-replicas differs: the Deployment itself was
  // scaled, and this is not a step of a rollout.
  bool desired_changed = false;
};

// A DELETE of a pod, as the pod is in storage now.
struct ReviewedDelete {
  std::string pod_uid{};
  std::string set{};  // name and uid of the ReplicaSet that controls it; empty: none does
  std::string set_uid{};
  bool serving = false;    // assigned, running and ready
  bool deleting = false;   // already
  bool disrupted = false;  // the condition DisruptionTarget is True
  bool plain = true;       // without preconditions, grace period of its own and propagation policy
  std::string mark{};      // ebb.dev/scale-down, if its cost is in force; else empty
};

struct AdmissionReview {
  std::string uid{};  // of the request; never empty
  std::string user{};
  std::string namespace_name{};
  std::string name{};
  bool dry_run = false;
  // At most one of these; neither: the webhook has nothing to decide.
  std::optional<ReviewedResize> resize{};
  std::optional<ReviewedDelete> removal{};
};

// Nothing if it is not a review with a uid.
[[nodiscard]] std::optional<AdmissionReview> decode_review(std::string_view body);

// The refusal of a request, as a Status. 409, because client-go repeats 429 and 5xx inside the
// worker, and controllers take 404 for success.
inline constexpr int kRefusalCode = 409;

[[nodiscard]] std::string allowing_answer(std::string_view uid);
[[nodiscard]] std::string refusing_answer(std::string_view uid, std::string_view message);

}  // namespace ebb::control
