// Runs components on virtual time: their requests go to an API server, its changes come back to
// them, and time jumps to the next timer. With faults, answers are lost and changes arrive late, at
// random from a seed.
#pragma once

#include <deque>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/component/component.h"
#include "support/objects/pods.h"

namespace ebb::testing {

// The API server that a world runs on.
struct Backend {
  std::function<model::ApiResponse(const model::ApiRequest&, Timestamp)> handle;
  // Changes since the last call, in order.
  std::function<std::vector<model::ObjectEvent>(Timestamp)> take_events;
};

struct Faults {
  std::uint64_t seed = 0;  // 0: no faults
  double unknown = 0.1;    // executed, but the answer is lost
  double refused = 0.1;    // not executed: 500
  double late = 0.3;       // a component receives changes late
};

class ComponentWorld {
 public:
  explicit ComponentWorld(Backend backend, Timestamp start = kNow);

  // Components must outlive the world. `existing` are the objects at the start.
  void add(model::Component& component, const std::vector<model::ObjectEvent>& existing = {});
  void set_faults(const Faults& faults);

  model::ApiResponse request(const model::ApiRequest& request);
  // Creates an object from JSON; EXPECTs success.
  void create(std::string_view json);
  void run_for(Nanoseconds duration);

  [[nodiscard]] Timestamp now() const { return now_; }
  [[nodiscard]] std::size_t effects() const { return effects_; }
  // Called with each request before it is executed.
  std::function<void(const model::Component&, const model::ApiRequest&)> on_effect;
  // Called with each change.
  std::function<void(const model::ObjectEvent&)> on_change;

 private:
  struct ProcessSlot {
    model::Component* component = nullptr;
    std::deque<model::ObjectEvent> unheard;
  };

  void spread_changes();
  bool hear(ProcessSlot& slot);
  void carry_out(ProcessSlot& slot);
  bool settle();
  bool chance(double probability);

  Backend backend_;
  Timestamp now_;
  std::vector<ProcessSlot> slots_;
  Faults faults_;
  std::mt19937_64 random_;
  std::size_t effects_ = 0;
};

// Requests as tests make them.
[[nodiscard]] model::ApiRequest delete_request(std::string path, std::string body = "{}");
[[nodiscard]] model::ApiRequest merge_request(std::string path, std::string body);

}  // namespace ebb::testing
