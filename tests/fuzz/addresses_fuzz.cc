// Fuzzes hosts, addresses and CIDR blocks as text, and addresses as bytes. An address has one
// notation, no other parser reads a host as a different address, and no disguised address passes
// the egress policy.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <curl/curl.h>

#include "base/check.h"
#include "net/address/egress_policy.h"
#include "pickerclient/common.h"
#include "pickerclient/host_name.h"
#include "runtime/pages/own_addresses.h"

namespace {

using ebb::net::IpAddress;

// Four numbers below 256 without zeros in front.
bool is_dotted(std::string_view text) {
  for (int part = 0; part < 4; ++part) {
    std::size_t digits = 0;
    int value = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && value < 256) {
      value = value * 10 + (text[digits++] - '0');
    }
    if (digits == 0 || value > 255 || (digits > 1 && text.front() == '0')) return false;
    text.remove_prefix(digits);
    if (part == 3) return text.empty();
    if (!text.starts_with('.')) return false;
    text.remove_prefix(1);
  }
  return false;
}

void check_address(std::string_view text) {
  const auto address = ebb::net::parse_ip(text);
  const std::string copy(text);
  in6_addr v6{};
  const bool is_v6 =
      copy.find('\0') == std::string::npos && inet_pton(AF_INET6, copy.c_str(), &v6) == 1;
  EBB_CHECK(address.has_value() == (is_dotted(text) || is_v6));
  if (!address) return;
  EBB_CHECK(address->v4 == is_dotted(text));
  EBB_CHECK(ebb::net::parse_ip(to_string(*address)).value() == *address);
  EBB_CHECK(!ebb::picker_client::is_host_name(text));
}

void check_block(std::string_view text) {
  const auto block = ebb::net::parse_cidr(text);
  if (!block) return;
  EBB_CHECK(block->contains(block->address));
  const std::string printed = to_string(block->address) + "/" + std::to_string(block->bits);
  const auto again = ebb::net::parse_cidr(printed);
  EBB_CHECK(again.has_value() && again->address == block->address && again->bits == block->bits);
}

// The address that the C library or curl would read.
void check_host(const std::string& host, const std::string& path) {
  if (!ebb::picker_client::is_host_name(host) && !ebb::net::parse_ip(host)) return;
  in_addr v4{};
  EBB_CHECK(!ebb::picker_client::is_host_name(host) || inet_aton(host.c_str(), &v4) == 0);
  ebb::picker::Settings settings;
  settings.host = host;
  settings.path = path;
  settings.port = 8123;
  ebb::picker::Call call;
  call.settings = std::make_shared<ebb::picker::Settings>(settings);
  if (!ebb::picker_client::is_sendable(call)) return;
  const ebb::net::HttpCall post = ebb::picker_client::make_post(call, path);
  CURLU* url = curl_url();
  if (curl_url_set(url, CURLUPART_URL, post.url.c_str(), CURLU_PATH_AS_IS) == CURLUE_OK) {
    char* text = nullptr;
    EBB_CHECK(curl_url_get(url, CURLUPART_HOST, &text, 0) == CURLUE_OK);
    // In brackets if it is IPv6, which curl may write in its own way.
    EBB_CHECK(host.find(':') != std::string::npos ? text[0] == '[' : host == text);
    curl_free(text);
    EBB_CHECK(curl_url_get(url, CURLUPART_PORT, &text, 0) == CURLUE_OK);
    EBB_CHECK(std::string_view(text) == "8123");
    curl_free(text);
    EBB_CHECK(curl_url_get(url, CURLUPART_USER, &text, 0) == CURLUE_NO_USER);
  }
  curl_url_cleanup(url);
}

// The port that pickers must not have, as curl reads it from the address of the API server.
void check_server_port(const std::string& text) {
  const std::string server = "https://" + text;
  CURLU* url = curl_url();
  const bool plain =
      text.find_first_of("/@%[]\\ ") == std::string::npos && text.find('\0') == std::string::npos;
  if (plain && curl_url_set(url, CURLUPART_URL, server.c_str(), 0) == CURLUE_OK) {
    char* port = nullptr;
    EBB_CHECK(curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK);
    EBB_CHECK(std::to_string(ebb::runtime::port_of_server(server)) == port);
    curl_free(port);
  } else {
    (void)ebb::runtime::port_of_server(server);
  }
  curl_url_cleanup(url);
}

// Whether there is an IPv4 address in it, in any of the ways that have a name.
bool hides_v4(const IpAddress& address) {
  const auto& bytes = address.bytes;
  const auto word = [&](std::size_t i) { return bytes[2 * i] << 8 | bytes[2 * i + 1]; };
  const auto zeros = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (word(i) != 0) return false;
    }
    return true;
  };
  const bool mapped = zeros(0, 5) && word(5) == 0xffff;
  const bool translated = zeros(0, 4) && word(4) == 0xffff && word(5) == 0;
  const bool compatible = zeros(0, 6);
  const bool nat64 = word(0) == 0x64 && word(1) == 0xff9b && (zeros(2, 6) || word(2) == 1);
  const bool tunnelled = word(0) == 0x2002 || (word(0) == 0x2001 && word(1) == 0);
  const bool isatap = (word(4) == 0 || word(4) == 0x200) && word(5) == 0x5efe;
  return mapped || translated || compatible || nat64 || tunnelled || isatap;
}

void check_policy(std::string_view raw) {
  IpAddress address;
  std::copy(raw.begin(), raw.begin() + 16, address.bytes.begin());
  ebb::net::EgressPolicy all;
  all.allow = {ebb::net::parse_cidr("0.0.0.0/0").value(), ebb::net::parse_cidr("::/0").value()};
  all.loopback = true;
  const bool is_loopback = address == ebb::net::parse_ip("::1").value();
  EBB_CHECK(is_loopback || !hides_v4(address) || !all.allows(address, 80));
  const ebb::net::EgressPolicy usual;
  EBB_CHECK(!usual.allows(address, 80) || all.allows(address, 80));
  all.deny = {ebb::net::Cidr{address, 128}};
  EBB_CHECK(!all.allows(address, 80));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_address(text);
  check_block(text);
  const std::size_t slash = text.find('/');
  const bool has_path = slash != std::string_view::npos;
  check_host(std::string(text.substr(0, slash)), std::string(has_path ? text.substr(slash) : "/"));
  check_server_port(std::string(text));
  if (size >= 16) check_policy(text);
  return 0;
}
