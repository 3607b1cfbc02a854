#include "sim/world/webhook_replica.h"

#include <fmt/format.h>

#include "sim/link/wording.h"

namespace ebb::sim {

using control::Process;

WebhookReplica::WebhookReplica(const Context& parts, const WebhookReplicaSettings& settings)
    : DrivenProcess(parts.link, 9000 * kSecond),
      parts_(parts),
      settings_(settings),
      random_(settings.seed) {}

void WebhookReplica::begin() {
  start_replica();
  if (settings_.faulty) act();
}

void WebhookReplica::rest() {
  resting_ = true;
  if (held_) link_->let_streams_go();
  held_ = false;
  if (!runs()) start_replica();
}

void WebhookReplica::act() {
  context_.time.after(static_cast<Nanoseconds>(random_.below(30)) * kSecond, [this] {
    if (resting_) return;
    const std::uint64_t drawn = random_.below(100);
    if (!runs()) {
      if (drawn < 70) start_replica();
    } else if (drawn < 20) {
      crash();
    } else if (drawn < 25) {
      input([this](Process& process) { process.stop(now()); });
    } else if (drawn < 40) {
      parts_.rules.disturbed(*this);
      pause(static_cast<Nanoseconds>(random_.below(10)) * kSecond);
    } else if (drawn < 55) {
      // It answers by its cached state and sees nothing new.
      held_ = !held_;
      held_ ? link_->hold_streams() : link_->let_streams_go();
    }
    act();
  });
}

void WebhookReplica::start_replica() {
  const std::string name = fmt::format("{}-{}", settings_.name, starts() + 1);
  control::ProcessSettings settings;
  settings.replica_sets = false;
  settings.deployments = false;
  settings.qps = 0;
  settings.seed = random_.next();
  settings.safeguards = settings_.safeguards;
  settings.webhook.emplace();
  control::LeaseSettings& lease = settings.webhook->cleanup_lease.emplace();
  lease.name = "ebb-webhook";
  lease.identity = name;
  // Long, because each renewal is a write that is not under test.
  lease.duration_ns = 40 * kSecond;
  lease.renew_deadline_ns = 30 * kSecond;
  lease.retry_period_ns = 10 * kSecond;
  settings.registration.emplace();
  settings.registration->url = "https://webhook.example:9443";
  settings.webhook->configuration = settings.registration->configuration;
  parts_.rules.started(*this);
  start(settings, parts_.probe, name, random_.next());
  input([this](Process& process) {
    process.set_ca_bundle("-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n", now());
  });
}

void WebhookReplica::ended() {
  held_ = false;
  picker_requests_.clear();
  parts_.admission.died(*this);
}

void WebhookReplica::review(control::ReviewId id, const std::string& body) {
  input([this, id, body](Process& process) { process.review(id, body, now()); });
}

void WebhookReplica::drop_review(control::ReviewId id) {
  input([this, id](Process& process) { process.drop_review(id, now()); });
}

void WebhookReplica::carry_out_more(Process& process) {
  for (const picker::CallId id : process.take_withdrawn()) picker_requests_.erase(id);
  for (const picker::Call& call : process.take_picker_requests()) ask(call);
  for (const control::ReviewAnswer& answer : process.take_review_answers()) {
    parts_.admission.answered(answer.id, answer.body);
  }
}

void WebhookReplica::ask(const picker::Call& call) {
  parts_.rules.check_request(call);
  const Pickers::Plan plan = parts_.pickers.ask(call);
  context_.trace.line(name(), fmt::format("?{} {}", call.id, describe(call)));
  picker_requests_.insert(call.id);
  context_.time.after(plan.after, [this, life = starts(), id = call.id, plan] {
    if (!runs() || starts() != life) return;
    if (plan.fault == Fault::kCrashMeanwhile) return crash();
    input([this, id, reply = plan.reply](Process& process) {
      if (picker_requests_.erase(id) == 0) return;
      context_.trace.line(name(), fmt::format("?{} = {}", id, describe(reply)));
      process.picker_replied(id, reply, now());
    });
  });
}

void WebhookReplica::executing(std::uint64_t /*tag*/) { parts_.rules.ebb_writes(true); }

void WebhookReplica::executed(std::uint64_t /*tag*/, const model::ApiResponse& /*response*/) {
  parts_.rules.ebb_writes(false);
}

}  // namespace ebb::sim
