// Requests to an API server and their responses, as values. The state machines create them and the
// embedded API server handles them; a shell carries them over HTTP or within the process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/timestamp.h"

namespace ebb::model {

// A resourceVersion. The embedded API server's are decimal numbers that grow with every write to
// any object.
using Revision = std::uint64_t;

enum class Method : std::uint8_t { kGet, kPost, kPut, kPatch, kDelete };

// The identity that a request asks for in its Impersonate- headers.
struct Impersonation {
  std::string user{};
  std::string uid{};
  std::vector<std::string> groups{};
  std::map<std::string, std::vector<std::string>> extra{};
};

struct ApiRequest {
  Method method = Method::kGet;
  std::string path{};   // "/api/v1/namespaces/shop/pods", percent-encoding as on the wire
  std::string query{};  // "labelSelector=app%3Dweb&limit=500", likewise
  std::string content_type{};
  std::string accept{};
  std::string user_agent{};     // the client, if the query has no fieldManager
  std::string if_none_match{};  // the ETag of the version that the client has
  Impersonation as{};
  std::string body{};
  Timestamp received{};  // some responses wait for a state, for a limited time
};

using ebb::Bytes;

struct ApiResponse {
  int code = 200;
  std::string content_type = "application/json";
  Bytes body;
  std::vector<std::string> warnings;  // each becomes a header `Warning: 299 - "..."`
  int retry_after_seconds = 0;        // a header Retry-After, unless 0
  std::string etag{};                 // a header ETag, quotes and all, unless empty
};

}  // namespace ebb::model
