// Reports from the other controllers to the policy controller: how the pickers of policies
// answered, the last decisions, and what was ranked. All controllers run in one thread; nothing
// here outlives the process.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/timestamp.h"
#include "control/core/work_queue.h"
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
    std::string problem{};  // an invalid setting or Secret; contains no values
  };
  // Another program changes what the ranker publishes on pods.
  struct Contest {
    std::string reason{};  // in one word; empty: none does
    std::string message{};

    friend bool operator==(const Contest&, const Contest&) = default;
  };
  struct Ranked {
    std::size_t pods = 0;
    std::size_t replica_sets = 0;  // number of ReplicaSets with such pods
    Timestamp changed{};           // when ranks were last written; zero: not by this process
    std::string reason{};          // of a problem, in one word; empty: no problem
    std::string problem{};
    std::string limit{};  // what was left out of the ranks; empty: nothing
    Contest contest{};

    friend bool operator==(const Ranked&, const Ranked&) = default;
  };
  // How often a policy that only watches and what really went agreed (status.shadow).
  struct Shadow {
    std::int64_t decisions = 0;
    std::int64_t victims = 0;  // pods that went
    std::int64_t agreed = 0;   // those among them that the policy would have removed too
  };
  struct Report {
    std::optional<Decided> last{};
    // The outcome of the last picker call; nothing: there was none.
    std::optional<picker::Outcome> asked{};
    std::string problem{};  // of that call, as in Decided
    bool breaker_open = false;
    std::optional<Ranked> ranked{};
    std::optional<Shadow> shadow{};
    std::uint64_t version = 0;  // differs after each change
  };

  void decided(const Key& policy, Decided decided, bool breaker_open) {
    Report& report = reports_[policy];
    if (decided.outcome != picker::Outcome::kNotNeeded) {
      report.asked = decided.outcome;
      report.problem = decided.problem;
      report.breaker_open = breaker_open;
    }
    report.last = std::move(decided);
    change(policy);
  }

  void ranked(const Key& policy, Ranked ranked) {
    Report& report = reports_[policy];
    if (report.ranked == ranked) return;
    report.ranked = std::move(ranked);
    change(policy);
  }

  // Adds a comparison to the counts; `before` are those in the policy's status, which earlier
  // processes have written.
  void compared(const Key& policy, const Shadow& before, std::int64_t victims,
                std::int64_t agreed) {
    std::optional<Shadow>& shadow = reports_[policy].shadow;
    if (!shadow) shadow = before;
    ++shadow->decisions;
    shadow->victims += victims;
    shadow->agreed += agreed;
    change(policy);
  }

  // Null if there is no report.
  [[nodiscard]] const Report* of(const Key& policy) const {
    const auto found = reports_.find(policy);
    return found == reports_.end() ? nullptr : &found->second;
  }
  void forget(const Key& policy) { reports_.erase(policy); }

  [[nodiscard]] bool has_changes() const { return !changed_.empty(); }
  [[nodiscard]] std::set<Key> take_changed() { return std::exchange(changed_, {}); }

 private:
  void change(const Key& policy) {
    reports_[policy].version = ++versions_;
    changed_.insert(policy);
  }

  std::map<Key, Report> reports_;
  std::uint64_t versions_ = 0;
  std::set<Key> changed_;
};

}  // namespace ebb::control
