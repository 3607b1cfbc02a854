#include "cluster/files/identity.h"

#include <array>

#include <fmt/format.h>

#include "cluster/files/private_file.h"
#include "net/tls/secret.h"

namespace ebb::cluster {
namespace {

struct Part {
  const char* file;
  std::string* text;
};

std::array<Part, 3> parts_of(Identity& identity) {
  return {{{"ca.crt", &identity.authority.certificate_pem},
           {"ca.key", &identity.authority.key_pem},
           {"token", &identity.token}}};
}

}  // namespace

Result<Identity> make_identity() {
  EBB_ASSIGN_OR_RETURN(auto authority, net::make_authority("ebb"));
  return Identity{std::move(authority), net::random_token()};
}

Result<Identity> keep_identity(const std::filesystem::path& folder) {
  Identity kept;
  std::size_t found = 0;
  std::string missing;
  for (const Part& part : parts_of(kept)) {
    EBB_ASSIGN_OR_RETURN(auto content, read_if_there(folder / part.file));
    if (content) {
      *part.text = *content;
      ++found;
    } else {
      missing = part.file;
    }
  }
  while (!kept.token.empty() && kept.token.back() == '\n') kept.token.pop_back();
  if (found == parts_of(kept).size()) {
    if (kept.token.size() < 16) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("{}: the token is too short", (folder / "token").string()));
    }
    auto checked = net::check_authority(kept.authority);
    if (checked) return kept;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: {}", (folder / "ca.crt").string(), checked.error().message));
  }
  // The token is written last: if it exists, everything does.
  if (!kept.token.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} is missing; put it back, or remove ca.crt, ca.key and token to "
                            "have new ones made",
                            (folder / missing).string()));
  }
  EBB_ASSIGN_OR_RETURN(auto made, make_identity());
  for (const Part& part : parts_of(made)) {
    EBB_RETURN_IF_ERROR(write_private(folder / part.file, *part.text));
  }
  return made;
}

}  // namespace ebb::cluster
