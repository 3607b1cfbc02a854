// The newest decision for each ReplicaSet that this replica knows of: its own, and those of other
// replicas by their marks on pods. The one with the lower cost is newer (webhook_cost.h).
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "model/records/scale_down_mark.h"

namespace ebb::control {

// A ReplicaSet as its pods name it. Owner references can be forged across namespaces, so the uid
// alone is not enough.
struct SetId {
  std::string namespace_name{};
  std::string uid{};

  friend auto operator<=>(const SetId&, const SetId&) = default;
};

struct KnownDecision {
  std::string id{};
  std::int32_t size = 0;
  std::int32_t cost = 0;
  Timestamp first_seen{};                        // on the monotonic clock
  std::set<std::string, std::less<>> victims{};  // uids of those that are known
};

class KnownDecisions {
 public:
  // A decision of this replica. It replaces every other.
  void decided(const SetId& set, const model::ScaleDownMark& mark, std::vector<std::string> victims,
               Now now);
  // A mark on a pod of the set. Two decisions with the same cost, which two replicas made at the
  // same time, count as one with the victims of both: stock controllers cannot tell them apart.
  // Returns whether the decision is a new one, of which there may be further marks.
  bool saw_mark(const SetId& set, const model::ScaleDownMark& mark, std::string_view pod_uid,
                Now now);
  void forget(const SetId& set) { decisions_.erase(set); }

  // Null if there is none. Valid until the next change.
  [[nodiscard]] const KnownDecision* newest(const SetId& set) const;
  [[nodiscard]] std::optional<std::int32_t> lowest_cost(const SetId& set) const;

 private:
  std::map<SetId, KnownDecision> decisions_;
};

}  // namespace ebb::control
