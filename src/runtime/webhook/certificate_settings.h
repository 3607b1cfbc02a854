// Where the certificate of the webhook's server comes from, and how long certificates last.
#pragma once  // private to its room

#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "model/api/requests.h"

namespace ebb::runtime {

struct CertificateTimes {
  Nanoseconds authority_life_ns = 365 * 24 * kHour;
  // An authority gets a successor when this much of its life is left.
  Nanoseconds authority_renewal_ns = 90 * 24 * kHour;
  // How long a successor must exist before it signs: every replica and API server has seen it then.
  Nanoseconds publication_ns = kHour;
  Nanoseconds server_life_ns = 30 * 24 * kHour;
  Nanoseconds server_renewal_ns = 20 * 24 * kHour;
  // How often a replica reads the Secret, and how soon after a failure.
  Nanoseconds check_period_ns = kMinute;
  Nanoseconds retry_period_ns = 5 * kSecond;
};

struct CertificateFiles {
  std::string certificate{};
  std::string key{};
  std::string authorities{};  // the certificates that the API server has to trust
};

struct CertificateSettings {
  std::optional<CertificateFiles> files{};  // nothing: the Secret
  model::ObjectName secret{};
  std::vector<std::string> hosts{};  // the names by which the API server reaches this process
  std::string configuration{};       // name of the ValidatingWebhookConfiguration
  CertificateTimes times{};
};

}  // namespace ebb::runtime
