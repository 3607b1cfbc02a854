// What the other controllers tell the policy controller: how the pickers that policies name have
// answered, what was decided last, and what was ranked. All run in one thread; nothing here
// outlives the process.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/timestamp.h"
#include "control/work_queue.h"
#include "picker/outcome.h"

namespace ebb::control {

class PolicyReports {
 public:
  struct Decided {
    Timestamp time;
    std::string replica_set;
    std::size_t victims = 0;
    picker::Outcome outcome = picker::Outcome::kNotNeeded;
    std::string id;
    std::string problem{};  // of settings or a Secret; names no value
  };
  struct Ranked {
    std::size_t pods = 0;
    std::size_t replica_sets = 0;  // that have such pods
    Timestamp changed{};           // when ranks were last written; zero: not by this process
    std::string reason{};          // of a problem, in one word; empty: there is none
    std::string problem{};

    friend bool operator==(const Ranked&, const Ranked&) = default;
  };
  struct Report {
    std::optional<Decided> last{};
    // The last time the picker was to be asked; nothing: it never was.
    std::optional<picker::Outcome> asked{};
    std::string problem{};  // of that time, as in Decided
    bool breaker_open = false;
    std::optional<Ranked> ranked{};
  };

  void decided(const Key& policy, Decided decided, bool breaker_open) {
    Report& report = reports_[policy];
    if (decided.outcome != picker::Outcome::kNotNeeded) {
      report.asked = decided.outcome;
      report.problem = decided.problem;
      report.breaker_open = breaker_open;
    }
    report.last = std::move(decided);
    changed_.insert(policy);
  }

  void ranked(const Key& policy, Ranked ranked) {
    Report& report = reports_[policy];
    if (report.ranked == ranked) return;
    report.ranked = std::move(ranked);
    changed_.insert(policy);
  }

  // Null if there is nothing to tell.
  [[nodiscard]] const Report* of(const Key& policy) const {
    const auto found = reports_.find(policy);
    return found == reports_.end() ? nullptr : &found->second;
  }
  void forget(const Key& policy) { reports_.erase(policy); }

  [[nodiscard]] bool has_changes() const { return !changed_.empty(); }
  [[nodiscard]] std::set<Key> take_changed() { return std::exchange(changed_, {}); }

 private:
  std::map<Key, Report> reports_;
  std::set<Key> changed_;
};

}  // namespace ebb::control
