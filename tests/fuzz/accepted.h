// Properties of every input, however broken, that the snapshot reader accepts or rejects. A
// violation aborts the process, which libFuzzer reports.
#pragma once

#include <string_view>

namespace ebb::fuzz {

// Reads `text` as `ebb plan -f` would.
void check_reading(std::string_view text);

}  // namespace ebb::fuzz
