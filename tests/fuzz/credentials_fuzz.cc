// Fuzzes the output of credential plugins. An ExecCredential is accepted as a whole or not at
// all, and errors quote nothing of the output.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "kube/exec_credential.h"
#include "kube/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view output = ebb::fuzz::as_text(data, size);
  const ebb::kube::ExecPlugin plugin{.api_version = "client.authentication.k8s.io/v1",
                                     .command = "/usr/bin/plugin"};
  const auto credential = ebb::kube::parse_exec_credential(plugin, output);
  if (!credential) {
    const std::string_view message = credential.error().message;
    EBB_CHECK(credential.error().code == ebb::ErrorCode::kInvalidInput);
    // Made of our own words alone, so it cannot be longer than they are.
    EBB_CHECK(ebb::fuzz::is_one_line(message) && message.size() < 250);
    return 0;
  }
  EBB_CHECK(ebb::kube::is_printable(credential->token));
  EBB_CHECK(credential->certificate_pem.empty() == credential->key_pem.empty());
  EBB_CHECK(!credential->token.empty() || !credential->certificate_pem.empty());
  EBB_CHECK(credential->token.size() + credential->certificate_pem.size() +
                credential->key_pem.size() <
            size);
  return 0;
}
