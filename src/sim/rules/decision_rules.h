// DownscaleDecision objects: each records a decision that was made before, is a patient write that
// nothing waits for, and belongs to no other object. Records are deleted only if there are too
// many, and at rest there are not too many.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "control/controller/process_settings.h"
#include "control/core/call.h"
#include "control/core/decision.h"
#include "model/component/component.h"
#include "sim/core/timeline.h"
#include "sim/link/link.h"
#include "sim/rules/invariants.h"

namespace ebb::sim {

class DecisionRules : public LinkObserver {
 public:
  DecisionRules(const Timeline& time, Invariants& invariants)
      : time_(time), invariants_(invariants) {}

  // The limits of all processes.
  void begin(const control::DecisionLimits& limits) { limits_ = limits; }
  void apply(const model::ObjectEvent& event);
  void decided(const control::Decision& decision) { decided_.insert(decision.id); }
  void sent(Invariants::Tag tag, const control::Call& call);
  void executing(Invariants::Tag tag) override;
  void executed(Invariants::Tag tag, const model::ApiResponse& response) override;

  // Empty if there are no more records than the limits allow; otherwise what is wrong.
  [[nodiscard]] std::string unsettled() const;

 private:
  using Name = std::pair<std::string, std::string>;  // namespace and name
  struct Record {
    std::string uid{};
    std::string workload{};
  };
  struct Delete {
    Name name{};
    std::string uid{};
  };

  void check_create(const control::Call& call);
  void check_delete(Invariants::Tag tag, const control::Call& call);
  [[nodiscard]] std::size_t records_of(const Name& name) const;
  // The number of records that a process may see: its watch can be silent for minutes.
  [[nodiscard]] std::size_t perhaps_seen() const;

  const Timeline& time_;
  Invariants& invariants_;
  control::DecisionLimits limits_{};
  std::set<std::string> decided_;   // ids
  std::map<Name, Record> records_;  // that exist
  std::map<Invariants::Tag, Delete> deletes_;
  std::vector<Timestamp> deleted_at_;
};

}  // namespace ebb::sim
