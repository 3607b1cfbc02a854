// Damages an object on its way from the API server so that it cannot be decoded. The rest of the
// message and its length stay the same. The object never turns into another valid one, because no
// client could notice that.
#pragma once

#include <string>

#include "sim/core/random.h"

namespace ebb::sim {

// Damages an object in one watch event. Returns whether there was an object.
bool garble_event(std::string& event, bool protobuf, Random& random);
// Damages one object of a list. Returns whether there was one.
bool garble_list(std::string& body, Random& random);

}  // namespace ebb::sim
