// The certificate authorities that the system believes, read once.
#pragma once

#include <openssl/ssl.h>

namespace ebb::net {

// Adds them to those of a context, which must not be shared with others. If the system has
// none, none are added.
void add_system_authorities(SSL_CTX* context);

}  // namespace ebb::net
