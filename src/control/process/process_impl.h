// The parts of a controller process, and how calls and answers pass between them.
#pragma once  // private to its room

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/deadline_queue.h"
#include "control/cache/reflector.h"
#include "control/cache/store.h"
#include "control/controller/controller.h"
#include "control/guard/guard_events.h"
#include "control/guard/guards.h"
#include "control/lease/elector.h"
#include "control/process/dispatcher.h"
#include "control/process/process.h"
#include "control/process/recorder.h"

namespace ebb::control {

struct Process::Impl final : CallSink {
  // Phases only move forward.
  enum class Phase : std::uint8_t {
    kNew,
    kElecting,   // waiting for the lease
    kWorking,    // watches the cluster, and acts once the caches are synced
    kFinishing,  // was asked to stop; finishes what is in flight
    kReleasing,  // nothing is in flight any more; gives the lease back
    kDone,
  };

  Impl(ProcessSettings settings, Telemetry& telemetry, const ControllerFactory& factory);

  // For controllers.
  CallId send(Call::Kind kind, model::ApiRequest request) override;
  CallId send_within(Nanoseconds deadline_ns, Call::Kind kind, model::ApiRequest request) override;
  picker::CallId ask(picker::Call call) override;
  void withdraw(picker::CallId id) override;
  void record_event(Event event, Now now) override;
  Nanoseconds saw_foreign_write(Now now) override;
  void answer_review(ReviewAnswer answer) override;

  // For the runtime.
  void begin(Now now);
  void answered(CallId id, const Answer& answer, Now now);
  void received(CallId id, std::string_view bytes, Now now);
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now);
  void review(ReviewId id, std::string_view body, Now now);
  void drop_review(ReviewId id, Now now);
  void set_ca_bundle(const std::string& pem, Now now);
  void stop(Now now);
  // Lets every part do what is due. Called after each input.
  void step(Now now);

  [[nodiscard]] bool leads(Timestamp mono) const;
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] Timestamp watches_down_since(Now now) const;
  [[nodiscard]] std::vector<GuardStatus> guard_statuses(Now now) const;

  ProcessSettings settings;
  Telemetry& telemetry;
  Phase phase = Phase::kNew;
  bool lost = false;
  bool went_back = false;
  bool canary_forbidden = false;
  bool synced = false;
  Store store;
  std::vector<Call> outbox;
  std::vector<CallId> cancelled;
  std::vector<picker::Call> picker_requests;
  std::vector<picker::CallId> withdrawn;
  std::vector<ReviewAnswer> review_answers;

 private:
  // The part that a call belongs to.
  struct Owner {
    enum class Who : std::uint8_t { kElector, kGuard, kReflector, kController, kRecorder };
    Who who = Who::kElector;
    std::size_t index = 0;     // of the reflector or controller
    std::uint64_t ticket = 0;  // of the recorder or the guards
  };

  CallId queue(Owner owner, Call call);
  void route(CallId id, const Answer& answer);
  void elect();
  // Guards.
  void guard();
  void take_over(CanaryGuard& guard);
  [[nodiscard]] bool may_write(std::size_t controller) const;
  void suspend_controllers();
  void withhold_writes();
  void follow();
  void check_synced();
  void run_controllers();
  void flush_events();
  // Returns whether any sender was answered kNotSent.
  bool dispatch();
  void begin_working();
  void cancel_following();
  void lose();
  [[nodiscard]] bool storage_went_back() const;
  void begin_finishing();
  void finish();
  void release();
  [[nodiscard]] bool controllers_are_idle() const;
  // The controller that answers reviews; nothing: none does.
  [[nodiscard]] std::optional<std::size_t> reviewer() const;
  // Whether the caches allow this controller to run.
  [[nodiscard]] bool may_run(std::size_t controller) const;

  struct FollowedResource {
    Reflector reflector;
    std::optional<CallId> in_flight;
    bool awaited = true;  // the controllers do not run before it is synced
  };

  Dispatcher dispatcher_;
  Recorder recorder_;
  std::optional<Elector> elector_;
  std::optional<Guards> guards_;
  GuardEvents guard_events_;
  std::vector<FollowedResource> reflectors_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<bool> suspended_;  // by controller
  std::unordered_map<CallId, Owner> owners_;
  std::unordered_map<picker::CallId, std::size_t>
      picker_request_owners_;           // index of the controller
  std::optional<std::size_t> running_;  // the controller that is being called
  CallId next_id_ = 1;
  picker::CallId next_picker_request_ = 1;
  Now now_;            // of this step
  Timestamp work_at_;  // earliest time of the next work
  Timestamp stop_at_;
  Timestamp flush_until_;  // set once only events are left
  Timestamp release_at_;
};

}  // namespace ebb::control
