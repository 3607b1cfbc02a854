// Fuzzes request paths, queries and continue tokens. Decoded values can be encoded and decoded
// again, options stay in their ranges, and errors are valid text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "apiserver/patch/json_pointer.h"
#include "apiserver/request/options.h"
#include "apiserver/request/route.h"
#include "apiserver/request/time_limit.h"
#include "apiserver/store/continue_token.h"
#include "base/check.h"
#include "input.h"
#include "model/api/list_query.h"

namespace {

using ebb::apiserver::ContinueToken;
using ebb::apiserver::Query;
using ebb::apiserver::Route;
using ebb::fuzz::is_text;

void check_refusal(const ebb::model::Status& status) {
  EBB_CHECK(status.code == 400 || status.code == 415 || status.code == 422);
  EBB_CHECK(!status.message.empty() && is_text(boost::json::serialize(status.to_json())));
}

void check_decoding(std::string_view text) {
  for (const bool plus_is_space : {false, true}) {
    const auto decoded = ebb::apiserver::percent_decode(text, plus_is_space);
    if (!decoded) continue;
    EBB_CHECK(is_text(*decoded));
    const std::string encoded = ebb::model::percent_encoded(*decoded);
    EBB_CHECK(ebb::apiserver::percent_decode(encoded, plus_is_space) == *decoded);
  }
  const auto again = ebb::apiserver::percent_decode(ebb::model::percent_encoded(text), true);
  EBB_CHECK(again && (!is_text(text) || *again == text));
}

void check_token(std::string_view text) {
  const auto token = ContinueToken::parse(text);
  if (!token) return;
  const auto again = ContinueToken::parse(token->text());
  EBB_CHECK(again && again->revision == token->revision && again->left == token->left &&
            again->namespace_name == token->namespace_name && again->name == token->name);
  EBB_CHECK(token->namespace_name.find('/') == std::string::npos);
}

void check_pointer(std::string_view text) {
  const auto pointer = ebb::apiserver::parse_pointer(text);
  if (pointer) EBB_CHECK(text.empty() || text.front() == '/');
  if (const auto index = ebb::apiserver::parse_index(text)) {
    EBB_CHECK(std::to_string(*index) == text);
  }
}

void check_route(const Route& route) {
  EBB_CHECK(route.kind != nullptr);
  EBB_CHECK(route.kind->namespaced || route.namespace_name.empty());
  EBB_CHECK(route.subresource.empty() || !route.name.empty() || route.subresource == "eviction");
}

void check_options(const Route& route, const Query& query) {
  if (const auto options = ebb::apiserver::parse_list_options(route, query); !options) {
    check_refusal(options.error());
  }
  ebb::apiserver::ApiRequest request{.method = ebb::model::Method::kPatch};
  request.content_type = ebb::apiserver::kApplyPatch;
  if (const auto options = ebb::apiserver::parse_write_options(request, query); !options) {
    check_refusal(options.error());
  } else {
    EBB_CHECK(is_text(options->manager) && options->manager.size() <= 128);
  }
  if (const auto options = ebb::apiserver::parse_delete_options(request, query); !options) {
    check_refusal(options.error());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = ebb::fuzz::as_text(data, size);
  check_decoding(text);
  check_token(text);
  check_pointer(text);
  const std::string_view path = ebb::fuzz::take_until(text, '?');
  const auto route = ebb::apiserver::route(path);
  if (route) check_route(*route);
  const auto query = ebb::apiserver::parse_query(text);
  if (!query) {
    check_refusal(query.error());
    return 0;
  }
  const auto limit = ebb::apiserver::parse_time_limit(*query);
  if (!limit) check_refusal(limit.error());
  EBB_CHECK(!limit || (*limit > 0 && *limit <= ebb::apiserver::kMaxTime));
  if (route) check_options(*route, *query);
  return 0;
}
