#include "pickerclient/tls_material.h"

#include <string>
#include <utility>

#include "net/tls/client_identity.h"
#include "schema/core/picker_rules.h"

namespace ebb::picker_client {
namespace {

// Signing with a key of twice the size takes about eight times as long, on the one thread of all
// picker calls. With this size it takes a few milliseconds.
constexpr int kMaxRsaBits = 4096;

}  // namespace

Result<void> check_tls_material(picker::Call& call, Timestamp now) {
  const picker::Settings& settings = *call.settings;
  if (!settings.tls) return {};
  if (!settings.ca_pem.empty()) {
    EBB_RETURN_IF_ERROR(net::check_authorities({.pem = settings.ca_pem, .origin = "in caBundle"}));
  }
  if (call.certificate_pem.empty() && call.key_pem.empty()) return {};
  // `ebb picker-check` reads them from files.
  const std::string origin = settings.client_certificate.empty()
                                 ? "of the client"
                                 : "in Secret " + settings.client_certificate;
  EBB_ASSIGN_OR_RETURN(auto identity,
                       net::parse_client_identity({.pem = call.certificate_pem, .origin = origin},
                                                  {.pem = call.key_pem, .origin = origin},
                                                  {.max_bytes = schema::kMaxClientCertificateBytes,
                                                   .max_rsa_bits = kMaxRsaBits,
                                                   .now = now}));
  call.certificate_pem = std::move(identity.certificate_pem);
  call.key_pem = std::move(identity.key_pem);
  return {};
}

}  // namespace ebb::picker_client
