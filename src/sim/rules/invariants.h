// The invariants (I1 to I8 in docs/invariants.md), written once, and checked as each write of a
// controller process is sent and as it reaches the API server.
//
// There are two kinds of check. A write that is sent is checked against what its process knows: its
// store, and the writes that it has sent before. A write that is executed is checked against the
// truth; actions of others that the process did not know of are excused, but actions of
// controllers, whether this process or an earlier one, are not.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/cache/store.h"
#include "control/core/call.h"
#include "sim/core/timeline.h"
#include "sim/core/truth.h"
#include "sim/link/link.h"

namespace ebb::sim {

struct Violation {
  std::string rule{};  // I2
  std::string text{};
};

// The purpose of a process. At most one process of each role acts at a time.
enum class Role : std::uint8_t {
  kControls,  // and ranks, perhaps
  kRanks,     // only
  kWatches,   // in shadow mode
};

class Invariants : public LinkObserver {
 public:
  using ProcessId = std::uint64_t;  // larger for later starts
  using Tag = std::uint64_t;

  Invariants(const Timeline& time, Truth& truth) : time_(time), truth_(truth) {}

  [[nodiscard]] ProcessId new_process(Role role = Role::kControls) {
    roles_[++processes_] = role;
    return processes_;
  }
  [[nodiscard]] Role role(ProcessId process) const { return roles_.at(process); }
  // Adds an observer that receives the same calls.
  void add_observer(LinkObserver& other) { others_.push_back(&other); }
  // A call leaves the process. The returned tag identifies it from here on.
  Tag sent(ProcessId process, const control::Call& call, const control::Store& store);
  // The process has listed everything since then, so it knows what a second controller did before.
  // The zero time: it need not have listed.
  void informed(Tag tag, Timestamp since) { writes_sent_[tag].informed_since = since; }
  void answered(Tag tag, const control::Answer& answer);
  void executing(Tag tag) override;
  void executed(Tag tag, const model::ApiResponse& response) override;

  // Checks that a text that users can see contains no secret.
  void check_secrets(std::string_view text, std::string_view where);
  // Checks that a text contains nothing that only a picker may see.
  void check_picker_secrets(std::string_view text, std::string_view where);
  void violate(std::string rule, std::string text);
  // With this safeguard switched off, only the consequences are checked.
  void allow_deletes_without_precondition() { demands_preconditions_ = false; }
  // The first violation.
  [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }

  // The pods that count against the set's replicas, as far as the process can know.
  [[nodiscard]] std::vector<const control::Pod*> pods_seen(ProcessId process,
                                                           const control::ReplicaSet& set,
                                                           const control::Store& store) const;
  // How many of these pods have a delete from this process that was or may still be executed.
  [[nodiscard]] std::size_t going(ProcessId process,
                                  const std::vector<const control::Pod*>& pods) const;

  // The number of writes by controllers that took effect, without leases and events.
  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  [[nodiscard]] std::uint64_t pods_made() const { return pods_made_; }
  [[nodiscard]] std::uint64_t pods_ended() const { return pods_ended_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  enum class What : std::uint8_t { kOther, kDeletePod, kCreatePod, kPatchPod };

  // A write that was sent.
  struct Write {
    ProcessId process = 0;
    control::Call::Kind kind{};
    What what = What::kOther;
    Timestamp sent{};
    Timestamp informed_since{};
    bool refused = false;   // certainly not executed
    bool accepted = false;  // certainly executed
    bool executed = false;  // in truth
    // Set for writes to pods.
    std::string namespace_name{};
    std::string pod_name{};
    std::string pod_uid{};  // of a create: once it is executed
    std::string set_uid{};
    std::int64_t replicas = 0;      // as the process read it when it sent the write
    std::set<std::string> known{};  // uids of the pods that it counted for the set then
    std::set<std::string> seen{};   // of a create: uids of all pods that it saw then
    // Of a create: the set's pods that the process sees, but could not decode and does not count.
    std::int64_t unread = 0;
    bool counted_before = false;  // the victim counted; valid between executing and executed
  };

  void read_delete(Write& write, const control::Call& call, const control::Store& store);
  void read_create(Write& write, const control::Call& call, const control::Store& store);
  void read_patch(Write& write, const control::Call& call);
  // Reads the set as its process sees it; returns false if the process sees no such set.
  bool read_set(Write& write, std::string_view name, const control::Store& store);

  void check_delete_sent(const Write& write);
  void check_create_sent(const Write& write, const control::Store& store);
  void check_delete_executed(const Write& write);
  void check_create_executing(const Write& write);
  void check_single_actor(const Write& write);
  [[nodiscard]] bool may_have_happened(const Write& write) const;
  // Whether a create may have made, or may still make, a pod that its process has not seen.
  [[nodiscard]] bool is_pending(const Write& create, const control::Store& store) const;

  const Timeline& time_;
  Truth& truth_;
  std::optional<Violation> violation_;
  bool demands_preconditions_ = true;
  std::vector<Write> writes_sent_{Write{}};  // by tag
  std::map<ProcessId, std::vector<Tag>> pod_writes_;
  // The newest state of each set that any process has acted upon.
  std::map<std::string, std::uint64_t> acted_upon_;
  ProcessId processes_ = 0;
  std::map<ProcessId, Role> roles_;
  std::map<Role, ProcessId> last_actors_;
  std::set<ProcessId> former_actors_;
  std::vector<LinkObserver*> others_;
  std::uint64_t writes_ = 0;
  std::uint64_t pods_made_ = 0;
  std::uint64_t pods_ended_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace ebb::sim
