// The other people of the world: those who scale, edit, delete and recreate workloads, kill,
// relabel and mark pods, and take nodes away, all while controllers work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/dice.h"
#include "sim/picker_writers.h"
#include "sim/rank_writers.h"
#include "sim/world.h"

namespace ebb::sim {

struct WritersSettings {
  std::uint64_t seed = 1;
  int sets = 1;
  int deployments = 0;
  std::int64_t most_replicas = 8;
  // Workloads have pickers, and are scaled down again and again.
  bool busy_pickers = false;
  // Workloads have ranks, and are scaled down again and again.
  bool ranks = false;
};

class Writers {
 public:
  Writers(World& world, const WritersSettings& settings);

  // Creates the workloads.
  void begin();
  // From now on something is done every now and then.
  void act();
  // No more, and what would keep the world from coming to rest is set right.
  void rest();

 private:
  struct Deed;
  static const std::vector<Deed>& deeds();

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
  WritersSettings settings_;
  Dice dice_;
  PickerWriters pickers_;
  RankWriters ranks_;
  std::vector<double> weights_;
  bool resting_ = false;
  int version_ = 1;
  std::vector<std::string> sets_;
  std::vector<std::string> deployments_;
  std::vector<std::string> taken_nodes_;
};

}  // namespace ebb::sim
