// The users of the simulated world: they scale, edit, delete and recreate workloads, kill, relabel
// and mark pods, and remove nodes, all while controllers run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/actors/forger.h"
#include "sim/actors/picker_actors.h"
#include "sim/actors/rank_actors.h"
#include "sim/core/random.h"
#include "sim/world/world.h"

namespace ebb::sim {

struct ActorsSettings {
  std::uint64_t seed = 1;
  int sets = 1;
  int deployments = 0;
  std::int64_t max_replicas = 8;
  // Workloads have pickers, and are scaled down repeatedly.
  bool busy_pickers = false;
  // Workloads have ranks, and are scaled down repeatedly.
  bool ranks = false;
};

class Actors {
 public:
  Actors(World& world, const ActorsSettings& settings);

  // Creates the workloads.
  void begin();
  // Schedules actions at random intervals from now on.
  void act();
  // Stops acting, and removes what would keep the world from settling.
  void rest();

 private:
  struct ActorAction;
  static const std::vector<ActorAction>& actions();

  void create_set(const std::string& name);
  void create_deployment(const std::string& name);
  void scale();
  void edit_template();
  void pause_or_resume();
  void roll_back();
  void kill_pod();
  void fail_pod();
  void mark_pod();
  void relabel_pod();
  void add_orphan();
  void replace_pod();
  void delete_set();
  void recreate_set();
  void recreate_set(const std::string& name);
  void scale_owned_set();
  void take_name();
  void change_pickers() { pickers_.act(); }
  void change_ranks() { ranks_.act(); }
  void forge() { forger_.act(); }
  void happen_meanwhile(Fault fault, const std::string& set_uid);
  void take_node();
  void bring_nodes_back();

  [[nodiscard]] const PodTruth* some_pod();
  [[nodiscard]] const DeploymentTruth* some_deployment();
  [[nodiscard]] std::string some_app();
  int send(const model::ApiRequest& request);
  int patch(const schema::Kind& kind, std::string_view name, const boost::json::object& change,
            std::string_view subresource = {});
  [[nodiscard]] std::int64_t some_replicas();

  World& world_;
  ActorsSettings settings_;
  Random random_;
  PickerActors pickers_;
  RankActors ranks_;
  Forger forger_;
  std::vector<double> weights_;
  bool resting_ = false;
  int version_ = 1;
  std::vector<std::string> sets_;
  std::vector<std::string> deployments_;
  std::vector<std::string> taken_nodes_;
};

}  // namespace ebb::sim
