// The owner references that the garbage collector has seen.
#pragma once  // private to its room

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "hollow/shared_values.h"
#include "model/api/requests.h"

namespace ebb::hollow {

// An owner as named in owner references.
struct OwnerIdentity {
  std::string uid{};
  std::string api_version{};
  std::string kind{};
  std::string name{};

  friend auto operator<=>(const OwnerIdentity&, const OwnerIdentity&) = default;
};

struct OwnerReference {
  std::shared_ptr<const OwnerIdentity> owner{};
  std::optional<bool> controller{};
  std::optional<bool> blocks_deletion{};

  [[nodiscard]] boost::json::object to_json() const;
};

struct OwnedObject {
  const schema::Kind* kind = nullptr;
  model::ObjectName name{};
  std::string uid{};
  std::string version{};  // resourceVersion
  std::vector<OwnerReference> owners{};
  bool deleting = false;
  std::vector<std::string> finalizers{};  // only of objects being deleted

  // The state of the garbage collector's work on the object.
  bool request_in_flight = false;
  std::size_t owners_asked_about = 0;
  unsigned failures = 0;
  std::string handled_version{};  // nothing to do until the version changes

  [[nodiscard]] bool has_finalizer(std::string_view finalizer) const;
};

class OwnerGraph {
 public:
  // Takes the object's current state.
  OwnedObject& set(const schema::Kind* kind, const boost::json::object& object);
  void erase(const std::string& uid);

  // nullptr if the object was never seen or is gone.
  [[nodiscard]] OwnedObject* find(const std::string& uid);
  // The dependents of an owner, seen or not.
  [[nodiscard]] const std::set<std::string>& dependents(const std::string& uid) const;
  // Returns true if the object was seen and its deletion observed. Remembered while it has
  // dependents.
  [[nodiscard]] bool is_gone(const std::string& uid) const { return gone_.contains(uid); }

 private:
  void drop_owners(OwnedObject& object);

  std::map<std::string, OwnedObject> objects_;
  std::map<std::string, std::set<std::string>> dependents_;
  std::set<std::string> gone_;
  SharedValues<OwnerIdentity> identities_;
};

}  // namespace ebb::hollow
