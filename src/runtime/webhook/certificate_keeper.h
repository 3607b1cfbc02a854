// Keeps the certificate of the webhook's server valid, on a thread of its own: from authorities in
// a Secret that all replicas share, or from files that another program renews (cert-manager).
//
// It has its own client, and blocks; nothing waits for it but the first certificate.
#pragma once  // private to its room

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "control/core/telemetry.h"
#include "kube/client.h"
#include "net/tls/certificate.h"
#include "runtime/webhook/certificate_settings.h"

namespace ebb::runtime {

class CertificateKeeper {
 public:
  // Called from the keeper's thread whenever one of them has changed.
  using Publish = std::function<void(std::string ca_bundle_pem)>;
  using Serve = std::function<Result<void>(const net::KeyPair& server)>;
  using Log = std::function<void(control::Severity severity, const std::string& text)>;
  struct Callbacks {
    Publish publish{};
    Serve serve{};
    Log log{};
  };

  // `client` may be null if there are files.
  CertificateKeeper(CertificateSettings settings, std::unique_ptr<kube::Client> client,
                    Callbacks callbacks);
  // Waits for a request in flight, for some seconds at most.
  ~CertificateKeeper();
  CertificateKeeper(const CertificateKeeper&) = delete;
  CertificateKeeper& operator=(const CertificateKeeper&) = delete;

  // From any thread: whether a certificate is served that the API server can verify.
  [[nodiscard]] bool ready() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
