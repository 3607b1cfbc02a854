// What went wrong with a request, for people.
#pragma once

#include <string>

#include "kube/client.h"

namespace ebb::runtime {

// The server's own words if it answered: the message of its Status. Without secrets.
[[nodiscard]] std::string what_went_wrong(const kube::ApiReply& reply);

}  // namespace ebb::runtime
