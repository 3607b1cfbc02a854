// Sample requests for a picker, and how a controller would use the answers. Pure: the caller sends
// the requests and passes the replies.
#pragma once  // private to its room

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "cli/common/zones.h"
#include "model/records/pool.h"
#include "order/candidate.h"
#include "picker/call.h"
#include "picker/pick_request.h"
#include "picker/settings.h"
#include "plan/plan.h"

namespace ebb::cli {

// One request: the candidates, and how many of them have to go.
struct Trial {
  std::string title{};
  std::vector<order::Candidate> pods{};
  order::OrderContext order_context{};
  std::size_t surplus = 0;
  // Repeats the previous request with the same key: the answer must be the same.
  bool again = false;
};

// Trials, and the pods that they refer to.
class Trials {
 public:
  // Made-up pods: a few, KEP-3189's own example, one of ten, and `many`.
  [[nodiscard]] static Trials of_samples(std::size_t many, Timestamp now);
  // Pods with these names, otherwise equal: one has to go, then half of them.
  [[nodiscard]] static Trials of_names(const std::vector<std::string>& names, Timestamp now);
  // The pods of each ReplicaSet that shrinks in a plan. Refers to the plan's snapshot.
  [[nodiscard]] static Trials of_plan(const plan::Plan& plan, const model::Snapshot& snapshot);

  [[nodiscard]] const std::vector<Trial>& all() const { return trials_; }
  // The request that a controller would send.
  [[nodiscard]] picker::PickRequest request(const Trial& trial, picker::Context context) const;

 private:
  void add(std::string title, const std::vector<std::string>& names, std::size_t surplus,
           Timestamp now);
  void add_again();

  // On the heap, because pods refer to it.
  std::unique_ptr<model::Pool> pool_ = std::make_unique<model::Pool>();
  std::vector<std::unique_ptr<model::Pod>> pods_;
  Zones zones_;
  std::vector<Trial> trials_;
};

struct TrialResult {
  struct Victim {
    std::string name{};
    std::string rule{};
    std::string because{};
  };

  std::string title{};
  picker::PickRequest request{};
  picker::Reply reply{};
  Nanoseconds took_ns = 0;
  // The number of names that count.
  std::size_t chosen = 0;
  std::size_t tied = 0;
  picker::NameList ignored{};
  std::vector<Victim> victims{};
  std::vector<std::string> problems{};  // to be fixed
  std::vector<std::string> warnings{};  // legal, but perhaps not intended
};

struct Asked {
  picker::PickRequest request{};
  picker::Reply reply{};
  Nanoseconds took_ns = 0;
};

// `before` is the result of the previous trial, or null for the first.
[[nodiscard]] TrialResult judge_trial(const Trial& trial, Asked asked, Nanoseconds budget_ns,
                                      const TrialResult* before);

}  // namespace ebb::cli
