// The pods that a component knows, by name and by serial number. Records refer to pods by serial
// number, because a pod may be replaced by another one with the same name.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <string>

#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {

using PodSerial = std::uint64_t;  // in the order in which pods are first seen

struct KnownPod {
  PodSerial serial = 0;
  model::ObjectName name{};
  std::string uid{};
};

// Pod derives from KnownPod.
template <class Pod>
class PodTable {
 public:
  [[nodiscard]] Pod& at(PodSerial serial) { return pods_.at(serial); }
  [[nodiscard]] Pod* find(PodSerial serial) {
    const auto found = pods_.find(serial);
    return found == pods_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] Pod* find(const model::ObjectName& name) {
    const auto found = serials_.find(name);
    return found == serials_.end() ? nullptr : &at(found->second);
  }
  // The pod that the object describes: it has the same name and uid.
  [[nodiscard]] Pod* find(const boost::json::object& object) {
    Pod* pod = find(model::name_of(object));
    const bool same = pod != nullptr && pod->uid == schema::text_at(object, {"metadata", "uid"});
    return same ? pod : nullptr;
  }

  // There must be no pod with the object's name.
  Pod& add(const boost::json::object& object) {
    Pod& pod = pods_[++last_serial_];
    pod.serial = last_serial_;
    pod.name = model::name_of(object);
    pod.uid = schema::text_at(object, {"metadata", "uid"});
    serials_.emplace(pod.name, pod.serial);
    return pod;
  }
  void erase(const Pod& pod) {
    const PodSerial serial = pod.serial;  // erase() must not refer to what it destroys
    serials_.erase(pod.name);
    pods_.erase(serial);
  }

  // In the order of serial numbers.
  [[nodiscard]] auto begin() { return pods_.begin(); }
  [[nodiscard]] auto end() { return pods_.end(); }

 private:
  PodSerial last_serial_ = 0;
  std::map<PodSerial, Pod> pods_;
  std::map<model::ObjectName, PodSerial> serials_;
};

}  // namespace ebb::hollow
