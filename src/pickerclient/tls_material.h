// Validates the certificates of a call before it starts.
#pragma once  // private to its room

#include "base/result.h"
#include "base/timestamp.h"
#include "picker/call.h"

namespace ebb::picker_client {

// Whether the client certificate and the authorities of a call are usable at this time. On success,
// the call's client certificate is replaced by the parsed one (net/tls/client_identity.h). An error
// says what is wrong in which Secret, without quoting it.
[[nodiscard]] Result<void> check_tls_material(picker::Call& call, Timestamp now);

}  // namespace ebb::picker_client
