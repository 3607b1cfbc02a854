// Fuzzes Deployments and their ReplicaSets as tenants could write them: a list of objects, the
// Deployment first. Whatever numbers are in fields and annotations, the next step can be
// computed, has sizes that a ReplicaSet can have, and is the same if it is computed again.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/check.h"
#include "control/deployment/deployment_decision.h"
#include "control/deployment/deployment_view.h"
#include "input.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
namespace deployments = ebb::control::deployments;

const deployments::SyncContext kSetting{.now = ebb::Timestamp::from_seconds(1'700'000'000),
                                        .gates = {}};

// The API refuses sizes that are negative or do not fit 32 bits, so controllers never see them.
bool has_counts(const json::object& object) {
  for (const auto& path : {std::initializer_list<std::string_view>{"spec", "replicas"},
                           {"status", "replicas"},
                           {"status", "readyReplicas"},
                           {"status", "availableReplicas"},
                           {"status", "updatedReplicas"},
                           {"status", "collisionCount"},
                           {"spec", "minReadySeconds"},
                           {"spec", "progressDeadlineSeconds"},
                           {"spec", "strategy", "rollingUpdate", "maxSurge"},
                           {"spec", "strategy", "rollingUpdate", "maxUnavailable"}}) {
    const auto number = ebb::schema::integer_at(object, path);
    if (number && (*number < 0 || *number > std::numeric_limits<std::int32_t>::max())) return false;
  }
  return true;
}

void check_write(const deployments::Write& write) {
  if (write.what == deployments::Write::What::kDeleteSet) return;
  const auto body = ebb::fuzz::parse_plainly(write.request.body);
  EBB_CHECK(body.has_value() && body->is_object());
  if (write.what == deployments::Write::What::kReplaceDeployment) return;
  const auto size = ebb::schema::integer_at(body->get_object(), {"spec", "replicas"});
  EBB_CHECK(!size || (*size >= 0 && *size <= std::numeric_limits<std::int32_t>::max()));
}

void check_step(const deployments::Snapshot& snapshot, const deployments::Done& done) {
  const deployments::Step step = deployments::next_step(snapshot, done, kSetting);
  const deployments::Step again = deployments::next_step(snapshot, done, kSetting);
  EBB_CHECK(step.kind == again.kind && step.writes.size() == again.writes.size());
  for (std::size_t i = 0; i < step.writes.size(); ++i) {
    check_write(step.writes[i]);
    EBB_CHECK(step.writes[i].request.body == again.writes[i].request.body);
  }
  EBB_CHECK(!step.requeue_after_ns || *step.requeue_after_ns >= 0);
  EBB_CHECK(ebb::fuzz::is_text(step.problem));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = ebb::fuzz::parse_plainly(ebb::fuzz::as_text(data, size));
  if (!value || !value->is_array() || value->get_array().empty()) return 0;
  for (const json::value& object : value->get_array()) {
    if (!object.is_object() || !has_counts(object.get_object())) return 0;
  }
  const json::array& objects = value->get_array();
  deployments::Snapshot snapshot{
      .deployment = deployments::read_deployment(objects[0].get_object()), .sets = {}};
  EBB_CHECK(snapshot.deployment.surge >= 0 && snapshot.deployment.unavailable >= 0);
  for (std::size_t i = 1; i < objects.size(); ++i) {
    snapshot.sets.push_back(deployments::read_set(objects[i].get_object()));
  }
  for (unsigned bits = 0; bits < 8; ++bits) {
    check_step(snapshot, {.copied_picker = true,
                          .created = (bits & 1U) != 0,
                          .scaled = (bits & 2U) != 0,
                          .cleaned_up = (bits & 4U) != 0});
  }
  (void)deployments::count_collision(snapshot);
  return 0;
}
