#include "control/registration/registration_controller.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "control/core/jitter.h"
#include "control/core/json_document.h"
#include "control/core/object_json.h"
#include "control/core/retry_backoff.h"
#include "control/registration/webhook_configuration.h"
#include "model/api/requests.h"
#include "schema/core/kind.h"

namespace ebb::control {
namespace {

// After a change: replicas see it at the same time, and policies are often created together.
constexpr Nanoseconds kSettleNs = 200 * kMillisecond;
constexpr double kSettleJitter = 5;
// The object is also checked without a reason to, in case it was edited.
constexpr Nanoseconds kCheckPeriodNs = 5 * kMinute;
constexpr double kCheckJitter = 0.5;
constexpr int kNotFound = 404;
constexpr int kInvalid = 422;

const schema::Kind& configuration_kind() {
  const schema::Kind* const kind =
      schema::find_kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration");
  EBB_CHECK(kind != nullptr);
  return *kind;
}

// A policy in shadow mode only watches what the stock controllers do.
bool needs_webhook(const Policy& policy) { return !policy.shadow; }

class RegistrationController final : public Controller {
 public:
  RegistrationController(const ControllerContext& context, RegistrationSettings registration,
                         WebhookSettings webhook)
      : context_(context),
        registration_(std::move(registration)),
        webhook_(std::move(webhook)),
        jitter_(context.seed),
        backoff_(context.seed + 1) {}

  [[nodiscard]] std::string_view name() const override { return "registration"; }
  void policy_changed(const Change<Policy>& change) override;
  void set_ca_bundle(const std::string& pem, Now now) override;
  void answered(CallId id, const Answer& answer, Now now) override;
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override;
  void stop() override { stopping_ = true; }
  [[nodiscard]] bool idle() const override { return !in_flight_; }

 private:
  void read(const Answer& answer, Now now);
  void wrote(const Answer& answer, Now now);
  void write(model::ApiRequest request);
  [[nodiscard]] boost::json::array wanted() const;
  void count(const Policy* policy, int by);
  void check_after(Nanoseconds delay_ns, double jitter, Now now);
  void retry(std::string_view doing, const Answer& answer, Now now);

