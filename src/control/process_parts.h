// The inside of a controller process: its parts, and how calls and answers go between them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/agenda.h"
#include "control/dispatcher.h"
#include "control/elector.h"
#include "control/port.h"
#include "control/process.h"
#include "control/recorder.h"
#include "control/reflector.h"
#include "control/store.h"

namespace ebb::control {

struct Process::Parts final : Port {
  // It only ever goes on to a later one.
  enum class Phase : std::uint8_t {
    kNew,
    kElecting,   // waits for the lease
    kWorking,    // follows the cluster, and once it has seen everything, acts
    kFinishing,  // was asked to stop: what is under way is brought to an end
    kReleasing,  // nothing is under way any more: gives the lease back
    kDone,
  };

  Parts(ProcessSettings settings, Telemetry& telemetry, const ControllerFactory& factory);

  // What controllers see.
  CallId send(Call::Kind kind, model::ApiRequest request) override;
  picker::CallId ask(picker::Call call) override;
  void withdraw(picker::CallId id) override;
  void note(Note note, Now now) override;

  // What the runtime tells.
  void begin(Now now);
  void answered(CallId id, const Answer& answer, Now now);
  void received(CallId id, std::string_view bytes, Now now);
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now);
  void stop(Now now);
  // Lets everybody do what is due. After everything that happens.
  void step(Now now);

  [[nodiscard]] bool leads(Timestamp mono) const;
  [[nodiscard]] Timestamp wake_at() const;

  ProcessSettings settings;
  Telemetry& telemetry;
  Phase phase = Phase::kNew;
  bool lost = false;
  bool went_back = false;
  bool synced = false;
  Store store;
  std::vector<Call> outbox;
  std::vector<CallId> cancelled;
  std::vector<picker::Call> questions;
  std::vector<picker::CallId> withdrawn;

 private:
  // Who waits for an answer.
  struct Owner {
    enum class Who : std::uint8_t { kElector, kReflector, kController, kRecorder };
    Who who = Who::kElector;
    std::size_t index = 0;     // of the reflector or controller
    std::uint64_t ticket = 0;  // of the recorder
  };

  CallId queue(Owner owner, Call call);
  void route(CallId id, const Answer& answer);
  void elect();
  void follow();
  void look_whether_synced();
  void run_controllers();
  void tell();
  // Returns whether somebody has heard of something that was not sent.
  bool dispatch();
  void begin_working();
  void cancel_following();
  void lose();
  [[nodiscard]] bool storage_went_back() const;
  void begin_finishing();
  void finish();
  void release();
  [[nodiscard]] bool controllers_are_idle() const;

  struct Following {
    Reflector reflector;
    std::optional<CallId> under_way;
  };

  Dispatcher dispatcher_;
  Recorder recorder_;
  std::optional<Elector> elector_;
  std::vector<Following> following_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::unordered_map<CallId, Owner> owners_;
  std::unordered_map<picker::CallId, std::size_t> askers_;  // controllers
  std::optional<std::size_t> running_;                      // the controller that is being called
  CallId next_id_ = 1;
  picker::CallId next_question_ = 1;
  Now now_;  // of this step
  Timestamp stop_at_;
  Timestamp tell_until_;  // once nothing else is left to do
  Timestamp release_at_;
};

}  // namespace ebb::control
