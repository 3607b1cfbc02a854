#include "net/client/curl_transfer.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/check.h"
#include "net/client/request_text.h"
#include "net/tls/system_authorities.h"

namespace ebb::net {
namespace {

// A vanished peer is detected after 15 + 3 * 5 seconds.
constexpr long kKeepaliveIdleSeconds = 15;
constexpr long kKeepaliveIntervalSeconds = 5;
constexpr int kKeepaliveProbes = 3;
// Close to the smallest size that curl accepts.
constexpr long kSmallBufferBytes = 8 * 1024;
constexpr long kSmallUploadBytes = 16 * 1024;

// A server decides how much work a handshake is, on the one thread of all calls. With these ciphers
// and groups it is at most a few milliseconds; with finite-field Diffie-Hellman (DHE, ffdhe8192) it
// could be a second.
constexpr const char* kCiphers = "DEFAULT:!kDHE";
constexpr const char* kGroups = "X25519:P-256:P-384:P-521";
// The same for a chain of a hundred certificates with slow keys. Usual chains have one or two.
constexpr int kMaxIntermediates = 5;

std::size_t on_head(char* text, std::size_t size, std::size_t count, void* listener) {
  const bool go_on = static_cast<CurlListener*>(listener)->head_line({text, size * count});
  return go_on ? size * count : CURL_WRITEFUNC_ERROR;
}

std::size_t on_body(char* text, std::size_t size, std::size_t count, void* listener) {
  const bool go_on = static_cast<CurlListener*>(listener)->body_piece({text, size * count});
  return go_on ? size * count : CURL_WRITEFUNC_ERROR;
}

int on_progress(void* listener, curl_off_t /*expected*/, curl_off_t received,
                curl_off_t /*to_send*/, curl_off_t /*sent*/) {
  return static_cast<CurlListener*>(listener)->packed_bytes(static_cast<std::uint64_t>(received))
             ? 0
             : 1;
}

curl_socket_t on_open_socket(void* listener, curlsocktype /*purpose*/, curl_sockaddr* address) {
  const int socket = static_cast<CurlListener*>(listener)->open_socket(*address);
  return socket < 0 ? CURL_SOCKET_BAD : socket;
}

int on_about_to_send(void* listener, char* /*server*/, char* /*client*/, int /*server_port*/,
                     int /*client_port*/) {
  return static_cast<CurlListener*>(listener)->about_to_send() ? CURL_PREREQFUNC_OK
                                                               : CURL_PREREQFUNC_ABORT;
}

int on_new_socket(void* /*nothing*/, curl_socket_t socket, curlsocktype /*purpose*/) {
  // An optimisation; on failure the system's default number of probes applies.
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &kKeepaliveProbes, sizeof kKeepaliveProbes);
  return CURL_SOCKOPT_OK;
}

CURLcode on_tls_context(CURL* /*transfer*/, void* context, void* tls) {
  SSL_CTX* const native = static_cast<SSL_CTX*>(context);
  SSL_CTX_set_verify_depth(native, kMaxIntermediates);
  const HttpClientTls& settings = *static_cast<const HttpClientTls*>(tls);
  if (settings.system_too && !settings.ca_pem.empty()) add_system_authorities(native);
  return CURLE_OK;
}

curl_blob blob_of(const std::string& text) {
  curl_blob blob{};
  blob.data = const_cast<char*>(text.data());
  blob.len = text.size();
  blob.flags = CURL_BLOB_NOCOPY;
  return blob;
}

// At least one, because 0 means no limit to curl.
long curl_milliseconds(Nanoseconds time_ns) {
  return static_cast<long>(std::max<Nanoseconds>(time_ns / kMillisecond, 1));
}

std::string header_line(const std::string& name, const std::string& value) {
  // Curl needs this form to send a header without a value; it would omit the header otherwise. A
  // blank value counts as empty: HTTP ignores white space around a value.
  const bool blank = value.find_first_not_of(" \t\r\n") == std::string::npos;
  return blank ? one_line(name) + ";" : one_line(name + ": " + value);
}

// A URL parsed by curl's own parser, so that ebb and curl see the same host.
class ParsedUrl {
 public:
  explicit ParsedUrl(const std::string& url) : url_(curl_url()) {
    valid_ = curl_url_set(url_, CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
  }
  ~ParsedUrl() { curl_url_cleanup(url_); }
  ParsedUrl(const ParsedUrl&) = delete;
  ParsedUrl& operator=(const ParsedUrl&) = delete;

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] std::string part(CURLUPart part, unsigned flags = 0) const {
    char* text = nullptr;
    if (curl_url_get(url_, part, &text, flags) != CURLUE_OK) return {};
    std::string result = text;
    curl_free(text);
    return result;
  }
  [[nodiscard]] bool set_host(const std::string& host) {
    return curl_url_set(url_, CURLUPART_HOST, host.c_str(), 0) == CURLUE_OK;
  }

