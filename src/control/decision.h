// The record of one round of a scale-down: who went, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/log_field.h"
#include "control/rank_outcome.h"
#include "model/feature_gates.h"
#include "picker/outcome.h"

namespace ebb::control {

struct Decision {
  struct Victim {
    std::string name;
    std::string uid;
    std::string node;
    std::string rule;     // the criterion that decided
    std::string because;  // a sentence
    // How its deletion went: `deleted`, `gone already`, `unknown`, `refused: ...`.
    std::string outcome;
    bool spared = false;  // it was chosen, but the deletion was refused or not wanted any more
  };

  // How the question to the picker went.
  struct Picker {
    std::string endpoint;  // as picker::Settings has it; no path, no headers
    std::string carrier;   // `DownscalePolicy/web` or `spec.downscalePodPicker`
    picker::Outcome outcome = picker::Outcome::kNotNeeded;
    int code = 0;  // of Outcome::kStatusCode
    int attempts = 0;
    Nanoseconds duration_ns = 0;  // from the wish to the end, waiting included
    std::size_t requested = 0;
    std::size_t chosen = 0;
    std::size_t tied = 0;
    std::size_t ignored = 0;  // names that are no candidates, or stand there twice
    std::string idempotency_key;
    std::string problem;  // of bad settings or a Secret: what is wrong where
    // What went wrong with the last attempt, for the operator's log and nowhere else: it tells more
    // about the network than the outcome does.
    std::string detail{};
  };

  // How ranks were heeded.
  struct Ranking {
    RankOutcome outcome = RankOutcome::kNotNeeded;
    std::string policy;                 // that asks for ranks, or empty
    std::string carrier;                // of the ranks that count, or empty
    std::vector<std::string> problems;  // a sentence for each carrier that cannot be used
    bool recompute = false;             // ranks are worked out anew after each removal
    Nanoseconds waited_ns = 0;
  };

  // Victims that are not spared.
  [[nodiscard]] std::size_t going() const;

  std::string id;  // ReplicaSet uid, a number, and the moment: unique also among processes
  Timestamp time;
  std::string name_space;
  std::string replica_set;
  std::string uid;
  std::string owner;  // `Deployment/web`, or empty
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::size_t candidates = 0;
  std::optional<Picker> picker{};      // nothing: none is configured, or its gate is off
  std::optional<Ranking> ranking{};    // nothing: there are no ranks, or their gate is off
  std::vector<std::string> consulted;  // what else was asked, and how that went, a sentence each
  std::vector<Victim> victims;         // in the order in which they were chosen
  std::string first_kept;              // empty: nothing was kept
  model::FeatureGates gates;

  [[nodiscard]] boost::json::object to_json(const boost::json::storage_ptr& memory = {}) const;
  // `; the picker failed: timeout`, or how else asking it went; empty if there is nothing to say.
  [[nodiscard]] std::string picker_words() const;
  // `; ranks are incomplete`, likewise.
  [[nodiscard]] std::string ranking_words() const;
  // `2 pods of shop/web go: web-1 (deletion cost), ...`, for people.
  [[nodiscard]] std::string summary() const;
  // What the summary can be searched by.
  [[nodiscard]] std::vector<Field> log_fields() const;
};

}  // namespace ebb::control
