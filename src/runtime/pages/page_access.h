// Decides who may read a page of the health server.
#pragma once  // private to its room

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "net/server/http.h"

namespace ebb::runtime {

struct Refusal {
  int code = 403;
  std::string content_type = "text/plain; charset=utf-8";
  std::string text{};
  std::vector<std::pair<std::string, std::string>> headers{};
};

class PageAccess {
 public:
  using Done = std::function<void(std::optional<Refusal>)>;

  virtual ~PageAccess() = default;

  // Calls `done` once: now, or later from another thread. Without a Refusal the page may be read.
  virtual void check(const net::HttpRequest& request, Done done) = 0;
};

}  // namespace ebb::runtime
