// A replica of `ebb webhook` in the world. Its reviews come from the API server (admission.h).
#pragma once  // private to its room

#include <cstdint>
#include <set>
#include <string>

#include "sim/core/random.h"
#include "sim/link/admission.h"
#include "sim/pickers/pickers.h"
#include "sim/rules/webhook_rules.h"
#include "sim/world/driven_process.h"
#include "sim/world/telemetry_probe.h"

namespace ebb::sim {

struct WebhookReplicaSettings {
  std::string name{};
  std::uint64_t seed = 1;
  bool faulty = false;  // it crashes, pauses, and sees old states
  control::Safeguards safeguards{};
};

class WebhookReplica final : public DrivenProcess, public Reviewer {
 public:
  struct Context {
    LinkContext link;
    Admission& admission;
    Pickers& pickers;
    WebhookRules& rules;
    TelemetryProbe& probe;
  };
  WebhookReplica(const Context& parts, const WebhookReplicaSettings& settings);

  // Starts the process, which then fails now and then if it is faulty.
  void begin();
  // No more failures.
  void rest();

  [[nodiscard]] bool accepts() const override { return runs(); }
  void review(control::ReviewId id, const std::string& body) override;
  void drop_review(control::ReviewId id) override;

  void executing(std::uint64_t tag) override;
  void executed(std::uint64_t tag, const model::ApiResponse& response) override;

 private:
  void act();
  void start_replica();
  void carry_out_more(control::Process& process) override;
  void ask(const picker::Call& call);
  std::uint64_t tag_of(const control::Call& /*call*/) override { return 1; }
  void ended() override;

  Context parts_;
  WebhookReplicaSettings settings_;
  Random random_;
  std::set<picker::CallId> picker_requests_;  // without a reply yet
  bool resting_ = false;
  bool held_ = false;
};

}  // namespace ebb::sim
