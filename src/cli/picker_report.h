// What `ebb picker-check` found, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/picker_trial.h"
#include "picker/settings.h"

namespace ebb::cli {

// What was asked, what came back and what a controller would do, a paragraph for each question.
[[nodiscard]] std::string picker_report(const picker::Settings& settings,
                                        const std::vector<Finding>& findings);
// A PickerCheck; its field names are fixed.
[[nodiscard]] std::string picker_report_json(const picker::Settings& settings,
                                             const std::vector<Finding>& findings);

[[nodiscard]] std::size_t count_problems(const std::vector<Finding>& findings);

}  // namespace ebb::cli
