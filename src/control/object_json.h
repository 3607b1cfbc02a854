// What the ReplicaSet controller reads out of answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "control/call.h"
#include "model/api.h"

namespace ebb::control {

// 0 if that is no number: such revisions cannot be compared.
[[nodiscard]] model::Revision revision_number(std::string_view resource_version);

// The part of an object's metadata that matters after it was written or read. Cheap: answers
// come by the ten thousand.
struct Written {
  std::string name;
  std::string uid;
  model::Revision revision = 0;
  bool deleting = false;
};
// Nothing if the answer has no object in it, or one without a uid.
[[nodiscard]] std::optional<Written> read_written(const Answer& answer);

// Why it did not succeed, in the API server's words where there are any.
[[nodiscard]] std::string error_text(const Answer& answer);

}  // namespace ebb::control
