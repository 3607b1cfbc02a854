// Fuzzes access to the health server: Host and Authorization headers, lists of paths, and the API
// server's answers to reviews. Anything that cannot be parsed is refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "net/address/loopback_host.h"
#include "runtime/pages/allowed_paths.h"
#include "runtime/pages/review_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb::runtime;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(ebb::net::is_loopback_host(text));
  static_cast<void>(read_access_review(text));
  if (const auto token = bearer_token(text)) {
    EBB_CHECK(!token->empty() && text.ends_with(*token));
    EBB_CHECK(token_review(*token).find(*token) != std::string_view::npos);
  }
  if (const auto paths = AllowedPaths::parse(text); paths && text.find('*') == text.npos) {
    EBB_CHECK(text.find(',') != text.npos || text.empty() || paths->contains(text));
  }
  // A user that was read is asked about as it came.
  if (const auto user = read_token_review(text); user && *user) {
    EBB_CHECK(!(*user)->name.empty());
    EBB_CHECK(!read_access_review(access_review(**user, "/metrics")));
  }
  return 0;
}
