// The place of one controller process in the world: a machine on which processes are started,
// crash, pause and are stopped, one after the other.
#pragma once  // private to its room

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "control/process/process.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"
#include "sim/link/link.h"
#include "sim/pickers/pickers.h"
#include "sim/rules/decision_rules.h"
#include "sim/rules/evidence_rule.h"
#include "sim/rules/guard_rules.h"
#include "sim/rules/invariants.h"
#include "sim/rules/latency_rule.h"
#include "sim/rules/picker_rules.h"
#include "sim/rules/rank_rules.h"
#include "sim/world/telemetry_probe.h"

namespace ebb::sim {

struct ProcessSlotContext {
  LinkContext link;
  Invariants& invariants;
  Pickers& pickers;
  PickerRules& picker_rules;
  RankRules& rank_rules;
  DecisionRules& decision_rules;
  ShadowRules& shadow_rules;
  GuardRules& guard_rules;
  EvidenceRule& evidence_rule;
  LatencyRule& latency_rule;
  TelemetryProbe& probe;
  control::ProcessSettings process{};  // the identity of a lease is filled in
  bool changing_gates = false;         // each process has different feature gates
};

class ProcessSlot : public LinkUser {
 public:
  ProcessSlot(ProcessSlotContext context, std::string name, std::uint64_t seed);
  ~ProcessSlot() override;

  // Starts a new process; none may be running.
  void start();
  void crash();
  // Crashes after this many more calls, between two requests; 0: never.
  void crash_after_calls(std::uint64_t calls) { calls_until_crash_ = calls; }
  void stop();
  // Until then the process receives nothing and does nothing.
  void pause(Nanoseconds duration);
  void jump_clock(Nanoseconds by) { wall_offset_ += by; }
  void set_clock_right() { wall_offset_ = 0; }
  // Holds back new events in the streams of this process and its successors.
  void hold_streams(bool held);
  void changed(const schema::Kind* kind);

  [[nodiscard]] bool only_ranks() const {
    return context_.process.ranker && !context_.process.replica_sets;
  }
  [[nodiscard]] bool only_watches() const {
    return context_.process.shadow && !context_.process.replica_sets;
  }
  [[nodiscard]] bool runs() const { return process_ != nullptr; }
  // Whether the process has a canary of this name, which is then never acknowledged.
  [[nodiscard]] bool has_canary(std::string_view namespace_name, std::string_view name) const;
  // Null if no process runs.
  [[nodiscard]] const control::Process* process() const { return process_.get(); }
  [[nodiscard]] const std::shared_ptr<Link>& link() const { return link_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Now now() const;
  // The last timer that the world knows of: the end of a pause, the timeout of a silent stream, or
  // the expiry of the lease of a process that has ended.
  [[nodiscard]] Timestamp last_timer() const;
  // Called when a process has ended, by a crash or otherwise.
  std::function<void()> on_end;

  void answered(control::CallId id, const control::Answer& answer) override;
  void received(control::CallId id, std::string_view bytes) override;

 private:
  // Delivers an input to the process, at once or after its pause.
  using Input = std::function<void(control::Process& process)>;
  void input(const Input& input);
  // Lets the process handle it, and checks what it did.
  void handle(const Input& input);
  // Whether its ReplicaSet controller acts.
  [[nodiscard]] bool acts() const;
  void resume();
  void carry_out();
  // Whether the process must crash before its next request.
  [[nodiscard]] bool crash_is_due();
  bool carry_out_picker_requests();
  void ask(const picker::Call& call);
  void picker_replied(picker::CallId id, const picker::Reply& reply);
  void set_alarm();
  void retire();

  ProcessSlotContext context_;
  std::string name_;
  Random random_;
  std::unique_ptr<control::Process> process_;
  std::shared_ptr<Link> link_;
  control::ProcessSettings settings_{};  // of the process
  Invariants::ProcessId process_id_ = 0;
  Timestamp started_;
  std::set<picker::CallId> picker_requests_;  // without a reply yet
  std::map<control::CallId, Invariants::Tag> tags_;
  std::uint64_t starts_ = 0;
  std::uint64_t calls_until_crash_ = 0;  // 0: no crash planned
  Nanoseconds wall_offset_ = 0;
  Timestamp alarm_;
  Timestamp paused_until_;
  bool paused_ = false;
  bool streams_held_ = false;
  std::deque<Input> missed_;
};

}  // namespace ebb::sim
