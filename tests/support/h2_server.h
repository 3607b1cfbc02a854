// HTTP/2 for the raw server: frames by nghttp2, answers by the test.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/raw_server.h"

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
  bool endless = false;  // the body over and over
  bool silent = false;   // no answer at all
  bool reset = false;    // in place of an end
};

// Answers every request on the connection until the client goes.
void serve_h2(RawConnection& connection,
              const std::function<H2Answer(const H2Request& request)>& answer);

}  // namespace ebb::support
