// Asks pickers: for each ReplicaSet at most one consultation at a time, and whatever a picker
// does, it is over when its time is up.
//
// A consultation fetches the Secrets that it needs, waits for a place at its endpoint, asks, and
// asks again if that may help. All of this counts against its one budget. What came out lies here
// until the ReplicaSet's next pass takes it.
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

#include "base/agenda.h"
#include "base/fair_line.h"
#include "base/text_list.h"
#include "control/breakers.h"
#include "control/jitter.h"
#include "control/picker_secrets.h"
#include "control/port.h"
#include "control/work_queue.h"
#include "model/verdict.h"
#include "picker/call.h"

namespace ebb::control {

// What a ReplicaSet wants to know.
struct PickerWish {
  Key set{};
  std::string set_uid{};
  std::string carrier{};  // of the settings, and the policy among them
  std::string policy{};
  std::string workload_uid{};  // of its Deployment, or its own if it has none
  std::size_t surplus = 0;     // pods that had to go when it was asked
  std::size_t requested = 0;   // and how many of them the picker is to choose
  TextList names{};            // of the candidates
  TextList uids{};             // and parallel to them
  std::shared_ptr<const picker::Settings> settings{};
  std::shared_ptr<const std::string> body{};
};

// How it went.
struct PickerEnding {
  struct Named {
    std::string uid;
    model::Verdict verdict = model::Verdict::kUnnamed;
  };
  std::string endpoint{};
  std::string carrier{};  // as in the wish
  std::string policy{};
  picker::Outcome outcome = picker::Outcome::kTimeout;
  int code = 0;           // of kStatusCode
  std::string problem{};  // with a Secret: which, and what is wrong
  std::string detail{};   // of the last reply, for the operator's log only
  int attempts = 0;
  Nanoseconds duration_ns = 0;
  std::string idempotency_key{};
  std::size_t surplus = 0;  // as in the wish
  std::size_t requested = 0;
  std::vector<Named> named{};  // candidates that the answer names
  std::size_t chosen = 0;
  std::size_t tied = 0;
  std::size_t ignored = 0;  // names that are no candidates, or stand there twice
  Breakers::Change breaker = Breakers::Change::kNone;
};

class PickerDesk {
 public:
  // `port` and `telemetry` must outlive it.
  PickerDesk(Port& port, Telemetry& telemetry, const PickerLimits& limits, std::uint64_t seed);
  ~PickerDesk();
  PickerDesk(const PickerDesk&) = delete;
  PickerDesk& operator=(const PickerDesk&) = delete;

  enum class State : std::uint8_t { kNone, kUnderWay, kOver };
  [[nodiscard]] State state(const Key& set) const;

  // There must be none of this ReplicaSet. If the picker has failed too often of late, it is over
  // at once.
  [[nodiscard]] std::optional<PickerEnding> begin(PickerWish wish, Now now);
  // Of one that is over.
  [[nodiscard]] PickerEnding take(const Key& set);
  // Nobody wants to know any more; also if there is none.
  void drop(const Key& set);
  void drop_all();
  // The workload is gone, and with it what is remembered of its pickers.
  void forget_workload(std::string_view uid) { breakers_.forget_workload(uid); }

  // Of a call that may be another's.
  void answered(CallId id, const Answer& answer, Now now);
  [[nodiscard]] bool wants(CallId id) const { return fetches_.contains(id); }
  void replied(picker::CallId id, const picker::Reply& reply, Now now);
  // Does what is due.
  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const;
  // Whose consultations are over since this was last asked.
  [[nodiscard]] std::vector<Key> take_over() { return std::exchange(over_, {}); }

 private:
  struct Consultation;
  struct Endpoint {
    FairLine<Key> line;
    std::size_t asked = 0;
  };

  void fetch_secrets(Consultation& one);
  void take_secret(Consultation& one, const std::string& name, SecretAnswer secret, Now now);
  void have_secrets(Consultation& one, Now now);
  void wait_for_place(Consultation& one);
  void serve_lines(Now now);
  void ask(Consultation& one, Now now);
  void take_reply(Consultation& one, const picker::Reply& reply, Now now);
  void time_has_come(Consultation& one, Now now);
  // What is under way for it is called off.
  void call_off(Consultation& one);
  void leave_place(Consultation& one);
  void end(Consultation& one, picker::Outcome outcome, int code, Now now);
  void end_answered(Consultation& one, const picker::Answer& answer, Now now);
  void schedule(const Consultation& one, Timestamp resume = {});
  void tell_gauges();
  [[nodiscard]] Nanoseconds backoff_ns(unsigned failures);

  Port& port_;
  Telemetry& telemetry_;
  PickerLimits limits_;
  std::uint64_t process_part_;  // of idempotency keys
  Jitter jitter_;
  std::uint64_t begun_ = 0;
  std::map<Key, std::unique_ptr<Consultation>> consultations_;
  std::map<std::string, Endpoint> endpoints_;
  Breakers breakers_;
  std::size_t in_flight_ = 0;
  std::size_t waiting_ = 0;
  std::unordered_map<CallId, std::pair<Key, std::string>> fetches_;  // whose, and which Secret
  std::unordered_map<picker::CallId, Key> calls_;
  Agenda<Key> agenda_;
  std::set<std::string> to_serve_;  // endpoints at which a place may be free
  std::vector<Key> over_;
};

}  // namespace ebb::control
