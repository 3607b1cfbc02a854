#include "runtime/pages/loopback_access.h"

#include "net/address/loopback_host.h"

namespace ebb::runtime {

void LoopbackAccess::check(const net::HttpRequest& request, Done done) {
  if (net::is_loopback_host(request.host)) return done(std::nullopt);
  done(Refusal{.text = "the Host header must be localhost, 127.0.0.1 or [::1], with any port\n"});
}

}  // namespace ebb::runtime
