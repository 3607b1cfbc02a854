#include "schema/core/zero_value.h"

#include <boost/json/object.hpp>

namespace ebb::schema {

boost::json::value zero_value(Type type) {
  switch (type) {
    case Type::kBool:
      return false;
    case Type::kString:
    case Type::kBytes:
      return "";
    case Type::kInt32:
    case Type::kInt64:
    case Type::kDouble:
    case Type::kIntOrString:
      return 0;
    case Type::kQuantity:
      return "0";
    case Type::kObject:
      return boost::json::object();
    case Type::kTime:
    case Type::kMicroTime:
    case Type::kAny:
      break;
  }
  return nullptr;
}

}  // namespace ebb::schema
