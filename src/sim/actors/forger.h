// A tenant that forges owner references: it creates pods and ReplicaSets that name a ReplicaSet or
// Deployment of another tenant as their controller. Many of them have a finalizer, so that they
// remain when the garbage collector deletes them. API servers do not validate owner references.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "model/api/requests.h"
#include "sim/core/objects.h"
#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

class Forger {
 public:
  Forger(World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  // Forges an object, or removes a forged one.
  void act();
  // Removes some of the forged objects; the others remain.
  void rest();

 private:
  // A reference, and the namespace of the object that contains it. It refers to nothing in that
  // namespace.
  struct Forgery {
    std::string namespace_name{};
    std::string app{};  // the app label of the victim's pods
    boost::json::object reference{};
  };
  struct Made {
    const schema::Kind* kind = nullptr;
    model::ObjectName name{};
  };

  [[nodiscard]] std::optional<Forgery> some_forgery();
  void forge_pod();
  void forge_set();
  void create(const schema::Kind& kind, const Forgery& forgery, boost::json::object content);
  void take_back();

  World& world_;
  Random random_;
  bool has_namespace_ = false;
  int number_ = 0;
  std::vector<Made> made_;
};

}  // namespace ebb::sim
