// The admission webhook calls that a write needs before it can take effect.
//
// The server itself calls no webhooks. If webhooks apply to a request, handle() stages nothing and
// returns questions (Reply::session). The caller obtains the answers, in any order and without
// blocking other requests, and calls handle() again with the same request and the session. That run
// starts over, on the state at that moment. An answer counts only if the same question comes up
// again, byte for byte; if the object has changed in between, the webhook is called again.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/timestamp.h"

namespace ebb::apiserver {

struct WebhookQuestion {
  std::string webhook{};        // its name
  std::string configuration{};  // "mutatingwebhookconfigurations/NAME", for messages
  std::string url{};            // where to POST the review
  // Connect here instead of to the URL's host: an IP address or a name. Empty: the URL's host.
  std::string address{};
  std::string ca_bundle{};  // PEM; empty: the system's CAs
  int timeout_seconds = 0;  // at most; see WebhookSession::time_for
  std::string review{};     // an AdmissionReview in JSON

  [[nodiscard]] auto operator<=>(const WebhookQuestion&) const = default;
};

struct WebhookAnswer {
  std::string error{};  // why there is no answer, in Go's words where known
  int code = 0;         // HTTP status, if there is no error
  std::string content_type{};
  std::string body{};
  Nanoseconds took_ns = 0;  // for logs
};

// A webhook that returned no verdict.
struct WebhookFailure {
  std::string webhook{};
  std::string configuration{};
  std::string why{};
  bool ignored = false;  // by its failurePolicy: the write went on without it
};

// The state of one request across all its runs.
struct WebhookSession {
  // Questions to answer, all at once if possible, before the next run.
  std::vector<WebhookQuestion> questions{};
  std::map<WebhookQuestion, WebhookAnswer> answers{};
  // The total time for webhook calls (set by the server), and the time used so far (set by the
  // caller).
  Nanoseconds limit_ns = 0;
  Nanoseconds spent_ns = 0;
  // Failures of the last run, for logs.
  std::vector<WebhookFailure> failures{};

  // For the server only. Names, uids and times are derived from these two, so that every run
  // produces the same ones.
  std::uint64_t seed = 0;
  Timestamp started{};
  // How often another write changed the object while webhooks were being called.
  int disturbances = 0;
  // State of the current run.
  std::mt19937_64 random{};
  std::set<const WebhookAnswer*> used{};
  std::vector<std::string> warnings{};

  // The time that is left for this question.
  [[nodiscard]] Nanoseconds time_for(const WebhookQuestion& question) const;
  [[nodiscard]] bool is_over() const;
  void begin_run();
  // Ends a run that left questions. Returns false if the request should be given up: concurrent
  // writes changed the object too often while webhooks were being called.
  [[nodiscard]] bool end_open_run();
  // Copies as many warnings as fit into the response headers.
  void copy_warnings(std::vector<std::string>& to) const;
};

}  // namespace ebb::apiserver
