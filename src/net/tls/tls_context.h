// TLS settings of ebb's servers: 1.2 or newer, HTTP/1.1 only.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include "base/result.h"
#include "net/tls/certificate.h"

namespace ebb::net {

[[nodiscard]] Result<boost::asio::ssl::context> make_tls_context(const KeyPair& server);

}  // namespace ebb::net
