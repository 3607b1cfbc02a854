#include "cluster/hosts/hollow_components.h"

#include "hollow/event_expiry.h"
#include "hollow/garbage_collector.h"
#include "hollow/kubelet.h"
#include "hollow/namespace_deleter.h"
#include "hollow/node_registrar.h"
#include "hollow/scheduler.h"

namespace ebb::cluster {

std::vector<std::unique_ptr<model::Component>> make_hollow_components(
    const hollow::Settings& settings, bool garbage_collector) {
  std::vector<std::unique_ptr<model::Component>> components;
  components.push_back(std::make_unique<hollow::NodeRegistrar>(settings));
  components.push_back(std::make_unique<hollow::Scheduler>(settings));
  components.push_back(std::make_unique<hollow::Kubelet>(settings));
  if (garbage_collector) components.push_back(std::make_unique<hollow::GarbageCollector>());
  components.push_back(std::make_unique<hollow::NamespaceDeleter>());
  components.push_back(std::make_unique<hollow::EventExpiry>(settings));
  return components;
}

}  // namespace ebb::cluster
