#include "net/tls/passphrase_prompt.h"

#include <openssl/ui.h>

#include "base/check.h"

namespace ebb::net {
namespace {

// UI_null() is not an alternative: it reports success and leaves the passphrase uninitialised.
const UI_METHOD* make_refusing_method() {
  UI_METHOD* method = UI_create_method("ebb: no passphrases");
  EBB_CHECK(method != nullptr);
  UI_method_set_opener(method, [](UI* /*prompt*/) { return 0; });
  UI_set_default_method(method);
  return method;
}

}  // namespace

void forbid_passphrase_prompts() {
  [[maybe_unused]] static const UI_METHOD* const kMethod = make_refusing_method();
}

}  // namespace ebb::net
