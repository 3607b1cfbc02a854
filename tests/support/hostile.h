// Pickers that mean no good, in tables: what each does to its connection, and what has to become
// of the call.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picker/call.h"
#include "support/raw_server.h"

namespace ebb::support {

struct Hostile {
  std::string name;
  RawServer::Script script;
  picker::Outcome outcome;
  bool repeatable;
  std::optional<RawTls> tls{};
};

// What servers send is counted, to see that a client stops reading.
struct HostileSetting {
  Nanoseconds budget_ns = 10 * kNanosecondsPerSecond;
  std::function<void(picker::Call&)> change{};
};

// Asks all of them at once. Each call has to end within its budget (and the moment that a machine
// needs to notice), as expected, having dialled nothing but loopback, and its detail may contain
// nothing of what was sent.
void expect_outcomes(const std::vector<Hostile>& pickers, const HostileSetting& setting = {});

// Something that no detail may contain; scripts put it into what they send.
inline constexpr const char* kSentinel = "SENTINEL";

// The same compressed, as gzip.
[[nodiscard]] std::string gzip(const std::string& text);

}  // namespace ebb::support
