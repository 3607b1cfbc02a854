// Tables of hostile pickers: what each does to its connection, and how the call must end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picker/call.h"
#include "support/net/raw_server.h"

namespace ebb::support {

struct Hostile {
  std::string name;
  RawServer::Script script;
  picker::Outcome outcome;
  bool repeatable;
  std::optional<RawTls> tls{};
};

// Counts the bytes that servers send, to verify that a client stops reading.
struct HostileOptions {
  Nanoseconds budget_ns = 10 * kNanosecondsPerSecond;
  std::function<void(picker::Call&)> change{};
};

// Calls all pickers at once. Each call must end within its time budget (plus a tolerance for the
// machine) and with the expected outcome, must dial only loopback, and its detail must contain
// nothing that the picker sent.
void expect_outcomes(const std::vector<Hostile>& pickers, const HostileOptions& options = {});

// A text that no detail may contain; scripts put it into what they send.
inline constexpr const char* kSentinel = "SENTINEL";

// The same compressed, as gzip.
[[nodiscard]] std::string gzip(const std::string& text);

}  // namespace ebb::support
