// A question to a webhook as a call over HTTPS, and what came back of it.
#pragma once

#include "apiserver/consultation.h"
#include "net/http_client.h"

namespace ebb::cluster {

[[nodiscard]] net::HttpCall make_webhook_call(const apiserver::WebhookQuestion& question,
                                              Nanoseconds left_ns);
// Failures are told in the words of Go's client, where it has any for them.
[[nodiscard]] apiserver::WebhookAnswer read_webhook_reply(
    const apiserver::WebhookQuestion& question, net::HttpReply reply);
[[nodiscard]] apiserver::WebhookAnswer out_of_time();

}  // namespace ebb::cluster
