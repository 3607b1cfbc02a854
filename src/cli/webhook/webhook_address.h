// Where the API server reaches the webhook, as `ebb webhook` is told.
#pragma once  // private to its room

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/api/requests.h"

namespace ebb::cli {

struct ExternalUrl {
  std::string url{};   // without a slash at the end
  std::string host{};  // without brackets
};

// `https://HOST` or `https://HOST:PORT`. Errors name --external-url.
[[nodiscard]] Result<ExternalUrl> parse_external_url(std::string_view text);

// `NAMESPACE/NAME`. Errors name --service.
[[nodiscard]] Result<model::ObjectName> parse_service(std::string_view text);

}  // namespace ebb::cli