  ControllerContext context_;
  RegistrationSettings registration_;
  WebhookSettings webhook_;
  Jitter jitter_;
  RetryBackoff backoff_;
  std::map<std::string, int> policies_;  // those that need the webhook, by namespace
  std::string ca_bundle_;
  bool match_conditions_ = true;  // the API server has not refused them
  bool changed_ = true;           // since check_at_ was set
  Timestamp check_at_;            // the zero time: not scheduled
  std::optional<CallId> in_flight_;
  bool writing_ = false;  // the call in flight is a write
  bool stopping_ = false;
  std::string last_problem_;  // logged once
};

void RegistrationController::count(const Policy* policy, int by) {
  if (policy == nullptr || !needs_webhook(*policy)) return;
  const std::string name(policy->namespace_name.view());
  const auto& excluded = registration_.excluded_namespaces;
  if (std::find(excluded.begin(), excluded.end(), name) != excluded.end()) return;
  const auto found = policies_.try_emplace(name, 0).first;
  const int before = found->second;
  found->second += by;
  if (found->second == 0) policies_.erase(found);
  if ((before == 0) != (before + by == 0)) changed_ = true;
}

void RegistrationController::policy_changed(const Change<Policy>& change) {
  count(change.after, 1);
  count(change.before, -1);
}

void RegistrationController::set_ca_bundle(const std::string& pem, Now /*now*/) {
  if (ca_bundle_ == pem) return;
  ca_bundle_ = pem;
  changed_ = true;
}

Timestamp RegistrationController::wake_at() const {
  if (stopping_ || in_flight_ || ca_bundle_.empty()) return {};
  return changed_ ? kRightAway : check_at_;
}

void RegistrationController::check_after(Nanoseconds delay_ns, double jitter, Now now) {
  check_at_ = later_by(now.mono, jitter_.stretch_ns(delay_ns, jitter));
}

void RegistrationController::run(Now now) {
  if (stopping_ || in_flight_ || ca_bundle_.empty()) return;
  if (std::exchange(changed_, false)) check_after(kSettleNs, kSettleJitter, now);
  if (check_at_.is_zero() || check_at_ > now.mono) return;
  check_at_ = {};
  writing_ = false;
  in_flight_ = context_.sink.send(
      Call::Kind::kRead, model::get_request(model::object_path(
                             configuration_kind(), {.name = registration_.configuration})));
}

void RegistrationController::answered(CallId id, const Answer& answer, Now now) {
  if (in_flight_ != id) return;
  in_flight_.reset();
  if (writing_) {
    wrote(answer, now);
  } else {
    read(answer, now);
  }
}

boost::json::array RegistrationController::wanted() const {
  std::set<std::string> names;
  for (const auto& [name, number] : policies_) names.insert(name);
  return make_webhooks({.registration = registration_,
                        .webhook = webhook_,
                        .namespaces = names,
                        .ca_bundle_pem = ca_bundle_,
                        .match_conditions = match_conditions_});
}

void RegistrationController::write(model::ApiRequest request) {
  writing_ = true;
  in_flight_ = context_.sink.send(Call::Kind::kWrite, std::move(request));
}

void RegistrationController::read(const Answer& answer, Now now) {
  if (stopping_) return;
  const bool absent =
      answer.outcome == Answer::Outcome::kAnswered && answer.response.code == kNotFound;
  if (absent) {
    return write(model::create_request(model::collection_path(configuration_kind(), {}),
                                       make_configuration(registration_.configuration, wanted())));
  }
  if (!answer.succeeded()) return retry("read", answer, now);
  auto existing = parse_document(answer.response.body.str());
  if (!existing) return retry("read", answer, now);
  auto changed = with_webhooks(std::move(*existing), wanted());
  if (!changed) {
    backoff_.record_success(now);
    last_problem_.clear();
    return check_after(kCheckPeriodNs, kCheckJitter, now);
  }
  write(model::replace_request(
      model::object_path(configuration_kind(), {.name = registration_.configuration}), *changed));
}

void RegistrationController::wrote(const Answer& answer, Now now) {
  if (answer.succeeded()) {
    backoff_.record_success(now);
    last_problem_.clear();
    context_.telemetry.log(Severity::kInfo, 0,
                           fmt::format("registered the webhooks for {} namespaces in "
                                       "ValidatingWebhookConfiguration {}",
                                       policies_.size(), registration_.configuration),
                           {{"namespaces", policies_.size()}});
    return check_after(kCheckPeriodNs, kCheckJitter, now);
  }
  const bool refuses_conditions =
      match_conditions_ && answer.outcome == Answer::Outcome::kAnswered &&
      answer.response.code == kInvalid &&
      read_refusal(answer).message.find("matchConditions") != std::string::npos;
  if (!refuses_conditions) return retry("write", answer, now);
  match_conditions_ = false;
  context_.telemetry.log(Severity::kWarning, 0,
                         "the API server refuses matchConditions, so it sends every update of a "
                         "ReplicaSet and every delete of a pod to the webhook");
  check_after(0, 0, now);
}

void RegistrationController::retry(std::string_view doing, const Answer& answer, Now now) {
  check_at_ = later_by(now.mono, backoff_.delay_ns(now));
  std::string problem = fmt::format("cannot {} ValidatingWebhookConfiguration {}, retrying: {}",
                                    doing, registration_.configuration, error_text(answer));
  // Another replica was faster.
  const bool conflict = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 409;
  if (conflict || problem == last_problem_) return;
  context_.telemetry.log(Severity::kWarning, 0, problem, {{"err", error_text(answer)}});
  last_problem_ = std::move(problem);
}

}  // namespace

std::unique_ptr<Controller> make_registration_controller(const ControllerContext& context,
                                                         RegistrationSettings registration,
                                                         WebhookSettings webhook) {
  return std::make_unique<RegistrationController>(context, std::move(registration),
                                                  std::move(webhook));
}

}  // namespace ebb::control
