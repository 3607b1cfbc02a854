// Calls admission webhooks over HTTPS, on a thread of its own: a webhook that hangs delays only the
// requests that it admits.
#pragma once  // private to its room

#include <functional>
#include <memory>

#include "apiserver/admission/webhook_session.h"

namespace ebb::cluster {

using apiserver::WebhookAnswer;
using apiserver::WebhookQuestion;

// A seam for tests.
class WebhookCaller {
 public:
  using Done = std::function<void(WebhookAnswer answer)>;

  // Drops in-flight calls without callbacks.
  virtual ~WebhookCaller() = default;

  // Thread-safe. `done` is called once, from another thread, not much later than after `time_ns`.
  virtual void call(const WebhookQuestion& question, Nanoseconds time_ns, Done done) = 0;
};

[[nodiscard]] std::unique_ptr<WebhookCaller> make_webhook_caller();

}  // namespace ebb::cluster