 private:
  CURLU* url_;
  bool valid_ = false;
};

// URLs need brackets around IPv6 addresses.
std::string as_host(const std::string& name) {
  return name.find(':') == std::string::npos || name.starts_with('[') ? name : "[" + name + "]";
}

}  // namespace

CurlShare::CurlShare() : share_(curl_share_init()) {
  EBB_CHECK(share_ != nullptr);
  // No locks: all users are on one thread.
  curl_share_setopt(share_, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

CurlShare::~CurlShare() { curl_share_cleanup(share_); }

CurlTransfer::CurlTransfer(const CurlShare& share, const Settings& settings)
    : share_(share.get()), settings_(settings), curl_(curl_easy_init()) {
  EBB_CHECK(curl_ != nullptr);
}

CurlTransfer::~CurlTransfer() {
  curl_easy_cleanup(curl_);
  curl_slist_free_all(header_list_);
  curl_slist_free_all(connect_to_);
}

void CurlTransfer::configure(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener) {
  set_server(call);
  set_address(call);
  set_method(call);
  set_times(call, total_ns);
  set_options(call);
  curl_easy_setopt(curl_, CURLOPT_HEADERDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_PREREQDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_XFERINFODATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_OPENSOCKETDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_PRIVATE, &listener);
  error_[0] = '\0';
}

void CurlTransfer::configure_for_connect(const HttpCall& call, Nanoseconds total_ns,
                                         CurlListener& listener) {
  set_server(call);
  set_address(call);
  set_times(call, total_ns);
  set_options(call);
  curl_easy_setopt(curl_, CURLOPT_CONNECT_ONLY, 1L);
  // Nothing is sent yet.
  curl_easy_setopt(curl_, CURLOPT_PREREQFUNCTION, nullptr);
  curl_easy_setopt(curl_, CURLOPT_OPENSOCKETDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_PRIVATE, &listener);
  error_[0] = '\0';
}

std::string CurlTransfer::error(CURLcode code) const {
  return error_[0] != '\0' ? error_ : curl_easy_strerror(code);
}

void CurlTransfer::set_constants() {
  curl_easy_setopt(curl_, CURLOPT_SHARE, share_);
  curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl_, CURLOPT_ERRORBUFFER, error_);
  curl_easy_setopt(curl_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl_, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl_, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  curl_easy_setopt(curl_, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // With HTTP/2, wait for the first connection rather than open hundreds of needless ones.
  curl_easy_setopt(curl_, CURLOPT_PIPEWAIT, settings_.http2 ? 1L : 0L);
  curl_easy_setopt(curl_, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(curl_, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(curl_, CURLOPT_TCP_KEEPIDLE, kKeepaliveIdleSeconds);
  curl_easy_setopt(curl_, CURLOPT_TCP_KEEPINTVL, kKeepaliveIntervalSeconds);
  curl_easy_setopt(curl_, CURLOPT_SOCKOPTFUNCTION, &on_new_socket);
  curl_easy_setopt(curl_, CURLOPT_MAXAGE_CONN, settings_.idle_seconds);
  curl_easy_setopt(curl_, CURLOPT_PATH_AS_IS, 1L);
  if (settings_.small_buffers) {
    curl_easy_setopt(curl_, CURLOPT_BUFFERSIZE, kSmallBufferBytes);
    curl_easy_setopt(curl_, CURLOPT_UPLOAD_BUFFERSIZE, kSmallUploadBytes);
  }
  if (settings_.own_sockets) curl_easy_setopt(curl_, CURLOPT_OPENSOCKETFUNCTION, &on_open_socket);
  curl_easy_setopt(curl_, CURLOPT_XFERINFOFUNCTION, &on_progress);
  curl_easy_setopt(curl_, CURLOPT_HEADERFUNCTION, &on_head);
  curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, &on_body);
  curl_easy_setopt(curl_, CURLOPT_PREREQFUNCTION, &on_about_to_send);
}

void CurlTransfer::set_server(const HttpCall& call) {
  if (configured_ && tls_ == call.tls && proxy_ == call.proxy) return;
  curl_easy_reset(curl_);
  headers_.clear();
  host_.clear();
  curl_slist_free_all(header_list_);
  header_list_ = nullptr;
  set_constants();
  tls_ = call.tls;
  proxy_ = call.proxy;
  configured_ = true;
  curl_easy_setopt(curl_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl_, CURLOPT_SSL_CIPHER_LIST, kCiphers);
  curl_easy_setopt(curl_, CURLOPT_SSL_EC_CURVES, kGroups);
  // Curl 7.88 reads the length of the passphrase without a null check.
  curl_easy_setopt(curl_, CURLOPT_KEYPASSWD, "");
  if (tls_) set_tls(*tls_);
  // An empty string, not null: otherwise curl reads the environment, including NO_PROXY.
  curl_easy_setopt(curl_, CURLOPT_PROXY, proxy_.c_str());
  curl_easy_setopt(curl_, CURLOPT_NOPROXY, "");
}

// The strings are not copied; tls_ keeps them alive.
void CurlTransfer::set_tls(const HttpClientTls& tls) {
  curl_easy_setopt(curl_, CURLOPT_SSL_VERIFYPEER, tls.insecure ? 0L : 1L);
  curl_easy_setopt(curl_, CURLOPT_SSL_VERIFYHOST, tls.insecure ? 0L : 2L);
  if (!tls.ca_pem.empty()) {
    const curl_blob authority = blob_of(tls.ca_pem);
    curl_easy_setopt(curl_, CURLOPT_CAINFO_BLOB, &authority);
    // Otherwise the system's authorities would be trusted too: curl reads their folder in addition
    // to the given ones.
    curl_easy_setopt(curl_, CURLOPT_CAINFO, nullptr);
    curl_easy_setopt(curl_, CURLOPT_CAPATH, nullptr);
  }
  curl_easy_setopt(curl_, CURLOPT_SSL_CTX_FUNCTION, &on_tls_context);
  curl_easy_setopt(curl_, CURLOPT_SSL_CTX_DATA, &tls);
  // The folder has the same content as the file. Without the folder, curl parses the file once
  // instead of for every connection.
  if (tls.system_too) curl_easy_setopt(curl_, CURLOPT_CAPATH, nullptr);
  if (!tls.certificate_pem.empty()) {
    const curl_blob certificate = blob_of(tls.certificate_pem);
    const curl_blob key = blob_of(tls.key_pem);
    curl_easy_setopt(curl_, CURLOPT_SSLCERT_BLOB, &certificate);
    curl_easy_setopt(curl_, CURLOPT_SSLKEY_BLOB, &key);
  }
}

// Curl expects the URL's host in the certificate and sends it as SNI. So another server name is put
// into the URL, and the address to connect to is given separately.
void CurlTransfer::set_address(const HttpCall& call) {
  curl_slist_free_all(connect_to_);
  connect_to_ = nullptr;
  std::string url = call.url;
  std::string host;
  const bool named = tls_ && !tls_->server_name.empty();
  if (named || call.address) {
    ParsedUrl parsed(call.url);
    const std::string real_host = parsed.part(CURLUPART_HOST);
    const std::string real_port = parsed.part(CURLUPART_PORT);
    const std::string target =
        fmt::format("::{}:{}", call.address ? as_host(to_string(*call.address)) : real_host,
                    parsed.part(CURLUPART_PORT, CURLU_DEFAULT_PORT));
    // If it cannot be parsed, curl reports that when it tries.
    if (parsed.valid()) connect_to_ = curl_slist_append(nullptr, target.c_str());
    if (named && parsed.valid() && parsed.set_host(as_host(tls_->server_name))) {
      url = parsed.part(CURLUPART_URL);
      host = real_port.empty() ? real_host : real_host + ":" + real_port;
    }
  }
  curl_easy_setopt(curl_, CURLOPT_CONNECT_TO, connect_to_);
  curl_easy_setopt(curl_, CURLOPT_URL, url.c_str());
  set_headers(call, host);
}

void CurlTransfer::set_headers(const HttpCall& call, const std::string& host) {
  if (header_list_ != nullptr && headers_ == call.headers && host_ == host) return;
  curl_slist_free_all(header_list_);
  headers_ = call.headers;
  host_ = host;
  // Suppresses headers that curl adds by itself: the first costs a round trip, the second is not
  // true. A header from the caller comes later in the list and takes precedence.
  header_list_ = curl_slist_append(nullptr, "Expect:");
  bool typed = false;
  for (const auto& [name, value] : headers_) {
    typed |= curl_strequal(name.c_str(), "Content-Type") != 0;
    header_list_ = curl_slist_append(header_list_, header_line(name, value).c_str());
  }
  if (!typed) header_list_ = curl_slist_append(header_list_, "Content-Type:");
  if (!host_.empty()) {
    header_list_ = curl_slist_append(header_list_, header_line("Host", host_).c_str());
  }
  EBB_CHECK(header_list_ != nullptr);
  curl_easy_setopt(curl_, CURLOPT_HTTPHEADER, header_list_);
}

void CurlTransfer::set_method(const HttpCall& call) {
  const std::string& body = call.shared_body ? *call.shared_body : call.body;
  const bool takes_body = call.method == "POST" || call.method == "PUT" || call.method == "PATCH";
  curl_easy_setopt(curl_, CURLOPT_HTTPGET, 1L);
  if (call.method == "HEAD") {
    curl_easy_setopt(curl_, CURLOPT_NOBODY, 1L);
  } else if (takes_body || !body.empty()) {
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    // Not copied: the call outlives the transfer. This also makes the request a POST.
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body.c_str());
  }
  curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, call.method.c_str());
}

void CurlTransfer::set_times(const HttpCall& call, Nanoseconds total_ns) {
  curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, total_ns > 0 ? curl_milliseconds(total_ns) : 0L);
  // Without a limit, curl's default (five minutes) applies.
  curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT_MS,
                   call.connect_ns > 0 ? curl_milliseconds(call.connect_ns) : 0L);
}

void CurlTransfer::set_options(const HttpCall& call) {
  long version = CURL_HTTP_VERSION_1_1;
  // Otherwise a call without TLS could get a connection that speaks HTTP/2.
  if (settings_.http2 && call.url.starts_with("https:")) version = CURL_HTTP_VERSION_2TLS;
  if (call.only_http2) version = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
  curl_easy_setopt(curl_, CURLOPT_HTTP_VERSION, version);
  curl_easy_setopt(curl_, CURLOPT_ACCEPT_ENCODING, call.gzip ? "gzip" : nullptr);
  curl_easy_setopt(curl_, CURLOPT_NOPROGRESS, call.gzip ? 0L : 1L);
  curl_easy_setopt(curl_, CURLOPT_FRESH_CONNECT, call.alone ? 1L : 0L);
  curl_easy_setopt(curl_, CURLOPT_FORBID_REUSE, call.alone ? 1L : 0L);
  curl_easy_setopt(curl_, CURLOPT_SSL_SESSIONID_CACHE, call.alone ? 0L : 1L);
}

}  // namespace ebb::net
