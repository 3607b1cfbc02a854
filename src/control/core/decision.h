// The record of one round of a scale-down: which pods went, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/core/log_field.h"
#include "control/core/rank_outcome.h"
#include "model/records/feature_gates.h"
#include "picker/outcome.h"

namespace ebb::control {

struct Decision {
  struct Victim {
    std::string name;
    std::string uid;
    std::string node;
    std::string rule;     // the criterion that decided
    std::string because;  // a sentence
    // How its delete ended: `deleted`, `gone already`, `unknown`, `refused: ...`.
    std::string outcome;
    bool spared = false;  // it was chosen, but the delete was refused or no longer wanted
  };

  // How the picker call ended.
  struct Picker {
    std::string endpoint;  // as in picker::Settings; without path and headers
    std::string carrier;   // `DownscalePolicy/web` or `spec.downscalePodPicker`
    picker::Outcome outcome = picker::Outcome::kNotNeeded;
    int code = 0;  // for Outcome::kStatusCode
    int attempts = 0;
    Nanoseconds duration_ns = 0;  // from the request to the end, including waiting
    std::size_t requested = 0;
    std::size_t chosen = 0;
    std::size_t tied = 0;
    std::size_t ignored = 0;  // names that are not candidates, or that are duplicates
    std::string idempotency_key;
    std::string problem;  // an invalid setting or Secret: what is wrong and where
    // Why the last attempt failed; only for the operator's log, because it reveals more about the
    // network than the outcome does.
    std::string detail{};
  };

  // How ranks were applied.
  struct Ranking {
    RankOutcome outcome = RankOutcome::kNotNeeded;
    std::string policy;                 // the policy that asks for ranks, or empty
    std::string carrier;                // the carrier of the ranks that count, or empty
    std::vector<std::string> problems;  // one sentence for each carrier that cannot be used
    bool recompute = false;             // ranks are recomputed after each removal
    Nanoseconds waited_ns = 0;
  };

  // What the acting controller did, compared with the victims of a shadow decision.
  struct Actual {
    enum class End : std::uint8_t {
      kComplete,  // as many pods went as were surplus
      kResized,   // the size changed again before that
      kTimeout,   // fewer went in the time that a scale-down is followed
    };
    struct Removed {
      std::string name;
      std::string uid;
      std::string node;
      bool agreed = false;  // it is one of the victims
      // Otherwise the criterion by which ebb would have kept it, and a sentence.
      std::string rule{};
      std::string because{};
    };
    std::vector<Removed> removed;  // in the order in which they went
    End end = End::kComplete;

    [[nodiscard]] std::size_t agreed() const;
  };

  // The number of victims that are not spared.
  [[nodiscard]] std::size_t going() const;

  std::string id;  // ReplicaSet uid, a number, and the time: unique across processes
  Timestamp time;
  std::string namespace_name;
  std::string replica_set;
  std::string uid;
  std::string owner;  // `Deployment/web`, or empty
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::size_t candidates = 0;
  std::optional<Picker> picker{};      // nothing: no picker is configured, or its gate is off
  std::optional<Ranking> ranking{};    // nothing: there are no ranks, or their gate is off
  std::vector<std::string> consulted;  // what else was consulted, one sentence each
  std::vector<Victim> victims;         // in the order in which they were chosen
  // Of a shadow decision, which ebb did not carry out; nothing: it did.
  std::optional<Actual> actual{};
  std::string first_kept;  // empty: no pod was kept
  model::FeatureGates gates;

  [[nodiscard]] boost::json::object to_json(const boost::json::storage_ptr& memory = {}) const;
  // `; the picker failed: timeout`, or another outcome of the picker call; empty if there was none.
  [[nodiscard]] std::string picker_text() const;
  // `; ranks are incomplete`, or another outcome of ranking; empty if there was none.
  [[nodiscard]] std::string ranking_text() const;
  // `2 pods of shop/web go: web-1 (deletion cost), ...`, for the log.
  [[nodiscard]] std::string summary() const;
  // `3 of 4 pods that went agree; web-1 would have stayed (ready age), web-7 would have gone
  // instead`, of a shadow decision.
  [[nodiscard]] std::string agreement_text() const;
  // The searchable fields of the summary.
  [[nodiscard]] std::vector<Field> log_fields() const;
};

[[nodiscard]] std::string_view to_string(Decision::Actual::End end);

}  // namespace ebb::control
