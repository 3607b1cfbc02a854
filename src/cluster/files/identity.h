// The credentials of an embedded cluster: its certificate authority and its clients' token.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/tls/certificate.h"

namespace ebb::cluster {

struct Identity {
  net::KeyPair authority{};
  std::string token{};
};

// Creates a new one.
[[nodiscard]] Result<Identity> make_identity();

// The identity stored in a folder (ca.crt, ca.key, token; mode 0600); created if there is none. An
// incomplete or damaged one is an error: clients hold copies of it.
[[nodiscard]] Result<Identity> keep_identity(const std::filesystem::path& folder);

}  // namespace ebb::cluster
