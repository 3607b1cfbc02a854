// Random pods for property tests. Most fields have few values, so that pods often tie and later
// criteria decide; some values are extreme.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "order/select.h"
#include "support/objects/pods.h"
#include "support/order/naive_order.h"

namespace ebb::testing {

// The description of a random pod. It is a plain value, because records hold handles of a pool,
// which can be neither printed nor shrunk.
struct PodDraft {
  std::string uid;
  int node = 0;  // 0: unassigned
  model::Phase phase = model::Phase::kRunning;
  bool ready = true;
  bool labelled = false;
  std::int32_t deletion_cost = 0;
  std::int32_t cost_rank = 0;
  model::Verdict verdict = model::Verdict::kUnnamed;
  Timestamp ready_since;
  std::int32_t restarts = 0;
  std::int32_t sidecar_restarts = 0;
  Timestamp created;
};

struct SceneDraft {
  std::vector<PodDraft> pods;  // no two with the same uid
  Timestamp now;
  unsigned gates = 0;  // bit i: the gate with that number is on
  bool label_in_template = false;
  bool ranked = false;
  bool answered = false;
};

void showValue(const PodDraft& draft, std::ostream& out);
void showValue(const SceneDraft& draft, std::ostream& out);

// Random times, most of them within a few buckets of kNow.
[[nodiscard]] rc::Gen<Timestamp> any_time();
[[nodiscard]] rc::Gen<PodDraft> any_pod();
[[nodiscard]] rc::Gen<SceneDraft> any_scene();

// Records built from a draft, and the question about them.
class Scene {
 public:
  explicit Scene(const SceneDraft& draft);
  Scene(const Scene&) = delete;  // the question points into it
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] order::Question question() const;
  // All pods in removal order.
  [[nodiscard]] std::vector<std::string> removal_order() const;

  World world;
  NaiveQuestion naive;  // has the pods
  std::vector<const model::Pod*> candidates;
  order::NodeCounts co_located;
};

}  // namespace ebb::testing
