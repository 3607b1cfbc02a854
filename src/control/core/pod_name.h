// A pod that a call is about. The uid distinguishes it from a later pod of the same name.
#pragma once

#include <string>

namespace ebb::control {

struct PodName {
  std::string name;
  std::string uid;
};

}  // namespace ebb::control
