// Tolerations and anti-affinity of a pod from protobuf.
#pragma once

#include <string_view>

#include "model/placements.h"
#include "model/wire_reading.h"

namespace ebb::model {

// Collects what the spec of a pod says, and makes of it what decode_placement makes of the same pod
// in JSON: null if nothing is said.
class PlacementReader {
 public:
  void add_toleration(std::string_view message) { source_.add('t', message); }
  void add_affinity(std::string_view message, WireReading& reading);

  // `spec` is the whole message: it is read again where something is new.
  [[nodiscard]] const Placement* read(std::string_view spec, WireReading& reading) const;

 private:
  PlacementSource source_{'p'};
};

}  // namespace ebb::model
