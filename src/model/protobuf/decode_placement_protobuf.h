// Tolerations and anti-affinity of a pod from protobuf.
#pragma once  // private to its room

#include <string_view>

#include "model/protobuf/wire_reading.h"
#include "model/records/placements.h"

namespace ebb::model {

// Collects the placement fields of a pod's spec and makes the same record as decode_placement does
// from JSON: null if there are none.
class PlacementReader {
 public:
  void add_toleration(std::string_view message) { source_.add('t', message); }
  void add_affinity(std::string_view message, WireReading& reading);

  // `spec` is the whole message, which is read again if the placement is new.
  [[nodiscard]] const Placement* read(std::string_view spec, WireReading& reading) const;

 private:
  PlacementSource source_{'p'};
};

}  // namespace ebb::model
