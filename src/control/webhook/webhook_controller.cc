#include "control/webhook/webhook_controller.h"

#include <utility>
#include <vector>

#include "base/deadline_queue.h"
#include "control/webhook/admission_review.h"
#include "control/webhook/cost_cleanup.h"
#include "control/webhook/fence.h"
#include "control/webhook/followed_decisions.h"
#include "control/webhook/known_decisions.h"
#include "control/webhook/open_reviews.h"
#include "control/webhook/scale_down_reviews.h"
#include "model/records/ownership.h"

namespace ebb::control {
namespace {

class WebhookController final : public Controller {
 public:
  WebhookController(const ControllerContext& context, const WebhookSettings& settings,
                    const Safeguards& safeguards, WebhookOutputs outputs)
      : context_(context),
        settings_(settings),
        reviews_(context.sink, context.telemetry),
        followed_(context, std::move(outputs.reports), std::move(outputs.decisions)),
        scale_downs_(context, settings_, safeguards,
                     {.reviews = reviews_, .known = known_, .followed = followed_}),
        fence_(context, settings_, safeguards, reviews_, known_),
        cleanup_(context, settings_, safeguards) {}

  [[nodiscard]] std::string_view name() const override { return "webhook"; }
  [[nodiscard]] bool reviews() const override { return true; }
  // Reviews have deadlines, whatever state the store is in.
  [[nodiscard]] bool runs_while_mixed() const override { return true; }

  void pod_changed(const Change<Pod>& change) override {
    cleanup_.pod_changed(change);
    const Pod& pod = change.after != nullptr ? *change.after : *change.before;
    if (pod.controller == nullptr || pod.controller->kind.view() != model::kReplicaSetKind) return;
    const bool is_marked = change.after != nullptr && model::has_marked_cost(pod);
    if (!is_marked && followed_.empty()) return;
    const SetId set{.namespace_name = std::string(pod.namespace_name.view()),
                    .uid = std::string(pod.controller->uid.view())};
    followed_.pod_changed(set);
    if (!is_marked) return;
    seen_marks_.push_back(
        {set, std::string(pod.scale_down_mark.view()), std::string(pod.uid.view())});
  }

  void replica_set_changed(const Change<ReplicaSet>& change) override {
    if (change.before == nullptr) return;
    const SetId set{.namespace_name = std::string(change.before->namespace_name.view()),
                    .uid = std::string(change.before->uid.view())};
    if (change.after == nullptr) {
      known_.forget(set);
    } else if (change.after->replicas != change.before->replicas) {
      fence_.outdate(set);
    }
  }

  void review(ReviewId id, std::string_view body, bool ready, Now now) override {
    now_ = now;
    const auto review = decode_review(body);
    if (!review) {
      context_.telemetry.count(Count::kReviews, "not a review");
      return context_.sink.answer_review({.id = id});
    }
    learn_marks();
    reviews_.open(id, review->uid, now);
    if (!ready || stopping_) return reviews_.allow(id, "not ready", now);
    if (review->resize) {
      scale_downs_.review(id, *review, now);
    } else if (review->removal) {
      fence_.review(id, *review, now);
    } else {
      reviews_.allow(id, "unconcerned", now);
    }
  }

  void drop_review(ReviewId id, Now now) override {
    now_ = now;
    if (!reviews_.is_open(id)) return;
    reviews_.drop(id);
    scale_downs_.drop(id, now);
  }

  void answered(CallId id, const Answer& answer, Now now) override {
    now_ = now;
    learn_marks();
    if (cleanup_.answered(id, answer, now) || fence_.answered(id, answer, now)) return;
    scale_downs_.answered(id, answer, now);
  }

  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now) override {
    now_ = now;
    learn_marks();
    scale_downs_.replied(id, reply, now);
  }

  [[nodiscard]] bool still_wants(CallId id) override {
    return cleanup_.owns(id) || fence_.owns(id) || scale_downs_.still_wants(id);
  }

  void run(Now now) override {
    now_ = now;
    learn_marks();
    scale_downs_.run(now);
    fence_.run(now);
    if (!context_.store.mixed()) followed_.run(now);
    cleanup_.run(now);
  }

  [[nodiscard]] Timestamp wake_at() const override {
    if (!seen_marks_.empty()) return kRightAway;
    Timestamp wake = scale_downs_.wake_at();
    wake = sooner(wake, fence_.wake_at());
    if (!context_.store.mixed()) wake = sooner(wake, followed_.wake_at());
    return sooner(wake, cleanup_.wake_at());
  }

  void stop() override {
    stopping_ = true;
    reviews_.allow_all("stopping", now_);
    scale_downs_.stop();
    followed_.finish_all(now_);
    cleanup_.stop();
  }

  [[nodiscard]] bool idle() const override {
    return scale_downs_.idle() && fence_.idle() && cleanup_.idle();
  }

 private:
  struct SeenMark {
    SetId set{};
    std::string mark{};
    std::string pod_uid{};
  };

  // Store notifications have no time.
  void learn_marks() {
    for (const SeenMark& seen : std::exchange(seen_marks_, {})) {
      if (const auto mark = model::parse_mark(seen.mark)) {
        if (known_.saw_mark(seen.set, *mark, seen.pod_uid, now_)) fence_.outdate(seen.set);
      }
    }
  }

  ControllerContext context_;
  WebhookSettings settings_;
  OpenReviews reviews_;
  KnownDecisions known_;
  FollowedDecisions followed_;
  ScaleDownReviews scale_downs_;
  Fence fence_;
  CostCleanup cleanup_;
  std::vector<SeenMark> seen_marks_;
  Now now_;  // of the last input
  bool stopping_ = false;
};

}  // namespace

std::unique_ptr<Controller> make_webhook_controller(const ControllerContext& context,
                                                    const WebhookSettings& settings,
                                                    Safeguards safeguards, WebhookOutputs outputs) {
  return std::make_unique<WebhookController>(context, settings, safeguards, std::move(outputs));
}

}  // namespace ebb::control
