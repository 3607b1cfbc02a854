// What must always hold, written once (I1 to I8 of the design), and checked as each write of a
// controller process is sent and as it reaches the API server.
//
// Two kinds of check. When a write is sent, against what its process knows: its store, and the
// writes that it has sent before. When a write is executed, against the truth, where what others
// did and the process had not heard of is not held against it, but what controllers did,
// this process or one before it, is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/call.h"
#include "control/store.h"
#include "sim/link.h"
#include "sim/timeline.h"
#include "sim/truth.h"

namespace ebb::sim {

// Stands in Secrets and in templates, and nowhere else.
inline constexpr std::string_view kSecret = "hush-4d1f0c";
// With this begins what pickers are shown to believe us. It is in Secrets and in what pickers are
// told beside the question, and nowhere else; nor is its base64.
inline constexpr std::string_view kPickerSecret = "mum-77ab21c9";
inline constexpr std::string_view kPickerSecretEncoded = "bXVtLTc3YWIyMWM5";

struct Violation {
  std::string rule{};  // I2
  std::string text{};
};

// What a process is there for. Of each role one acts at a time.
enum class Role : std::uint8_t {
  kControls,  // and ranks, perhaps
  kRanks,     // and nothing else
};

class Invariants : public LinkWitness {
 public:
  using ProcessId = std::uint64_t;  // larger for later starts
  using Tag = std::uint64_t;

  Invariants(const Timeline& time, Truth& truth) : time_(time), truth_(truth) {}

  [[nodiscard]] ProcessId new_process(Role role = Role::kControls) {
    roles_[++processes_] = role;
    return processes_;
  }
  [[nodiscard]] Role role(ProcessId process) const { return roles_.at(process); }
  // Who looks on as well.
  void look_on(LinkWitness& other) { others_.push_back(&other); }
  // A call leaves the process. The tag names it from here on.
  Tag sent(ProcessId process, const control::Call& call, const control::Store& store);
  void answered(Tag tag, const control::Answer& answer);
  void executing(Tag tag) override;
  void executed(Tag tag, const model::ApiResponse& response) override;

  // Whether nothing secret is in a text that people get to see.
  void check_secrets(std::string_view text, std::string_view where);
  // Whether nothing is in it that only a picker may be shown.
  void check_picker_secrets(std::string_view text, std::string_view where);
  void violate(std::string rule, std::string text);
  // Without the safeguard itself, what follows from that is what counts.
  void allow_deletes_without_precondition() { demands_preconditions_ = false; }
  // The first one.
  [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }

  // The pods that fill a place of the set, as far as the process can know.
  [[nodiscard]] std::vector<const control::Pod*> pods_seen(ProcessId process,
                                                           const control::ReplicaSet& set,
                                                           const control::Store& store) const;
  // How many of these it has sent deletes for that may have happened, or still may.
  [[nodiscard]] std::size_t going(ProcessId process,
                                  const std::vector<const control::Pod*>& pods) const;

  // Writes of controllers that took effect, but for leases and events.
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
    bool refused = false;   // certainly not executed
    bool accepted = false;  // certainly executed
    bool executed = false;  // in truth
    // Of those about pods.
    std::string name_space{};
    std::string pod_name{};
    std::string pod_uid{};  // of a create: once it is executed
    std::string set_uid{};
    std::int64_t replicas = 0;      // as read by the process when it sent this
    std::set<std::string> known{};  // uids of the pods that it then counted for the set
    std::set<std::string> seen{};   // of a create: of all pods that it then saw
    bool counted_before = false;    // the victim filled a place; between executing and executed
  };

  void read_delete(Write& write, const control::Call& call, const control::Store& store);
  void read_create(Write& write, const control::Call& call, const control::Store& store);
  void read_patch(Write& write, const control::Call& call);
  // Of the set as its process sees it; false if it sees no such set.
  bool read_set(Write& write, std::string_view name, const control::Store& store);

  void check_delete_sent(const Write& write);
  void check_create_sent(const Write& write, const control::Store& store);
  void check_delete_executed(const Write& write);
  void check_create_executing(const Write& write);
  void check_single_actor(const Write& write);
  [[nodiscard]] bool may_have_happened(const Write& write) const;
  // Whether a create may have made, or may yet make, a pod that its process has not seen.
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
  std::vector<LinkWitness*> others_;
  std::uint64_t writes_ = 0;
  std::uint64_t pods_made_ = 0;
  std::uint64_t pods_ended_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace ebb::sim
