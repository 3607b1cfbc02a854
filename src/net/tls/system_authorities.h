// The certificate authorities that the system trusts, read once.
#pragma once

#include <openssl/ssl.h>

namespace ebb::net {

// Adds them to a context, which must not be shared. If the system has none, adds none.
void add_system_authorities(SSL_CTX* context);

}  // namespace ebb::net
