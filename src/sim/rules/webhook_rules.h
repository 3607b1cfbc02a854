// The rules of `ebb webhook`, beside I2 and I8, which are checked on the controllers that play the
// stock ones:
//
// - a delete is refused only if it is one that the fence is for, and a decision causes refusals by
// a
//   replica for no longer than the window;
// - only scaling by the Deployment controller is asked to try again, and not too often;
// - every review is answered within its budget;
// - the values of deletion costs are those that other clients wrote, and no mark is left, once the
//   world has come to rest;
// - where nothing fails, a pod that was not chosen does not go while chosen ones are left, and a
//   later decision has a lower cost than those before it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "model/component/component.h"
#include "model/records/scale_down_mark.h"
#include "picker/call.h"
#include "sim/core/truth.h"
#include "sim/link/admission.h"
#include "sim/rules/invariants.h"
#include "sim/rules/inventory.h"

namespace ebb::sim {

class WebhookRules {
 public:
  WebhookRules(const Timeline& time, const Truth& truth, const Inventory& inventory,
               Invariants& invariants)
      : time_(time), truth_(truth), inventory_(inventory), invariants_(invariants) {}

  // From now on the chosen pods have to go.
  void demand_choice() { demands_choice_ = true; }
  // Call before the truth changes. `user`: whose request it is.
  void apply(const model::ObjectEvent& event, std::string_view user);
  // The changes in between are those of a replica.
  void ebb_writes(bool writes) { ebb_writes_ = writes; }
  void judged(const Verdict& verdict);
  void check_request(const picker::Call& call);
  // A process of the replica was started; it was paused, so that answers may be late.
  void started(const Reviewer& replica) { replicas_[&replica] = {.since = time_.now()}; }
  void disturbed(const Reviewer& replica) { replicas_[&replica].disturbed = true; }

  // What is left behind; empty if nothing.
  [[nodiscard]] std::string unsettled() const;

 private:
  struct PodCost {
    std::string name{};
    std::string set_uid{};
    std::string cost{};      // the annotation; empty: absent
    std::string expected{};  // as others wrote it
    std::string mark{};      // ebb.dev/scale-down
    bool deleting = false;
  };
  struct Made {
    std::string id{};
    std::int32_t size = 0;
    std::int32_t cost = 0;
    Timestamp first_marked{};
  };
  struct Replica {
    Timestamp since{};
    bool disturbed = false;
    std::map<std::string, Timestamp, std::less<>> first_refusals{};  // by decision
    std::deque<Timestamp> try_again{};                               // the last ones
  };

  void add_decision(const std::string& set_uid, const model::ScaleDownMark& mark);
  void check_choice(const PodCost& pod, const std::string& uid);
  void check_refused_delete(const boost::json::object& request, std::string_view decision,
                            Replica& replica);
  void check_refused_resize(const boost::json::object& request, Replica& replica);
  [[nodiscard]] const Made* newest(const std::string& set_uid) const;
  [[nodiscard]] bool has_active_policy(const SetTruth& set) const;

  const Timeline& time_;
  const Truth& truth_;
  const Inventory& inventory_;
  Invariants& invariants_;
  bool demands_choice_ = false;
  bool ebb_writes_ = false;
  std::map<std::string, PodCost, std::less<>> pods_;                           // by uid
  std::map<std::string, std::map<std::string, Made>, std::less<>> decisions_;  // by set and id
  std::map<const Reviewer*, Replica> replicas_;
  std::map<std::string, Timestamp> last_others_;  // when a pod that was not chosen went, by set
};

}  // namespace ebb::sim
