// The report of `ebb picker-check`, as text and as JSON.
#pragma once  // private to its room

#include <string>
#include <vector>

#include "cli/picker/picker_trial.h"
#include "picker/settings.h"

namespace ebb::cli {

// One paragraph for each request: what was sent, what was answered, and what a controller would do.
[[nodiscard]] std::string picker_report(const picker::Settings& settings,
                                        const std::vector<TrialResult>& trial_results);
// A PickerCheck; its field names are stable.
[[nodiscard]] std::string picker_report_json(const picker::Settings& settings,
                                             const std::vector<TrialResult>& trial_results);

[[nodiscard]] std::size_t count_problems(const std::vector<TrialResult>& trial_results);

}  // namespace ebb::cli
