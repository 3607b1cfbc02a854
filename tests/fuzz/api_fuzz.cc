// Fuzzes whole requests to the embedded API server, several in a row on the same objects:
//
//   METHOD PATH?QUERY CONTENT-TYPE USER-AGENT
//   BODY
//
// Every answer can be parsed by a client, every stored object can be read again, and no request
// ends the process.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/serialize.hpp>

#include "apiserver/api_server.h"
#include "base/check.h"
#include "input.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::apiserver::ApiRequest;
using ebb::apiserver::ApiServer;
using ebb::model::Method;

const ebb::Timestamp kNow = ebb::Timestamp::from_seconds(1'700'000'000);

Method method_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Method>, 5> kMethods = {
      {{"GET", Method::kGet},
       {"POST", Method::kPost},
       {"PUT", Method::kPut},
       {"PATCH", Method::kPatch},
       {"DELETE", Method::kDelete}}};
  for (const auto& [name, method] : kMethods) {
    if (name == word) return method;
  }
  return Method::kGet;
}

ApiRequest take_request(std::string_view& input) {
  ApiRequest request;
  std::string_view head = ebb::fuzz::take_until(input, '\n');
  request.body = ebb::fuzz::take_until(input, '\n');
  request.method = method_of(ebb::fuzz::take_until(head, ' '));
  std::string_view url = ebb::fuzz::take_until(head, ' ');
  request.path = ebb::fuzz::take_until(url, '?');
  request.query = url;
  request.content_type = ebb::fuzz::take_until(head, ' ');
  request.user_agent = head;
  return request;
}

void check_response(const ebb::apiserver::ApiResponse& response) {
  EBB_CHECK(response.code >= 200 && response.code < 600);
  const std::string body = response.body.str();
  for (const std::string& warning : response.warnings) EBB_CHECK(ebb::fuzz::is_text(warning));
  if (response.content_type != "application/json" || body.empty()) return;
  const auto value = ebb::fuzz::parse_plainly(body);
  EBB_CHECK(value.has_value());
  EBB_CHECK(response.code < 400 || value->is_object());
}

void read_everything(ApiServer& server) {
  for (const std::string_view path :
       {"/api/v1/pods", "/apis/apps/v1/replicasets", "/api/v1/configmaps", "/api/v1/namespaces",
        "/apis/ebb.dev/v1alpha1/downscalepolicies"}) {
    for (const std::string_view accept :
         {"application/json", "application/vnd.kubernetes.protobuf,application/json",
          "application/json;as=Table;g=meta.k8s.io;v=v1"}) {
      const auto reply =
          server.handle({.path = std::string(path), .accept = std::string(accept)}, kNow);
      EBB_CHECK(reply.response.code == 200);
      check_response(reply.response);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input = ebb::fuzz::as_text(data, size);
  ApiServer server({});
  server.bootstrap(kNow);
  const auto publish = [&] {
    const auto changes = server.take_staged();
    if (!changes.empty()) server.publish(changes.back().revision, kNow);
  };
  publish();
  for (int requests = 0; !input.empty() && requests < 8; ++requests) {
    const auto reply = server.handle(take_request(input), kNow);
    if (reply.retry_after == 0 && reply.watch == nullptr && reply.session == nullptr) {
      check_response(reply.response);
    }
    publish();
  }
  read_everything(server);
  return 0;
}
