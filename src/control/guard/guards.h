// The guards of a process (canary_guard.h), one for each kind of controller, and what they learn
// through the store: signs of another controller, and canaries of other deployments of ebb.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "control/cache/store.h"
#include "control/controller/process_settings.h"
#include "control/core/work_queue.h"
#include "control/guard/canary_guard.h"
#include "control/guard/manager_lease.h"

namespace ebb::control {

class Guards final : public StoreListener {
 public:
  // The settings must contain guard options; `telemetry` and `store` must outlive the guards.
  Guards(const ProcessSettings& settings, const Store& store, Telemetry& telemetry);

  // The request to send now; to be called until it returns nothing. These calls ignore the rate
  // limit, and standbys send them too.
  struct Wanted {
    std::uint64_t ticket = 0;
    model::ApiRequest request{};
    Nanoseconds deadline_ns = 0;
  };
  [[nodiscard]] std::optional<Wanted> take_wanted(Now now);
  void answered(std::uint64_t ticket, const Answer& answer, Now now);
  [[nodiscard]] Timestamp wake_at(Timestamp mono) const;

  void begin_leading(Now now);
  // Everything has been listed once: objects that appear from now on are new.
  void begin_watching_others() { watches_others_ = true; }
  // Applies what the guards have learnt, and reports.
  void run(Now now);

  [[nodiscard]] std::vector<CanaryGuard>& all() { return guards_; }
  [[nodiscard]] const std::vector<CanaryGuard>& all() const { return guards_; }
  [[nodiscard]] bool may_write(GuardedKind guarded, Timestamp mono) const;
  [[nodiscard]] bool forbidden() const;
  // Another client wrote to a ReplicaSet or its pods. Returns how long to leave the ReplicaSet
  // alone.
  [[nodiscard]] Nanoseconds saw_foreign_write(Now now);

  // From now on the guards only delete canaries that must not remain.
  void stop();
  [[nodiscard]] bool stopped() const;

  void pod_changed(const Change<Pod>& change) override;
  void replica_set_changed(const Change<ReplicaSet>& change) override;
  void deployment_changed(const Change<Deployment>& change) override;

 private:
  // The order among deployments of ebb: the one with the older canary acts.
  using Seniority = std::pair<Timestamp, std::string>;  // creation time and uid of its canary
  // What looks like canaries of other deployments of ebb. Tenants can make any number of those, so
  // the oldest is found without looking at all of them.
  class Canaries {
   public:
    void set(const Key& key, Seniority seniority);
    void erase(const Key& key);
    [[nodiscard]] bool empty() const { return by_key_.empty(); }
    [[nodiscard]] bool any_older_than(const Seniority& seniority) const {
      return !by_age_.empty() && *by_age_.begin() < seniority;
    }

   private:
    std::map<Key, Seniority> by_key_;
    std::multiset<Seniority> by_age_;
  };
  struct Seen {
    bool foreign_write = false;
    Canaries canaries{};
  };

  [[nodiscard]] CanaryGuard* guard_of(GuardedKind guarded);
  [[nodiscard]] Seen& seen_of(GuardedKind guarded) {
    return seen_[static_cast<std::size_t>(guarded)];
  }
  void note_foreign_write(GuardedKind guarded) {
    if (watches_others_) seen_of(guarded).foreign_write = true;
  }
  template <class Object>
  void note_canary(GuardedKind guarded, const Change<Object>& change, bool is_canary);
  [[nodiscard]] bool is_own_canary(std::string_view namespace_name, std::string_view name) const;
  // Only while it makes a difference.
  [[nodiscard]] bool reads_manager_lease() const;
  [[nodiscard]] std::optional<Canary> in_store(GuardedKind guarded) const;

  Safeguards safeguards_;
  const Store& store_;
  Key canary_;
  std::vector<CanaryGuard> guards_;
  ManagerLease manager_;
  std::array<Seen, 2> seen_{};
  bool watches_others_ = false;
  bool stopping_ = false;
  std::map<std::uint64_t, std::pair<std::optional<std::size_t>, std::uint64_t>> calls_;
  std::uint64_t next_ticket_ = 1;
};

}  // namespace ebb::control
