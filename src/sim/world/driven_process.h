// Drives one process of the world that is not under the rules of controllers: passes it what its
// link delivers, and sends what it wants to send. It can crash and pause.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "control/process/process.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"
#include "sim/link/link.h"

namespace ebb::sim {

class DrivenProcess : public LinkUser, public LinkObserver {
 public:
  ~DrivenProcess() override;

  void changed(const schema::Kind* kind);
  // When its last silent call or stream times out; the zero time if there is none.
  [[nodiscard]] Timestamp silent_until() const;

  void answered(control::CallId id, const control::Answer& answer) override;
  void received(control::CallId id, std::string_view bytes) override;

 protected:
  // `boot_ns`: its monotonic clock at the start of the world.
  DrivenProcess(const LinkContext& link, Nanoseconds boot_ns) : context_(link), boot_ns_(boot_ns) {}

  using Input = std::function<void(control::Process& process)>;
  // None may be running.
  void start(const control::ProcessSettings& settings, control::Telemetry& telemetry,
             const std::string& name, std::uint64_t seed);
  void crash();
  void pause(Nanoseconds duration);
  // Delivers an input to the process, at once or after its pause.
  void input(const Input& input);
  [[nodiscard]] Now now() const;
  [[nodiscard]] bool runs() const { return process_ != nullptr; }
  [[nodiscard]] bool paused() const { return paused_; }
  // Differs for each process that was started.
  [[nodiscard]] std::uint64_t starts() const { return starts_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // Carries out what is neither a call nor a stream, after each input.
  virtual void carry_out_more(control::Process& process) = 0;
  // A tag for the observer; 0: none.
  virtual std::uint64_t tag_of(const control::Call& call) = 0;
  // The process is gone.
  virtual void ended() {}

  LinkContext context_;
  std::shared_ptr<Link> link_;

 private:
  void carry_out();
  void set_alarm();

  Nanoseconds boot_ns_;
  std::string name_;
  std::unique_ptr<control::Process> process_;
  std::uint64_t starts_ = 0;
  Timestamp alarm_;
  bool paused_ = false;
  std::deque<Input> missed_;
};

}  // namespace ebb::sim
