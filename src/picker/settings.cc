#include "picker/settings.h"

#include <fmt/format.h>

namespace ebb::picker {

std::string Settings::endpoint() const {
  const bool bracketed = host.find(':') != std::string::npos;
  const std::string_view scheme =
      protocol == Protocol::kHttp ? (tls ? "https" : "http") : (tls ? "grpcs" : "grpc");
  return bracketed ? fmt::format("{}://[{}]:{}", scheme, host, port)
                   : fmt::format("{}://{}:{}", scheme, host, port);
}

}  // namespace ebb::picker
