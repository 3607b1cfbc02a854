#include "support/sim/sieve.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/api/requests.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

constexpr Nanoseconds kStaleness = 20 * kSecond;
// Longer than an expectation lasts, and than a watch.
constexpr Nanoseconds kToRest = 700 * kSecond;

void create(World& world, const schema::Kind& kind, const object& content) {
  world.request("user", model::create_request(model::collection_path(kind, kNamespace), content));
}

void scale(World& world, int replicas) {
  world.request("user", model::merge_patch_request(path_of(replica_sets(), "web"),
                                                   {{"spec", {{"replicas", replicas}}}}));
}

// Each workload with its pods; without names and uids, which differ.
std::string end_state(const World& world) {
  std::vector<std::string> lines;
  for (const auto& entry : world.truth.sets()) {
    const SetTruth& set = entry.second;
    if (set.gone) continue;
    lines.push_back(fmt::format("{} wants {}, has {}, says {}, {} ready", set.name, set.replicas,
                                world.truth.pods_of(set).size(), set.status_replicas,
                                set.status_ready));
  }
  for (const auto& entry : world.truth.deployments()) {
    lines.push_back(fmt::format("{} wants {}, says {}, {} updated", entry.second.name,
                                entry.second.replicas, entry.second.status_replicas,
                                entry.second.updated));
  }
  const auto there = std::count_if(world.truth.pods().begin(), world.truth.pods().end(),
                                   [](const auto& entry) { return !entry.second.gone; });
  lines.push_back(fmt::format("{} pods in all", there));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "; "));
}

// Does to a run what a disturbance says.
class Disturber {
 public:
  Disturber(World& world, ProcessSlot& slot, const Disturbance& disturbance)
      : world_(world), slot_(slot), disturbance_(disturbance) {
    world.api.listen([this](const model::ObjectEvent&, model::Revision) { changed(); });
  }

  void arm() {
    armed_ = true;
    writes_before_ = world_.invariants.writes();
    if (disturbance_.kind == Disturbance::Kind::kHiddenEvent) {
      slot_.link()->hide_event(disturbance_.n);
    }
  }
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  // Something was written, by whomever.
  void changed() {
    if (!armed_) return;
    ++changes_;
    const bool stale = disturbance_.kind == Disturbance::Kind::kStaleWatch ||
                       disturbance_.kind == Disturbance::Kind::kStaleRewatch ||
                       disturbance_.kind == Disturbance::Kind::kStaleRestart;
    if (stale && changes_ == disturbance_.n) hold();
    if (disturbance_.kind == Disturbance::Kind::kCrash && !done_) {
      // The write is counted once it has been carried out.
      world_.time.after(0, [this] {
        if (done_ || world_.invariants.writes() - writes_before_ < disturbance_.n) return;
        done_ = true;
        slot_.crash();
      });
    }
  }

  void hold() {
    slot_.hold_streams(true);
    world_.time.after(kStaleness, [this] { slot_.hold_streams(false); });
    world_.time.after(0, [this] {
      if (disturbance_.kind == Disturbance::Kind::kStaleRewatch && slot_.link()) {
        slot_.link()->cut_streams();
      }
      if (disturbance_.kind == Disturbance::Kind::kStaleRestart) slot_.crash();
    });
  }

