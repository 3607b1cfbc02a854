// A record, and the problem found while decoding it.
#pragma once

#include <string>

namespace ebb::model {

template <class Record>
struct Decoded {
  Record record;
  // The first problem, `Pod shop/web-1: status.containerStatuses: restartCount must not be
  // negative`; empty if there was none.
  std::string problem;
  // The record cannot be relied on. Otherwise it lacks only the invalid values.
  bool damaged = false;
};

}  // namespace ebb::model
