// Fuzzes request headers for content negotiation and impersonation: Accept, Accept-Encoding,
// Content-Type and Impersonate-*, one per line, in this order.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/response/negotiate.h"
#include "base/check.h"
#include "cluster/server/compress.h"
#include "cluster/server/impersonation.h"
#include "input.h"
#include "schema/core/kind.h"

namespace {

using ebb::apiserver::Encoding;
using ebb::apiserver::Negotiated;
using ebb::apiserver::Representation;

void check_accept(std::string_view accept) {
  for (const ebb::schema::Kind& kind : ebb::schema::kinds()) {
    const auto form = ebb::apiserver::negotiate(accept, kind);
    if (!form) continue;
    EBB_CHECK(form->encoding != Encoding::kProtobuf ||
              form->representation != Representation::kTable);
    EBB_CHECK(form->encoding != Encoding::kProtobuf || !kind.custom ||
              form->representation == Representation::kMetadata);
    // The first clause that can be met decides, whatever follows it; blanks mean nothing.
    EBB_CHECK(ebb::apiserver::negotiate(std::string(accept) + ",*/*", kind) == form);
    EBB_CHECK(ebb::apiserver::negotiate(" \t" + std::string(accept) + " ", kind) == form);
  }
  const std::string preferred =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," + std::string(accept);
  EBB_CHECK(ebb::apiserver::prefers_json_as(preferred, "apidiscovery.k8s.io", "v2",
                                            "APIGroupDiscoveryList"));
}

void check_media_type(std::string_view header) {
  const std::string_view type = ebb::apiserver::media_type(header);
  EBB_CHECK(type.find(';') == std::string_view::npos);
  EBB_CHECK(ebb::apiserver::media_type(type) == type);
}

// Nothing is lost and nothing is made up.
void check_impersonation(std::string_view lines) {
  std::vector<std::pair<std::string, std::string>> headers;
  std::size_t groups = 0;
  while (!lines.empty()) {
    std::string_view value = ebb::fuzz::take_until(lines, '\n');
    const std::string name(ebb::fuzz::take_until(value, ':'));
    groups += name == "impersonate-group" ? 1 : 0;
    headers.emplace_back(name, std::string(value));
  }
  const ebb::model::Impersonation as = ebb::cluster::impersonation_of(headers);
  EBB_CHECK(as.groups.size() == groups);
  std::size_t extra = 0;
  for (const auto& [key, values] : as.extra) extra += values.size();
  EBB_CHECK(extra <= headers.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input = ebb::fuzz::as_text(data, size);
  check_accept(ebb::fuzz::take_until(input, '\n'));
  const std::string_view encodings = ebb::fuzz::take_until(input, '\n');
  EBB_CHECK(!ebb::cluster::accepts_gzip(encodings) || encodings.size() >= 1);
  check_media_type(ebb::fuzz::take_until(input, '\n'));
  check_impersonation(input);
  return 0;
}