  World& world_;
  ProcessSlot& slot_;
  Disturbance disturbance_;
  bool armed_ = false;
  bool done_ = false;
  std::uint64_t writes_before_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> kScenarios = {
      {"scale up",
       [](World& world) {
         create(world, replica_sets(), replica_set_object({.name = "web", .replicas = 1}));
       },
       [](World& world) { scale(world, 5); }},
      {"scale down",
       [](World& world) {
         create(world, replica_sets(), replica_set_object({.name = "web", .replicas = 5}));
       },
       [](World& world) { scale(world, 2); }},
      {"scale down with a picker",
       [](World& world) {
         object set = replica_set_object({.name = "web", .replicas = 5});
         schema::ensure_object(set, {"spec"})["downscalePodPicker"] =
             picker_object({.host = "alder.pickers.svc", .header_secret = "picker"});
         create(world, secrets(), picker_secret_object("picker", ""));
         create(world, replica_sets(), set);
       },
       [](World& world) { scale(world, 2); }},
      {"adoption",
       [](World& world) {
         create(world, replica_sets(), replica_set_object({.name = "web", .replicas = 3}));
       },
       [](World& world) {
         create(world, pods(), pod_object("", "web"));
         create(world, pods(), pod_object("", "web"));
       }},
      {"rolling update",
       [](World& world) {
         create(world, deployments(), deployment_object({.name = "web", .replicas = 3}));
       },
       [](World& world) {
         const object container{{"name", "web"}, {"image", "web:2"}};
         world.request(
             "user",
             model::strategic_patch_request(
                 path_of(deployments(), "web"),
                 {{"spec", {{"template", {{"spec", {{"containers", array{container}}}}}}}}}));
       }},
  };
  return kScenarios;
}

std::string describe(const Disturbance& disturbance) {
  switch (disturbance.kind) {
    case Disturbance::Kind::kNone:
      return "undisturbed";
    case Disturbance::Kind::kCrash:
      return fmt::format("crash after write {}, seed {}", disturbance.n, disturbance.seed);
    case Disturbance::Kind::kHiddenEvent:
      return fmt::format("event {} hidden", disturbance.n);
    case Disturbance::Kind::kStaleWatch:
      return fmt::format("watches stale after change {}", disturbance.n);
    case Disturbance::Kind::kStaleRewatch:
      return fmt::format("watches cut and stale after change {}", disturbance.n);
    case Disturbance::Kind::kStaleRestart:
      break;
  }
  return fmt::format("crash and stale watches after change {}, seed {}", disturbance.n,
                     disturbance.seed);
}

Outcome play(const Scenario& scenario, const Disturbance& disturbance,
             const control::Safeguards& safeguards) {
  World world({.seed = disturbance.seed});
  control::ProcessSettings process;
  process.qps = 0;
  process.safeguards = safeguards;
  process.start_wait_ns = control::kWriteDeadlineNs;
  ProcessSlot& slot = world.add_slot(process);
  Disturber disturber(world, slot, disturbance);
  slot.on_end = [&] { world.time.after(kSecond, [&] { slot.start(); }); };
  slot.start();
  world.run_for(process.start_wait_ns + kSecond);
  scenario.prepare(world);
  world.run_for(30 * kSecond);
  const std::uint64_t made = world.invariants.pods_made();
  const std::uint64_t ended = world.invariants.pods_ended();
  const std::uint64_t writes = world.invariants.writes();
  const std::uint64_t events = slot.link()->events();
  disturber.arm();
  scenario.begin(world);
  world.run_for(kToRest);

  Outcome outcome{.end_state = end_state(world),
                  .pods_made = world.invariants.pods_made() - made,
                  .pods_ended = world.invariants.pods_ended() - ended,
                  .problem = world.unsettled(),
                  .writes = world.invariants.writes() - writes,
                  .events = slot.link() ? slot.link()->events() - events : 0,
                  .changes = disturber.changes()};
  if (world.violated()) {
    outcome.problem =
        world.invariants.violation()->rule + ": " + world.invariants.violation()->text;
  }
  return outcome;
}

std::vector<Disturbance> disturbances(const Outcome& undisturbed) {
  using Kind = Disturbance::Kind;
  std::vector<Disturbance> all;
  for (std::uint64_t n = 1; n <= undisturbed.writes; ++n) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) all.push_back({Kind::kCrash, n, seed});
  }
  for (std::uint64_t n = 1; n <= undisturbed.events; ++n) all.push_back({Kind::kHiddenEvent, n});
  for (std::uint64_t n = 1; n <= undisturbed.changes; ++n) {
    for (const Kind kind : {Kind::kStaleWatch, Kind::kStaleRewatch, Kind::kStaleRestart}) {
      all.push_back({kind, n});
    }
  }
  return all;
}

}  // namespace ebb::sim
