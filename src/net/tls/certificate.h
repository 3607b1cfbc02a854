// Creates ebb's own certificates: an authority, and servers that it signs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::net {

struct KeyPair {
  std::string certificate_pem{};
  std::string key_pem{};
};

// Certificates are valid from this long before they are made, for clocks that are behind.
inline constexpr std::int64_t kBackdatedSeconds = 24L * 60 * 60;
inline constexpr std::int64_t kTenYearsSeconds = 3650L * 24 * 60 * 60;

// EC P-256.
[[nodiscard]] Result<KeyPair> make_authority(const std::string& common_name,
                                             std::int64_t valid_seconds = kTenYearsSeconds);

// `hosts` are the IP addresses and DNS names under which clients reach the server.
[[nodiscard]] Result<KeyPair> issue_server_certificate(
    const KeyPair& authority, const std::vector<std::string>& hosts,
    const std::string& common_name = "ebb API server",
    std::int64_t valid_seconds = kTenYearsSeconds);

// Whether certificate and key belong together and can issue certificates.
[[nodiscard]] Result<void> check_authority(const KeyPair& authority);

struct Validity {
  Timestamp not_before{};
  Timestamp not_after{};
};
// Of the first certificate in the text.
[[nodiscard]] Result<Validity> validity_of(std::string_view certificate_pem);

}  // namespace ebb::net
