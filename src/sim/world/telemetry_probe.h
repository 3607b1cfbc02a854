// The telemetry of controller processes in the world: counted, so that a test can see which rare
// branches were reached, and scanned, because it must not contain secrets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "control/core/telemetry.h"
#include "picker/outcome.h"
#include "sim/core/trace.h"
#include "sim/rules/decision_rules.h"
#include "sim/rules/invariants.h"
#include "sim/rules/picker_rules.h"
#include "sim/rules/rank_rules.h"
#include "sim/rules/shadow_rules.h"

namespace ebb::sim {

inline constexpr auto kCounts = static_cast<std::size_t>(control::Count::kLeaseSlowPath) + 1;
inline constexpr auto kRankOutcomes =
    static_cast<std::size_t>(control::RankOutcome::kBadSettings) + 1;

class TelemetryCounts {
 public:
  void add(control::Count what, std::uint64_t by = 1) {
    counts_[static_cast<std::size_t>(what)] += by;
  }
  void add(const TelemetryCounts& other);
  // Counts the outcome of a decision.
  void add(control::RankOutcome what) { ++rank_outcomes_[static_cast<std::size_t>(what)]; }
  void add(picker::Outcome what) { ++picker_outcomes_[static_cast<std::size_t>(what)]; }
  [[nodiscard]] std::uint64_t operator[](control::Count what) const {
    return counts_[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] std::uint64_t operator[](control::RankOutcome what) const {
    return rank_outcomes_[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] std::uint64_t operator[](picker::Outcome what) const {
    return picker_outcomes_[static_cast<std::size_t>(what)];
  }

 private:
  std::array<std::uint64_t, kCounts> counts_{};
  std::array<std::uint64_t, kRankOutcomes> rank_outcomes_{};
  std::array<std::uint64_t, picker::kOutcomes.size()> picker_outcomes_{};
};

[[nodiscard]] std::string_view to_string(control::Count what);

class TelemetryProbe : public control::Telemetry {
 public:
  TelemetryProbe(Trace& trace, Invariants& invariants, PickerRules& pickers, RankRules& ranks,
                 DecisionRules& decisions, ShadowRules& shadow)
      : trace_(trace),
        invariants_(invariants),
        pickers_(pickers),
        ranks_(ranks),
        decisions_(decisions),
        shadow_(shadow) {}

  void logged(control::Severity severity, int verbosity, std::string_view text,
              std::span<const control::Field> fields) override;
  [[nodiscard]] bool logs(int verbosity) const override { return verbosity <= 4; }
  void count(control::Count what, std::string_view label, std::int64_t by) override;
  void observe(control::Histogram what, std::string_view label, double value) override;
  void set(control::Gauge what, std::string_view label, double value) override;
  void decided(const control::Decision& decision) override;
  void guard_changed(const control::GuardStatus& status) override;

  [[nodiscard]] const TelemetryCounts& counts() const { return counts_; }

 protected:
  // What every record has to fulfil.
  void check_record(const control::Decision& decision);

 private:
  Trace& trace_;
  Invariants& invariants_;
  PickerRules& pickers_;
  RankRules& ranks_;
  DecisionRules& decisions_;
  ShadowRules& shadow_;
  TelemetryCounts counts_;
};

// That of the replicas of the webhook: other controllers carry out their decisions.
class WebhookProbe final : public TelemetryProbe {
 public:
  using TelemetryProbe::TelemetryProbe;
  void decided(const control::Decision& decision) override { check_record(decision); }
};

}  // namespace ebb::sim
