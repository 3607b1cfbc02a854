#include "model/records/target.h"

#include <rapidcheck/gtest.h>

#include "support/objects/pods.h"

namespace ebb::model {
namespace {

// A few values of each part, so that many targets agree in some parts with the ReplicaSet.
rc::Gen<std::string> any_group() {
  return rc::gen::element<std::string>("apps", "extensions", "argoproj.io", "");
}
rc::Gen<std::string> any_kind() {
  return rc::gen::element<std::string>("Deployment", "ReplicaSet", "Rollout");
}
rc::Gen<std::string> any_name() { return rc::gen::element<std::string>("web", "web-1"); }

RC_GTEST_PROP(TargetRef, ConcernsAReplicaSetOnlyIfGroupKindAndNameAreTheSame, ()) {
  testing::World world;
  ReplicaSet set = world.replica_set("web-1");
  const auto owner_group = *any_group();
  const auto owner_kind = *any_kind();
  const auto owner_name = *any_name();
  if (*rc::gen::arbitrary<bool>()) {
    set.controller = world.owner(owner_kind, owner_name, "uid", owner_group);
  }
  // Often those of the owner, so that about every fourth target is the owner.
  const auto group = *rc::gen::oneOf(rc::gen::just(owner_group), any_group());
  const auto kind = *rc::gen::oneOf(rc::gen::just(owner_kind), any_kind());
  const auto name = *rc::gen::oneOf(rc::gen::just(owner_name), any_name());
  const bool is_set = group == "apps" && kind == "ReplicaSet" && name == "web-1";
  const bool is_owner =
      set.controller != nullptr && group == owner_group && kind == owner_kind && name == owner_name;
  RC_ASSERT(concerns({group, kind, name}, set) == (is_set || is_owner));
}

}  // namespace
}  // namespace ebb::model
