// The key under which controllers queue a record.
#pragma once

#include <string>

#include "control/core/work_queue.h"

namespace ebb::control {

template <class Record>
[[nodiscard]] Key key_of(const Record& record) {
  return {.namespace_name = std::string(record.namespace_name.view()),
          .name = std::string(record.name.view())};
}

}  // namespace ebb::control
