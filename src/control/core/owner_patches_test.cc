#include "control/core/owner_patches.h"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

TEST(OwnerPatches, AdoptingAddsOneControllerAndGuardsTheUid) {
  const Owner owner{schema::find_kind("apps/v1", "Deployment"), "web", "d-1"};
  EXPECT_EQ(boost::json::serialize(adopt_patch(owner, "rs-1")),
            R"({"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment",)"
            R"("name":"web","uid":"d-1","controller":true,"blockOwnerDeletion":true}],)"
            R"("uid":"rs-1"}})");
}

TEST(OwnerPatches, ReleasingRemovesOneOwnerAndEscapesItsUid) {
  EXPECT_EQ(boost::json::serialize(release_patch("d\"1", "rs-1")),
            R"({"metadata":{"ownerReferences":[{"$patch":"delete","uid":"d\"1"}],)"
            R"("uid":"rs-1"}})");
}

}  // namespace
}  // namespace ebb::control
