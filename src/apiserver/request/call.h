// A parsed request on a resource, and the functions that answer it.
#pragma once

#include <random>
#include <string>
#include <utility>

#include "apiserver/admission/webhook_session.h"
#include "apiserver/admission/webhooks.h"
#include "apiserver/request/options.h"
#include "apiserver/request/route.h"
#include "apiserver/response/encode_response.h"
#include "apiserver/response/reply.h"
#include "apiserver/store/store.h"
#include "model/api/status.h"

namespace ebb::apiserver {

struct ServerState {
  explicit ServerState(const Settings& settings)
      : store(settings), random(settings.seed), gates(settings.gates) {}

  Store store;
  std::mt19937_64 random;
  Webhooks webhooks;
  const model::FeatureGates gates;
};

class Call {
 public:
  ServerState& state;
  const ApiRequest& request;
  const Route& route;
  const Query& query;
  Form form;
  Timestamp now;
  // Set if admission webhooks may apply (admission.h).
  WebhookSession* session = nullptr;

  [[nodiscard]] Store& store() const { return state.store; }
  // The source of random names and uids.
  [[nodiscard]] std::mt19937_64& random() const {
    return session == nullptr ? state.random : session->random;
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
[[nodiscard]] Answer list(const Call& call);  // also watches
[[nodiscard]] Answer watch(const Call& call, const ListOptions& options);
// Nothing if the revision is published; otherwise the reply that waits for it.
[[nodiscard]] std::optional<Answer> wait_for(const Call& call, Revision revision);

// Writes to objects.
[[nodiscard]] Answer create(const Call& call);
[[nodiscard]] Answer update(const Call& call);
[[nodiscard]] Answer patch(const Call& call);
[[nodiscard]] Answer apply(const Call& call);
[[nodiscard]] Answer delete_one(const Call& call);
[[nodiscard]] Answer delete_collection(const Call& call);

// Subresources.
[[nodiscard]] Answer get_scale(const Call& call);
[[nodiscard]] Answer update_scale(const Call& call);
[[nodiscard]] Answer patch_scale(const Call& call);
[[nodiscard]] Answer evict(const Call& call);
[[nodiscard]] Answer bind(const Call& call);
[[nodiscard]] Answer finalize_namespace(const Call& call);

}  // namespace ebb::apiserver
