// Maps curl's error codes to ebb's reasons.
#pragma once  // private to its room

#include <string>

#include <curl/curl.h>

#include "net/client/http_client.h"

namespace ebb::net {

// `began`: a complete head has arrived, so the response is at fault.
[[nodiscard]] HttpReply::Reason reason_of(CURLcode code, bool began);

// Constant texts of curl and OpenSSL: nothing in them comes from the server.
[[nodiscard]] std::string plain_words(CURL* transfer, CURLcode code);

}  // namespace ebb::net
