// The place of one controller process in the world: a machine on which processes are started,
// crash, stand still and are stopped, one after the other.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "control/process.h"
#include "sim/invariants.h"
#include "sim/link.h"
#include "sim/picker_rules.h"
#include "sim/pickers.h"
#include "sim/punctuality.h"
#include "sim/rank_rules.h"
#include "sim/timeline.h"
#include "sim/trace.h"
#include "sim/witness.h"

namespace ebb::sim {

struct SeatSetting {
  LinkSetting link;
  Invariants& invariants;
  Pickers& pickers;
  PickerRules& picker_rules;
  RankRules& rank_rules;
  Punctuality& punctuality;
  Witness& witness;
  control::ProcessSettings process{};  // the identity of a lease is filled in
  bool changing_gates = false;         // each process has other feature gates on
};

class Seat : public LinkUser {
 public:
  Seat(SeatSetting setting, std::string name, std::uint64_t seed);
  ~Seat() override;

  // A new process; there must be none.
  void start();
  void crash();
  // After so many more calls have been sent, in the middle of what it wanted to send; 0: not.
  void crash_after_calls(std::uint64_t calls) { calls_until_crash_ = calls; }
  void stop();
  // Nothing reaches it until then, and it does nothing.
  void pause(Nanoseconds duration);
  void jump_clock(Nanoseconds by) { wall_offset_ += by; }
  void set_clock_right() { wall_offset_ = 0; }
  // Streams of this process and of those after it tell nothing new.
  void hold_streams(bool held);
  void changed(const schema::Kind* kind);

  [[nodiscard]] bool only_ranks() const {
    return setting_.process.ranker && !setting_.process.replica_sets;
  }
  [[nodiscard]] bool has_lease() const { return setting_.process.lease.has_value(); }
  [[nodiscard]] bool runs() const { return process_ != nullptr; }
  // Null if none runs.
  [[nodiscard]] const control::Process* process() const { return process_.get(); }
  [[nodiscard]] const std::shared_ptr<Link>& link() const { return link_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Now now() const;
  // The last timer that the world knows of: when a pause is over, when a stream on which nothing
  // comes is given up, and when the lease of a process that is gone has run out.
  [[nodiscard]] Timestamp last_timer() const;
  // Called when a process has ended, whether it crashed or not.
  std::function<void()> on_end;

  void answered(control::CallId id, const control::Answer& answer) override;
  void received(control::CallId id, std::string_view bytes) override;

 private:
  // Hands something that happens to the process, at once or when its pause is over.
  using Input = std::function<void(control::Process& process)>;
  void input(const Input& input);
  void resume();
  void carry_out();
  // Whether the process is to crash before what it wants next.
  [[nodiscard]] bool crash_is_due();
  bool carry_out_questions();
  void ask(const picker::Call& call);
  void picker_replied(picker::CallId id, const picker::Reply& reply);
  void set_alarm();
  void retire();

  SeatSetting setting_;
  std::string name_;
  Dice dice_;
  std::unique_ptr<control::Process> process_;
  std::shared_ptr<Link> link_;
  control::ProcessSettings settings_{};  // of the process
  Invariants::ProcessId process_id_ = 0;
  std::set<picker::CallId> questions_;  // that have no reply yet
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
