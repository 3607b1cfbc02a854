// The answers of simulated pickers, right and wrong.
#pragma once  // private to its room

#include <string>
#include <string_view>
#include <vector>

#include "picker/answer.h"
#include "sim/core/random.h"
#include "sim/pickers/pickers.h"

namespace ebb::sim {

// The same request always has the same answer. Pickers differ by name: some choose exactly as many
// pods as requested, others too few, tie pods or do both.
[[nodiscard]] picker::Answer answer_well(const ReceivedRequest& request, std::string_view host);

// `others` are the names of pods that exist or existed.
[[nodiscard]] picker::Answer answer_wrongly(const ReceivedRequest& request,
                                            const std::vector<std::string>& others, Random& random);

}  // namespace ebb::sim
