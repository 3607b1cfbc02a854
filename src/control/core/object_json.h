// The parts of answers that the controllers read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "control/core/call.h"
#include "model/api/api.h"

namespace ebb::control {

// 0 if it is not a number: such revisions cannot be compared.
[[nodiscard]] model::Revision revision_number(std::string_view resource_version);

// The metadata of an object that matters after a write or read. Cheap to read: answers arrive by
// the ten thousand.
struct Written {
  std::string name;
  std::string uid;
  model::Revision revision = 0;
  bool deleting = false;
};
// Nothing if the answer contains no object with a uid.
[[nodiscard]] std::optional<Written> read_written(const Answer& answer);

// Why it did not succeed, in the API server's words if there are any. Shortened, because it is kept
// and logged, and because webhooks write messages of any length.
[[nodiscard]] std::string error_text(const Answer& answer);

}  // namespace ebb::control
