#include "net/client/curl_reason.h"

#include <fmt/format.h>
#include <openssl/x509_vfy.h>

namespace ebb::net {

using Reason = HttpReply::Reason;

Reason reason_of(CURLcode code, bool began) {
  switch (code) {
    case CURLE_OK:
      return Reason::kNone;
    case CURLE_OPERATION_TIMEDOUT:
      return Reason::kTimeout;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_URL_MALFORMAT:
      return Reason::kNoConnection;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_CLIENTCERT:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_CIPHER:
      return Reason::kUntrusted;
    case CURLE_SSL_CONNECT_ERROR:
      return Reason::kHandshake;
    case CURLE_FILESIZE_EXCEEDED:
    // Curl also reports this for a header line that exceeds its limit. Real memory exhaustion ends
    // the process before it gets here.
    case CURLE_OUT_OF_MEMORY:
      return Reason::kTooLong;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_CONTENT_ENCODING:
      return Reason::kNonsense;
    default:
      return began ? Reason::kNonsense : Reason::kLost;
  }
}

std::string plain_words(CURL* transfer, CURLcode code) {
  if (code == CURLE_OUT_OF_MEMORY) return "a header line is too long";
  long verdict = X509_V_OK;
  if (code == CURLE_PEER_FAILED_VERIFICATION) {
    curl_easy_getinfo(transfer, CURLINFO_SSL_VERIFYRESULT, &verdict);
  }
  if (verdict == X509_V_OK) return curl_easy_strerror(code);
  return fmt::format("{}: {}", curl_easy_strerror(code), X509_verify_cert_error_string(verdict));
}

}  // namespace ebb::net
