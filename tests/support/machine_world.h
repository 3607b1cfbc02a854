// Machines at work on virtual time: their effects go to an API server, its changes come back
// to them, and time jumps to when somebody next wants to be woken. With faults, answers are lost
// and changes arrive late, by chance from a seed.
#pragma once

#include <deque>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/machine.h"
#include "support/pods.h"

namespace ebb::testing {

// The API server that a world runs on.
struct Backend {
  std::function<model::ApiResponse(const model::ApiRequest&, Timestamp)> handle;
  // Changes since the last call, in order.
  std::function<std::vector<model::ObjectEvent>(Timestamp)> take_events;
};

struct Faults {
  std::uint64_t seed = 0;  // 0: none
  double unknown = 0.1;    // done, but the answer is lost
  double refused = 0.1;    // not done: 500
  double late = 0.3;       // a machine does not hear of changes for now
};

class MachineWorld {
 public:
  explicit MachineWorld(Backend backend, Timestamp start = kNow);

  // Machines must outlive the world. `existing` are the objects there when it starts.
  void add(model::Machine& machine, const std::vector<model::ObjectEvent>& existing = {});
  void set_faults(const Faults& faults);

  model::ApiResponse request(const model::ApiRequest& request);
  // Creates an object given as JSON; EXPECTs that it works.
  void create(std::string_view json);
  void run_for(Nanoseconds duration);

  [[nodiscard]] Timestamp now() const { return now_; }
  [[nodiscard]] std::size_t effects() const { return effects_; }
  // Called with each effect before it is carried out.
  std::function<void(const model::Machine&, const model::ApiRequest&)> on_effect;
  // Called with each change.
  std::function<void(const model::ObjectEvent&)> on_change;

 private:
  struct Seat {
    model::Machine* machine = nullptr;
    std::deque<model::ObjectEvent> unheard;
  };

  void spread_changes();
  bool hear(Seat& seat);
  void carry_out(Seat& seat);
  bool settle();
  bool chance(double probability);

  Backend backend_;
  Timestamp now_;
  std::vector<Seat> seats_;
  Faults faults_;
  std::mt19937_64 random_;
  std::size_t effects_ = 0;
};

// Requests as tests make them.
[[nodiscard]] model::ApiRequest delete_request(std::string path, std::string body = "{}");
[[nodiscard]] model::ApiRequest merge_request(std::string path, std::string body);

}  // namespace ebb::testing
