// Asks admission webhooks over HTTPS, on a thread of its own: one that hangs holds up nobody but
// the requests that it has a say in.
#pragma once

#include <functional>
#include <memory>

#include "apiserver/consultation.h"

namespace ebb::cluster {

using apiserver::WebhookAnswer;
using apiserver::WebhookQuestion;

// A seam for tests.
class WebhookCaller {
 public:
  using Done = std::function<void(WebhookAnswer answer)>;

  // Whoever is under way is dropped without calling anybody.
  virtual ~WebhookCaller() = default;

  // From any thread. `done` is called once, from another thread, not much later than after
  // `time_ns`.
  virtual void call(const WebhookQuestion& question, Nanoseconds time_ns, Done done) = 0;
};

[[nodiscard]] std::unique_ptr<WebhookCaller> make_webhook_caller();

}  // namespace ebb::cluster
