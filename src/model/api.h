// Requests to an API server and their answers, as values. The embedded API server takes
// them, the state machines make them, and a shell carries them over HTTP or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/timestamp.h"

namespace ebb::model {

// A resourceVersion. Ours are decimal numbers that grow with every write to anything.
using Revision = std::uint64_t;

enum class Method : std::uint8_t { kGet, kPost, kPut, kPatch, kDelete };

// Whom a request wants to be taken for, as its Impersonate- headers say.
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
  std::string user_agent{};     // who asks, where the query names no fieldManager
  std::string if_none_match{};  // the ETag of what the client has already
  Impersonation as{};
  std::string body{};
  Timestamp received{};  // some answers wait for a state to come, but not for long
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
