// Calls pickers: at most one session per ReplicaSet at a time, and every session ends within its
// time budget, whatever the picker does.
//
// A session fetches the Secrets that it needs, waits for a slot at its endpoint, calls the picker,
// and retries if that may help. All of this counts against one budget. The result is kept here
// until the next sync of the ReplicaSet takes it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/deadline_queue.h"
#include "base/fair_queue.h"
#include "base/packed_strings.h"
#include "control/controller/controller.h"
#include "control/core/decision.h"
#include "control/core/jitter.h"
#include "control/core/work_queue.h"
#include "control/picker/breakers.h"
#include "control/picker/picker_secrets.h"
#include "model/records/verdict.h"
#include "picker/call.h"

namespace ebb::control {

// The request of a ReplicaSet to a picker.
struct PickerRequest {
  Key set{};
  std::string set_uid{};
  std::string carrier{};  // where the settings come from, and the name of the policy
  std::string policy{};
  std::string workload{};     // the workload whose breakers count (picker_advice.h)
  std::size_t surplus = 0;    // surplus at the time of the request
  std::size_t requested = 0;  // how many of them the picker is to choose
  PackedStrings names{};      // of the candidates
  PackedStrings uids{};       // of the candidates, parallel to the names
  std::shared_ptr<const picker::Settings> settings{};
  std::shared_ptr<const std::string> body{};
  bool shadow = false;  // the answer is only recorded
};

// The result of a session: what the decision records about it, and what its caller needs besides.
struct PickerResult : Decision::Picker {
  struct Named {
    std::string uid;
    model::Verdict verdict = model::Verdict::kUnnamed;
  };
  std::string policy{};        // as in the request
  std::size_t surplus = 0;     // as in the request
  std::vector<Named> named{};  // candidates that the answer names
  Breakers::Change breaker = Breakers::Change::kNone;
};

class PickerSessions {
 public:
  // `sink` and `telemetry` must outlive it.
  PickerSessions(CallSink& sink, Telemetry& telemetry, const PickerLimits& limits,
                 std::uint64_t seed);
  ~PickerSessions();
  PickerSessions(const PickerSessions&) = delete;
  PickerSessions& operator=(const PickerSessions&) = delete;

  enum class State : std::uint8_t { kNone, kInFlight, kOver };
  [[nodiscard]] State state(const Key& set) const;

  // The ReplicaSet must not have a session. If the breaker is open, the result is returned at once.
  [[nodiscard]] std::optional<PickerResult> begin(PickerRequest request, Now now);
  // The result of a finished session.
  [[nodiscard]] PickerResult take(const Key& set);
  // Discards the session and its result, if there is one.
  void drop(const Key& set);
  void drop_all();
  // The workload is gone: drops its breakers.
  void forget_workload(std::string_view workload) { breakers_.forget_workload(workload); }

  // Ignores calls that are not its own.
  void answered(CallId id, const Answer& answer, Now now);
  [[nodiscard]] bool wants(CallId id) const { return fetches_.contains(id); }
  void replied(picker::CallId id, const picker::Reply& reply, Now now);
  // Does what is due.
  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const;
  // ReplicaSets whose sessions have ended since the last call.
  [[nodiscard]] std::vector<Key> take_finished() { return std::exchange(over_, {}); }

 private:
  struct Session;
  struct Endpoint {
    FairQueue<Key> queue;
    std::size_t asked = 0;
  };

  void fetch_secrets(Session& one);
  void take_secret(Session& one, const std::string& name, SecretAnswer secret, Now now);
  void have_secrets(Session& one, Now now);
  void wait_for_place(Session& one);
  void serve_queues(Now now);
  void ask(Session& one, Now now);
  void take_reply(Session& one, const picker::Reply& reply, Now now);
  void time_has_come(Session& one, Now now);
  // Withdraws its in-flight calls.
  void call_off(Session& one);
  void leave_place(Session& one);
  void end(Session& one, picker::Outcome outcome, int code, Now now);
  void end_answered(Session& one, const picker::Answer& answer, Now now);
  void schedule(const Session& one, Timestamp resume = {});
  void update_gauges();
  [[nodiscard]] Nanoseconds backoff_ns(unsigned failures);

  CallSink& sink_;
  Telemetry& telemetry_;
  PickerLimits limits_;
  std::uint64_t process_part_;  // the part of idempotency keys that identifies this process
  Jitter jitter_;
  std::uint64_t begun_ = 0;
  std::map<Key, std::unique_ptr<Session>> sessions_;
  std::map<std::string, Endpoint> endpoints_;
  Breakers breakers_;
  std::size_t in_flight_ = 0;
  std::size_t waiting_ = 0;
  std::unordered_map<CallId, std::pair<Key, std::string>> fetches_;  // owner, name of the Secret
  std::unordered_map<picker::CallId, Key> calls_;
  DeadlineQueue<Key> deadlines_;
  std::set<std::string> to_serve_;  // endpoints that may have a free slot
  std::vector<Key> over_;
};

}  // namespace ebb::control
