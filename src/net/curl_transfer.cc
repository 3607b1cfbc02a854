#include "net/curl_transfer.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/check.h"
#include "net/request_text.h"
#include "net/system_authorities.h"

namespace ebb::net {
namespace {

// A peer that vanished is found out after 15 + 3 * 5 seconds.
constexpr long kKeepaliveIdleSeconds = 15;
constexpr long kKeepaliveIntervalSeconds = 5;
constexpr int kKeepaliveProbes = 3;
// As small as curl takes them, or nearly so.
constexpr long kSmallBufferBytes = 8 * 1024;
constexpr long kSmallUploadBytes = 16 * 1024;

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
  // Only saves time; without it the system's number of probes holds.
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &kKeepaliveProbes, sizeof kKeepaliveProbes);
  return CURL_SOCKOPT_OK;
}

CURLcode on_tls_context(CURL* /*transfer*/, void* context, void* /*nothing*/) {
  add_system_authorities(static_cast<SSL_CTX*>(context));
  return CURLE_OK;
}

curl_blob blob_of(const std::string& text) {
  curl_blob blob{};
  blob.data = const_cast<char*>(text.data());
  blob.len = text.size();
  blob.flags = CURL_BLOB_NOCOPY;
  return blob;
}

// At least one, because to curl none means no limit.
long milliseconds(Nanoseconds time_ns) {
  return static_cast<long>(std::max<Nanoseconds>(time_ns / 1'000'000, 1));
}

std::string header_line(const std::string& name, const std::string& value) {
  // This is how curl wants to hear that a header is to be sent without a value; it would leave it
  // out otherwise. Blanks are none: to HTTP those around a value are no part of it.
  const bool blank = value.find_first_not_of(" \t\r\n") == std::string::npos;
  return blank ? one_line(name) + ";" : one_line(name + ": " + value);
}

// A URL taken apart by curl's own parser, so that both see the same host in it.
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

// IPv6 addresses stand in brackets in a URL.
std::string as_host(const std::string& name) {
  return name.find(':') == std::string::npos || name.starts_with('[') ? name : "[" + name + "]";
}

}  // namespace

CurlShare::CurlShare() : share_(curl_share_init()) {
  EBB_CHECK(share_ != nullptr);
  // No locks: everything that shares belongs to one thread.
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

void CurlTransfer::dress(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener) {
  set_server(call);
  set_address(call);
  set_method(call);
  set_times(call, total_ns);
  set_particulars(call);
  curl_easy_setopt(curl_, CURLOPT_HEADERDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_PREREQDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_XFERINFODATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_OPENSOCKETDATA, &listener);
  curl_easy_setopt(curl_, CURLOPT_PRIVATE, &listener);
  error_[0] = '\0';
}

void CurlTransfer::dress_for_connecting(const HttpCall& call, Nanoseconds total_ns,
                                        CurlListener& listener) {
  set_server(call);
  set_address(call);
  set_times(call, total_ns);
  set_particulars(call);
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
  // With HTTP/2, rather wait for the first connection than open hundreds that turn out needless.
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
  if (dressed_ && tls_ == call.tls && proxy_ == call.proxy) return;
  curl_easy_reset(curl_);
  headers_.clear();
  host_.clear();
  curl_slist_free_all(header_list_);
  header_list_ = nullptr;
  set_constants();
  tls_ = call.tls;
  proxy_ = call.proxy;
  dressed_ = true;
  curl_easy_setopt(curl_, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (tls_) set_tls(*tls_);
  // An empty text, not none: curl would look into the environment, and into NO_PROXY as well.
  curl_easy_setopt(curl_, CURLOPT_PROXY, proxy_.c_str());
  curl_easy_setopt(curl_, CURLOPT_NOPROXY, "");
}

// The texts are not copied; tls_ keeps them.
void CurlTransfer::set_tls(const HttpClientTls& tls) {
  curl_easy_setopt(curl_, CURLOPT_SSL_VERIFYPEER, tls.insecure ? 0L : 1L);
  curl_easy_setopt(curl_, CURLOPT_SSL_VERIFYHOST, tls.insecure ? 0L : 2L);
  if (!tls.ca_pem.empty()) {
    const curl_blob authority = blob_of(tls.ca_pem);
    curl_easy_setopt(curl_, CURLOPT_CAINFO_BLOB, &authority);
    // Otherwise the system's authorities would be believed too: the folder of them is read
    // beside whatever else is given.
    curl_easy_setopt(curl_, CURLOPT_CAINFO, nullptr);
    curl_easy_setopt(curl_, CURLOPT_CAPATH, nullptr);
    if (tls.system_too) curl_easy_setopt(curl_, CURLOPT_SSL_CTX_FUNCTION, &on_tls_context);
  }
  // The folder has what the file has. Without it curl parses the file once and not for every
  // connection.
  if (tls.system_too) curl_easy_setopt(curl_, CURLOPT_CAPATH, nullptr);
  if (!tls.certificate_pem.empty()) {
    const curl_blob certificate = blob_of(tls.certificate_pem);
    const curl_blob key = blob_of(tls.key_pem);
    curl_easy_setopt(curl_, CURLOPT_SSLCERT_BLOB, &certificate);
    curl_easy_setopt(curl_, CURLOPT_SSLKEY_BLOB, &key);
  }
}

// Curl expects in a certificate, and asks for by SNI, the host of the URL. Another name is
// therefore put into the URL, and the address that is connected to is given beside it.
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
    // If it cannot be parsed, curl will say so when it tries.
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
  // Curl would add these by itself: the first costs a round trip, the second is not true. One
  // that the caller gives comes later in the list and counts.
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
    // Not copied: the call stays. It also makes a POST of the request.
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body.c_str());
  }
  curl_easy_setopt(curl_, CURLOPT_CUSTOMREQUEST, call.method.c_str());
}

void CurlTransfer::set_times(const HttpCall& call, Nanoseconds total_ns) {
  curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, total_ns > 0 ? milliseconds(total_ns) : 0L);
  // Without a limit of ours curl's own holds (five minutes).
  curl_easy_setopt(curl_, CURLOPT_CONNECTTIMEOUT_MS,
                   call.connect_ns > 0 ? milliseconds(call.connect_ns) : 0L);
}

void CurlTransfer::set_particulars(const HttpCall& call) {
  long version = CURL_HTTP_VERSION_1_1;
  // Otherwise a call without TLS could get a connection on which HTTP/2 is spoken.
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
