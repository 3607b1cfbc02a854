// What admission webhooks have to be asked before a write can take effect.
//
// The server itself asks nobody. A request that webhooks have a say in is answered with questions
// (Reply::consultation) and nothing is staged; whoever runs the server has them answered, in any
// order and without holding anything up, and calls handle() with the same request and the
// consultation again. That run starts from the beginning, on the state of that moment. An answer
// counts only where the very same question comes up again, to the byte: if somebody else has
// changed the object meanwhile, it is asked about anew.
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
  std::string configuration{};  // "mutatingwebhookconfigurations/NAME", for people
  std::string url{};            // where to POST the review
  // What to connect to in place of the URL's host: an IP address or a name. Empty: that host.
  std::string address{};
  std::string ca_bundle{};  // PEM; empty: the system's authorities
  int timeout_seconds = 0;  // at most; see Consultation::time_for
  std::string review{};     // an AdmissionReview in JSON

  [[nodiscard]] auto operator<=>(const WebhookQuestion&) const = default;
};

struct WebhookAnswer {
  std::string error{};  // why there is none, in Go's words where they are known
  int code = 0;         // of HTTP, if there is no error
  std::string content_type{};
  std::string body{};
  Nanoseconds took_ns = 0;  // for logs
};

// A webhook that gave no verdict.
struct WebhookFailure {
  std::string webhook{};
  std::string configuration{};
  std::string why{};
  bool ignored = false;  // by its failurePolicy: the write went on without it
};

// One request from its first run to its last.
struct Consultation {
  // To be answered, all at once if possible, before the next run.
  std::vector<WebhookQuestion> questions{};
  std::map<WebhookQuestion, WebhookAnswer> answers{};
  // How long asking may take in all, which the server says, and how long it has taken so far, which
  // whoever asks says.
  Nanoseconds limit_ns = 0;
  Nanoseconds spent_ns = 0;
  // What came up in the last run, for logs.
  std::vector<WebhookFailure> failures{};

  // The server's own. Names, uids and times are made from these two, so that they are the same in
  // every run.
  std::uint64_t seed = 0;
  Timestamp started{};
  // How often others changed what had been asked about.
  int disturbances = 0;
  // Of the run under way.
  std::mt19937_64 random{};
  std::set<const WebhookAnswer*> used{};
  std::vector<std::string> warnings{};

  // How long the question may take now.
  [[nodiscard]] Nanoseconds time_for(const WebhookQuestion& question) const;
  [[nodiscard]] bool is_over() const;
  void begin_run();
  // A run ended with questions. Returns whether it makes sense to go on: others may change what is
  // asked about while it is asked about, but not forever.
  [[nodiscard]] bool end_open_run();
  // As many as find room in the head of an answer.
  void hand_over_warnings(std::vector<std::string>& to) const;
};

}  // namespace ebb::apiserver
