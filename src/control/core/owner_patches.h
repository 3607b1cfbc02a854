// How an owner adopts and releases an object: strategic merge patches of metadata.ownerReferences,
// whose merge key is uid, so that other references stay.
//
// Each patch carries the uid of the intended object. If another object has taken its name, the API
// server refuses to change a uid, and nothing happens.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "schema/core/kind.h"

namespace ebb::control {

struct Owner {
  const schema::Kind* kind = nullptr;
  std::string name{};
  std::string uid{};
};

// The entry of metadata.ownerReferences that makes it the controller.
[[nodiscard]] boost::json::object controller_reference(const Owner& owner);
[[nodiscard]] boost::json::object adopt_patch(const Owner& owner, std::string_view uid);
[[nodiscard]] boost::json::object release_patch(std::string_view owner_uid, std::string_view uid);

}  // namespace ebb::control
