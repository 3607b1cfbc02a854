// What must hold for every input, however broken, that the snapshot reader takes or
// refuses. A violation ends the process, which libFuzzer reports as a finding.
#pragma once

#include <string_view>

namespace ebb::fuzz {

// Reads `text` as `ebb plan -f` would.
void check_reading(std::string_view text);

}  // namespace ebb::fuzz
