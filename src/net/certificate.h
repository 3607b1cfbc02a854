// Certificates of our own making: an authority, and servers that it vouches for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ebb::net {

struct KeyPair {
  std::string certificate_pem{};
  std::string key_pem{};
};

// EC P-256, valid for ten years (and since yesterday, for clocks that run behind).
[[nodiscard]] Result<KeyPair> make_authority(const std::string& common_name);

// `hosts` are IP addresses and DNS names under which clients will reach the server.
[[nodiscard]] Result<KeyPair> issue_server_certificate(const KeyPair& authority,
                                                       const std::vector<std::string>& hosts);

// Whether the two belong together, and can be used to issue.
[[nodiscard]] Result<void> check_authority(const KeyPair& authority);

}  // namespace ebb::net
