// The admission webhooks of the world's API server: a write that they review is executed once they
// have answered.
//
// Reviews go to the replicas of the webhook in turn, as through a Service. A replica that is gone,
// or does not answer in time, counts for nothing: the webhook is registered with failurePolicy
// Ignore. The controllers that play the stock ones send deletes with preconditions, so that the
// rules of the world hold for them; a review shows their deletes without, as stock controllers send
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/admission/webhook_session.h"
#include "control/controller/admission.h"
#include "sim/core/api.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"

namespace ebb::sim {

inline constexpr std::string_view kStockReplicaSets =
    "system:serviceaccount:kube-system:replicaset-controller";
inline constexpr std::string_view kStockDeployments =
    "system:serviceaccount:kube-system:deployment-controller";

// A replica of the webhook.
class Reviewer {
 public:
  virtual ~Reviewer() = default;
  [[nodiscard]] virtual bool accepts() const = 0;
  virtual void review(control::ReviewId id, const std::string& body) = 0;
  virtual void drop_review(control::ReviewId id) = 0;
};

// A review that was answered.
struct Verdict {
  const Reviewer& by;
  const boost::json::object& request;   // of the AdmissionReview
  const boost::json::object& response;  // of the AdmissionReview
  Timestamp begun{};
};

class Admission {
 public:
  Admission(Timeline& time, Api& api, Trace& trace, std::uint64_t seed);

  void add(Reviewer& replica) { replicas_.push_back(&replica); }

  struct Execution {
    // Called before the API server handles the request, which may be several times. False: the
    // request is given up, and `then` is not called.
    std::function<bool()> begin{};
    std::function<void(const model::ApiResponse& response)> then{};
  };
  void execute(const model::ApiRequest& request, Execution execution);

  void answered(control::ReviewId id, const std::string& body);
  // The replica is gone, and with it the connections of its reviews.
  void died(const Reviewer& replica);

  // The user whose request the API server is executing.
  [[nodiscard]] std::string_view user() const { return user_; }
  std::function<void(const Verdict& verdict)> on_verdict;

 private:
  // A request that waits for reviews.
  struct Pending {
    model::ApiRequest request{};
    Execution execution{};
    std::shared_ptr<apiserver::WebhookSession> session{};
    std::size_t left = 0;
    bool at_once = false;  // the client cannot wait
  };
  using PendingPtr = std::shared_ptr<Pending>;
  struct Open {
    PendingPtr pending{};
    std::size_t question = 0;
    Reviewer* replica = nullptr;
    Timestamp begun{};
  };

  void run(const PendingPtr& pending);
  void ask(const PendingPtr& pending);
  void answer_at_once(const std::shared_ptr<apiserver::WebhookSession>& session);
  void take_answer(const Open& open, apiserver::WebhookAnswer answer);
  void fail(control::ReviewId id, std::string_view why);
  [[nodiscard]] Reviewer* next_replica();
  [[nodiscard]] Nanoseconds latency();

  Timeline& time_;
  Api& api_;
  Trace& trace_;
  Random random_;
  std::vector<Reviewer*> replicas_;
  std::size_t turn_ = 0;
  control::ReviewId last_id_ = 0;
  std::map<control::ReviewId, Open> open_;
  std::string user_;
};

}  // namespace ebb::sim
