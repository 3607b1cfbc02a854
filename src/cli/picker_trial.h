// Sample questions to a picker, and what a controller would make of the answers. Pure: whoever asks
// the picker brings the replies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "cli/zones.h"
#include "model/pool.h"
#include "order/candidate.h"
#include "picker/call.h"
#include "picker/question.h"
#include "picker/settings.h"
#include "plan/plan.h"

namespace ebb::cli {

// One question: who is there, and how many of them have to go.
struct Trial {
  std::string title{};
  std::vector<order::Candidate> pods{};
  order::Setting setting{};
  std::size_t surplus = 0;
  // It is the question before, asked once more with its key: the answer has to be the same.
  bool again = false;
};

// Trials with the pods that they speak of.
class Trials {
 public:
  // Pods that exist nowhere: a few, KEP-3189's own example, one of ten, and `many`.
  [[nodiscard]] static Trials of_samples(std::size_t many, Timestamp now);
  // Pods of these names, all alike: one has to go, then half of them.
  [[nodiscard]] static Trials of_names(const std::vector<std::string>& names, Timestamp now);
  // The pods of each ReplicaSet that shrinks in a plan. Refers to the plan's snapshot.
  [[nodiscard]] static Trials of_plan(const plan::Plan& plan, const model::Snapshot& snapshot);

  [[nodiscard]] const std::vector<Trial>& all() const { return trials_; }
  // As a controller would ask.
  [[nodiscard]] picker::Question question(const Trial& trial, picker::Context context) const;

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

struct Finding {
  struct Victim {
    std::string name{};
    std::string rule{};
    std::string because{};
  };

  std::string title{};
  picker::Question question{};
  picker::Reply reply{};
  Nanoseconds took_ns = 0;
  // Names that count.
  std::size_t chosen = 0;
  std::size_t tied = 0;
  picker::NameList ignored{};
  std::vector<Victim> victims{};
  std::vector<std::string> problems{};  // what is to be mended
  std::vector<std::string> warnings{};  // what is legal, but perhaps not meant
};

struct Asked {
  picker::Question question{};
  picker::Reply reply{};
  Nanoseconds took_ns = 0;
};

// `before`: of the trial before this one; nothing for the first.
[[nodiscard]] Finding judge_trial(const Trial& trial, Asked asked, Nanoseconds budget_ns,
                                  const Finding* before);

}  // namespace ebb::cli
