// `ebb webhook` on a real API server without admission of its own: the test plays the API server's
// part, writes the reviews, and makes the changes that were allowed.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "control/webhook/webhook_controller.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"

namespace ebb::testing {

inline constexpr std::string_view kReplicaSetController =
    "system:serviceaccount:kube-system:replicaset-controller";
inline constexpr std::string_view kDeploymentController =
    "system:serviceaccount:kube-system:deployment-controller";

// Further fields of a policy: it asks for ranks that are never published, so the default order
// decides.
inline constexpr std::string_view kUnpublished =
    R"(,"ranking":{"strategies":[{"name":"TopologySpread","args":{
        "topologyKey":"topology.kubernetes.io/zone"}}],"publish":"Annotation"})";

// The same: it calls a picker.
inline constexpr std::string_view kPicker =
    R"(,"podPicker":{"http":{"host":"picker"},"timeoutSeconds":4,"maxRetries":0})";

inline std::unique_ptr<control::Controller> make_webhook(const control::ControllerContext& context,
                                                         control::Safeguards safeguards) {
  return control::make_webhook_controller(context, control::WebhookSettings{}, safeguards);
}

class ReviewScene : public ControllerScene {
 public:
  using Names = std::vector<std::string>;

  explicit ReviewScene(control::Safeguards safeguards = {})
      : ControllerScene(make_webhook, safeguards) {}

  // A ReplicaSet `web` with these pods, and a policy for it; `more` are further fields of its spec.
  void begin(const Names& pods, std::string_view more = kUnpublished) {
    create_set("web", static_cast<int>(pods.size()));
    for (const std::string& pod : pods) create_pod(pod);
    add_policy(more);
    see_all();
    run();
  }
  void add_policy(std::string_view more = kUnpublished) {
    request(model::Method::kPost, "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies",
            fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                             "metadata":{{"name":"p"}},"spec":{{"targetRef":{{
                             "apiVersion":"apps/v1","kind":"ReplicaSet","name":"web"}}{}}}}})",
                        more),
            201);
  }

  struct Resize {
    int to = 0;
    std::string_view user = "someone";
    std::string_view subresource = "scale";
    bool desired_changed = true;
    bool dry_run = false;
    std::string_view set = "web";
  };
  // Reviews a new size of a ReplicaSet, as the API server does before it stores it.
  control::ReviewId review(const Resize& resize) {
    const Object set = get(set_path(resize.set));
    const auto object_of = [&](std::int64_t size, std::string_view desired) {
      boost::json::object spec;
      if (size > 0) spec["replicas"] = size;
      return boost::json::object{
          {"metadata",
           boost::json::object{
               {"name", resize.set},
               {"uid", schema::text_at(set, {"metadata", "uid"})},
               {"annotations",
                boost::json::object{{"deployment.kubernetes.io/desired-replicas", desired}}}}},
          {"spec", spec}};
    };
    const std::int64_t from = schema::integer_at(set, {"spec", "replicas"}).value_or(0);
    return send_review(
        {{"operation", "UPDATE"},
         {"resource",
          boost::json::object{{"group", "apps"}, {"version", "v1"}, {"resource", "replicasets"}}},
         {"subResource", resize.subresource},
         {"name", resize.set},
         {"dryRun", resize.dry_run},
         {"userInfo", boost::json::object{{"username", resize.user}}},
         {"oldObject", object_of(from, "1")},
         {"object", object_of(resize.to, resize.desired_changed ? "2" : "1")}});
  }
  // Reviews the delete of a pod.
  control::ReviewId review_delete(std::string_view pod,
                                  std::string_view user = kReplicaSetController,
                                  std::string_view options = "{}") {
    return send_review(
        {{"operation", "DELETE"},
         {"resource", boost::json::object{{"group", ""}, {"version", "v1"}, {"resource", "pods"}}},
         {"name", pod},
         {"userInfo", boost::json::object{{"username", user}}},
         {"options", boost::json::parse(options)},
         {"oldObject", get(fmt::format("/api/v1/namespaces/shop/pods/{}", pod))}});
  }
  control::ReviewId send_review(boost::json::object content, bool ready = true) {
    content["uid"] = fmt::format("review-{}", ++reviews_);
    content["namespace"] = "shop";
    const boost::json::object body{{"apiVersion", "admission.k8s.io/v1"},
                                   {"kind", "AdmissionReview"},
                                   {"request", std::move(content)}};
    controller().review(reviews_, boost::json::serialize(body), ready, now);
    return reviews_;
  }
  // `allowed`, `refused`, or empty: not answered yet.
  [[nodiscard]] std::string answer(control::ReviewId id) const {
    const auto found = review_answers.find(id);
    if (found == review_answers.end()) return {};
    const auto body = boost::json::parse(found->second);
    const auto& response = body.at("response").as_object();
    EXPECT_EQ(response.at("uid").as_string(), fmt::format("review-{}", id));
    return response.at("allowed").as_bool() ? "allowed" : "refused";
  }
  // The names of pods with the webhook's cost, as they really are.
  [[nodiscard]] Names marked() {
    Names names;
    for (const std::string& pod : pods()) {
      if (annotation(pod, "ebb.dev/scale-down").empty()) continue;
      EXPECT_LE(std::stol(cost(pod)), -1'000'000'000) << pod;
      names.push_back(pod);
    }
    return names;
  }
  [[nodiscard]] std::string cost(std::string_view pod) {
    return annotation(pod, "controller.kubernetes.io/pod-deletion-cost");
  }
  [[nodiscard]] std::string annotation(std::string_view pod, std::string_view key) {
    const Object object = get(fmt::format("/api/v1/namespaces/shop/pods/{}", pod));
    const auto* const annotations = schema::object_at(object, {"metadata", "annotations"});
    return annotations == nullptr ? std::string()
                                  : std::string(schema::text_at(*annotations, {key}));
  }
  // Executes all writes of costs.
  void write_costs() {
    while (count_calls("PATCH pods/") > 0) carry_out("PATCH pods/");
  }
  static std::string set_path(std::string_view set) {
    return fmt::format("/apis/apps/v1/namespaces/shop/replicasets/{}", set);
  }

 private:
  control::ReviewId reviews_ = 0;
};

}  // namespace ebb::testing
