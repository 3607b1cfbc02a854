// The HTTP names of request methods.
#pragma once

#include <string_view>

#include "model/api/api.h"

namespace ebb::model {

[[nodiscard]] constexpr std::string_view method_name(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      break;
  }
  return "DELETE";
}

}  // namespace ebb::model
