#include "control/core/owner_patches.h"

#include <boost/json/array.hpp>

namespace ebb::control {
namespace {

namespace json = boost::json;

json::object patch_of_references(json::object reference, std::string_view uid) {
  return {{"metadata", {{"ownerReferences", json::array{std::move(reference)}}, {"uid", uid}}}};
}

}  // namespace

json::object controller_reference(const Owner& owner) {
  return {{"apiVersion", owner.kind->api_version()},
          {"kind", owner.kind->name},
          {"name", owner.name},
          {"uid", owner.uid},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

json::object adopt_patch(const Owner& owner, std::string_view uid) {
  return patch_of_references(controller_reference(owner), uid);
}

json::object release_patch(std::string_view owner_uid, std::string_view uid) {
  return patch_of_references({{"$patch", "delete"}, {"uid", owner_uid}}, uid);
}

}  // namespace ebb::control
