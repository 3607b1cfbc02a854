// What pickers of the world say, well or not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picker/answer.h"
#include "sim/dice.h"
#include "sim/pickers.h"

namespace ebb::sim {

// The same for the same question. Pickers differ by their names: some choose exactly as many as
// they are asked for, others too few, tie pods or do both.
[[nodiscard]] picker::Answer answer_well(const HeardQuestion& question, std::string_view host);

// `others` are the names of pods that there are or were.
[[nodiscard]] picker::Answer answer_wrongly(const HeardQuestion& question,
                                            const std::vector<std::string>& others, Dice& dice);

}  // namespace ebb::sim
