// Converts a webhook question to an HTTPS call, and the response to an answer.
#pragma once  // private to its room

#include "apiserver/admission/webhook_session.h"
#include "net/client/http_client.h"

namespace ebb::cluster {

[[nodiscard]] net::HttpCall make_webhook_call(const apiserver::WebhookQuestion& question,
                                              Nanoseconds left_ns);
// Errors use the wording of Go's client where it has one.
[[nodiscard]] apiserver::WebhookAnswer read_webhook_reply(
    const apiserver::WebhookQuestion& question, net::HttpReply reply);
[[nodiscard]] apiserver::WebhookAnswer out_of_time();

}  // namespace ebb::cluster
