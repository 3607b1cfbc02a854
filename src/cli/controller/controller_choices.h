// Describes the values of `ebb controller --controllers`.
#pragma once  // private to its room

#include <string>

namespace ebb::cli {

// One paragraph per controller: what it does, which stock controller it replaces, how to switch
// that one off, and which rights it needs.
[[nodiscard]] std::string describe_controller_choices();

}  // namespace ebb::cli
