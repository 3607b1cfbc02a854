// What the ReplicaSet controller does between passes: it repeats deletes of unknown outcome, and
// looks for pods whose creation has one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/agenda.h"
#include "control/awaited_revisions.h"
#include "control/errands.h"
#include "control/port.h"
#include "control/process.h"
#include "control/replica_set_pass.h"
#include "control/work_queue.h"

namespace ebb::control {

class LooseEnds {
 public:
  struct Surroundings {
    const ControllerContext& context;
    const Safeguards& safeguards;
    Errands& errands;
    WorkQueue& queue;
    std::map<Key, SetMemory>& memories;
  };

  explicit LooseEnds(Surroundings around) : around_(around) {}

  // Whenever expectations may have changed: notes when they need something to be done.
  void schedule(const Key& key);
  void forget(const Key& key) { attention_.erase(key); }
  // Does what is due.
  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const { return attention_.next(); }
  // Those for which the cache has shown the pods that they waited for, or never will.
  [[nodiscard]] std::vector<Key> take_seen();
  [[nodiscard]] bool has_seen() const;

  // Of an errand that is sent here.
  [[nodiscard]] bool still_wants_repeat(const Errand& errand);
  void answered(const Errand& errand, const Answer& answer, Now now);
  // Tells what became of deletes of unknown outcome, as soon as that is known of all of them, or if
  // nobody will learn it any more.
  void tell_settled(SetMemory& memory, bool nothing_more_will_come, Now now);

 private:
  void attend(const Key& key, Now now);
  [[nodiscard]] bool may_repeat(const ReplicaSet& set, const Expectations& expectations) const;
  void repeat_deletes(const Key& key, SetMemory& memory, Now now);
  void repeat_answered(const Errand& errand, const Answer& answer, Now now);
  void list_answered(const Errand& errand, const Answer& answer, Now now);
  void note_of(const Errand& errand, bool warning, std::string_view reason, std::string message,
               Now now);

  Surroundings around_;
  Agenda<Key> attention_;     // when expectations need something to be done
  AwaitedRevisions awaited_;  // the cache has shown the pods, or never will
};

}  // namespace ebb::control
