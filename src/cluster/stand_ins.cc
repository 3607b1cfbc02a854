#include "cluster/stand_ins.h"

#include "nodes/collector.h"
#include "nodes/event_expiry.h"
#include "nodes/kubelet.h"
#include "nodes/namespace_cleaner.h"
#include "nodes/node_keeper.h"
#include "nodes/scheduler.h"

namespace ebb::cluster {

std::vector<std::unique_ptr<model::Machine>> make_stand_ins(const nodes::Settings& settings,
                                                            bool garbage_collector) {
  std::vector<std::unique_ptr<model::Machine>> machines;
  machines.push_back(std::make_unique<nodes::NodeKeeper>(settings));
  machines.push_back(std::make_unique<nodes::Scheduler>(settings));
  machines.push_back(std::make_unique<nodes::Kubelet>(settings));
  if (garbage_collector) machines.push_back(std::make_unique<nodes::Collector>());
  machines.push_back(std::make_unique<nodes::NamespaceCleaner>());
  machines.push_back(std::make_unique<nodes::EventExpiry>(settings));
  return machines;
}

}  // namespace ebb::cluster
