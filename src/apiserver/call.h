// A request on a resource, taken apart, and the functions that answer one.
#pragma once

#include <random>
#include <string>
#include <utility>

#include "apiserver/api_server.h"
#include "apiserver/consultation.h"
#include "apiserver/options.h"
#include "apiserver/represent.h"
#include "apiserver/route.h"
#include "apiserver/store.h"
#include "apiserver/webhooks.h"
#include "model/status.h"

namespace ebb::apiserver {

struct ApiServer::State {
  explicit State(const Settings& settings)
      : store(settings), random(settings.seed), gates(settings.gates) {}

  Store store;
  std::mt19937_64 random;
  Webhooks webhooks;
  const model::FeatureGates gates;
};

// Inside the library, functions that answer requests may look at the state.
class Call {
 public:
  using State = ApiServer::State;

  State& state;
  const ApiRequest& request;
  const Route& route;
  const Query& query;
  Form form;
  Timestamp now;
  // Set where admission webhooks may have a say (admission.h).
  Consultation* consultation = nullptr;

  [[nodiscard]] Store& store() const { return state.store; }
  // Of names and uids.
  [[nodiscard]] std::mt19937_64& random() const {
    return consultation == nullptr ? state.random : consultation->random;
  }
  [[nodiscard]] const schema::Kind& kind() const { return *route.kind; }
  [[nodiscard]] model::Subject subject() const { return subject(route.name); }
  [[nodiscard]] model::Subject subject(std::string_view name) const {
    return {.group = kind().group, .resource = kind().plural, .kind = kind().name, .name = name};
  }
};

using Answer = model::StatusOr<Reply>;

// Reads.
[[nodiscard]] Answer get(const Call& call);
[[nodiscard]] Answer list(const Call& call);  // watches as well
[[nodiscard]] Answer watch(const Call& call, const ListOptions& options);
// Whether the state of a revision has come; if not, the reply that waits for it.
[[nodiscard]] std::optional<Answer> wait_for(const Call& call, Revision revision);

// Writes to objects.
[[nodiscard]] Answer create(const Call& call);
[[nodiscard]] Answer update(const Call& call);
[[nodiscard]] Answer patch(const Call& call);
[[nodiscard]] Answer apply(const Call& call);
[[nodiscard]] Answer remove(const Call& call);
[[nodiscard]] Answer remove_collection(const Call& call);

// Subresources.
[[nodiscard]] Answer get_scale(const Call& call);
[[nodiscard]] Answer update_scale(const Call& call);
[[nodiscard]] Answer patch_scale(const Call& call);
[[nodiscard]] Answer evict(const Call& call);
[[nodiscard]] Answer bind(const Call& call);
[[nodiscard]] Answer finalize_namespace(const Call& call);

}  // namespace ebb::apiserver
