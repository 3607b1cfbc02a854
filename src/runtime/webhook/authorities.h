// The certificate authorities of the webhook in their Secret, and when they are replaced.
//
// An authority is replaced in two steps, each of which one replica writes: first its successor is
// added, and the API server is told to trust both. Once that is published, the successor signs, and
// the old one stays trusted until it is replaced in turn. So no replica ever serves a certificate
// that the API server does not trust yet, whichever replica has read what.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "net/tls/certificate.h"
#include "runtime/webhook/certificate_settings.h"

namespace ebb::runtime {

struct Authorities {
  std::optional<net::KeyPair> current{};  // signs the certificates of servers
  std::optional<net::KeyPair> next{};
  std::string previous_pem{};  // may be empty
};

// From and into the `data` of a Secret; other members stay. A pair that cannot be used is left out.
[[nodiscard]] Authorities read_authorities(const boost::json::object& secret);
void write_authorities(const Authorities& authorities, boost::json::object& secret);

// All certificates, in an order that does not change when the next authority becomes the current.
[[nodiscard]] std::string bundle_of(const Authorities& authorities);

enum class AuthorityStep : std::uint8_t {
  kKeep,
  kCreate,   // there is none that is valid
  kAddNext,  // the current one ends soon
  kPromote,  // the next one has been published
};
// `next_is_published`: the API server is known to trust the next authority.
[[nodiscard]] AuthorityStep next_step(const Authorities& authorities, bool next_is_published,
                                      Timestamp wall, const CertificateTimes& times);
// Authorities after a step other than kKeep.
[[nodiscard]] Result<Authorities> after_step(AuthorityStep step, Authorities authorities,
                                             const CertificateTimes& times);

// Whether every webhook of a configuration trusts the certificate; true without webhooks.
[[nodiscard]] bool trusts(const boost::json::object& configuration,
                          std::string_view certificate_pem);

}  // namespace ebb::runtime
