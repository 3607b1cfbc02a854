// By what clients know an embedded cluster, and it knows them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/certificate.h"

namespace ebb::cluster {

struct Identity {
  net::KeyPair authority{};
  std::string token{};
};

// A new one.
[[nodiscard]] Result<Identity> make_identity();

// The one that is kept in a folder (ca.crt, ca.key, token; mode 0600); made, if there is
// none. One that is incomplete or damaged is an error: clients hold copies of it.
[[nodiscard]] Result<Identity> keep_identity(const std::filesystem::path& folder);

}  // namespace ebb::cluster
