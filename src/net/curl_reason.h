// What curl's many ways to fail mean to us.
#pragma once

#include <string>

#include <curl/curl.h>

#include "net/http_client.h"

namespace ebb::net {

// `began`: a whole head has come, so that whatever is wrong is wrong with an answer.
[[nodiscard]] HttpReply::Reason reason_of(CURLcode code, bool began);

// Texts of curl and OpenSSL that are always the same: nothing in them comes from the server.
[[nodiscard]] std::string plain_words(CURL* transfer, CURLcode code);

}  // namespace ebb::net
