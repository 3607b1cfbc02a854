// HTTP/2 for the raw server: framing by nghttp2, answers by the test.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/net/raw_server.h"

namespace ebb::support {

struct H2Request {
  std::map<std::string, std::string> headers{};
  std::string body{};
};

struct H2Answer {
  using Headers = std::vector<std::pair<std::string, std::string>>;

  Headers headers{};   // with :status
  std::string body{};  // empty, and no trailers: the head ends the stream
  Headers trailers{};
  bool endless = false;  // repeats the body
  bool silent = false;   // no answer at all
  bool reset = false;    // instead of a clean end
};

// Answers every request on the connection until the client disconnects.
void serve_h2(RawConnection& connection,
              const std::function<H2Answer(const H2Request& request)>& answer);

}  // namespace ebb::support
