// Turns off OpenSSL's passphrase prompt. By default OpenSSL asks on the terminal for the passphrase
// of anything encrypted. A controller must not wait for input, and ebb accepts no encrypted keys.
#pragma once

namespace ebb::net {

// From now on anything that needs a passphrase fails, in the whole process. Thread-safe, and may be
// called repeatedly; required before any PEM text is passed to OpenSSL, curl or Asio.
void forbid_passphrase_prompts();

}  // namespace ebb::net
