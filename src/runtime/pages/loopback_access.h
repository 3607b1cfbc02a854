// Access to a server on loopback: every program on the machine may read it, but a web page in a
// browser on the machine may not. Such a page can make its name resolve to 127.0.0.1 (DNS
// rebinding), and its requests carry that name in the Host header.
#pragma once

#include "runtime/pages/page_access.h"

namespace ebb::runtime {

class LoopbackAccess : public PageAccess {
 public:
  void check(const net::HttpRequest& request, Done done) override;
};

}  // namespace ebb::runtime
