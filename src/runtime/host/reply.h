// Describes a failed request for operators.
#pragma once

#include <string>

#include "kube/client.h"

namespace ebb::runtime {

// The message of the server's Status if it answered. Contains no secrets.
[[nodiscard]] std::string what_went_wrong(const kube::ApiReply& reply);

}  // namespace ebb::runtime
