// Fuzzes the Secret with the webhook's certificate authorities, and the registration that trusts
// them. Pairs that cannot sign are left out, and what is written is read again unchanged.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/base64.h"
#include "base/check.h"
#include "input.h"
#include "net/tls/certificate.h"
#include "runtime/webhook/authorities.h"

namespace {

namespace json = boost::json;
using ebb::runtime::Authorities;

bool are_same(const std::optional<ebb::net::KeyPair>& a,
              const std::optional<ebb::net::KeyPair>& b) {
  if (!a || !b) return !a && !b;
  return a->certificate_pem == b->certificate_pem && a->key_pem == b->key_pem;
}

void check_secret(const json::object& secret) {
  const Authorities read = ebb::runtime::read_authorities(secret);
  for (const auto& pair : {read.current, read.next}) {
    EBB_CHECK(!pair || ebb::net::check_authority(*pair));
  }
  json::object written = secret;
  ebb::runtime::write_authorities(read, written);
  const Authorities again = ebb::runtime::read_authorities(written);
  EBB_CHECK(are_same(again.current, read.current) && are_same(again.next, read.next));
  EBB_CHECK(again.previous_pem == read.previous_pem);
  EBB_CHECK(ebb::runtime::bundle_of(again) == ebb::runtime::bundle_of(read));
  for (const bool published : {false, true}) {
    const auto now = ebb::Timestamp::from_seconds(1'800'000'000);
    const auto step = ebb::runtime::next_step(read, published, now, {});
    EBB_CHECK(step != ebb::runtime::AuthorityStep::kKeep || read.current);
    EBB_CHECK(step != ebb::runtime::AuthorityStep::kPromote || read.next);
  }
}

json::object secret_with(std::string_view certificate, std::string_view key) {
  return {{"data",
           {{"ca.crt", ebb::encode_base64(certificate)},
            {"ca.key", ebb::encode_base64(key)},
            {"next-ca.crt", ebb::encode_base64(certificate)},
            {"next-ca.key", ebb::encode_base64(key)},
            {"previous-ca.crt", ebb::encode_base64(certificate)}}}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ebb::net::KeyPair kGood = ebb::net::make_authority("good").value();
  const std::string_view bytes = ebb::fuzz::as_text(data, size);
  check_secret(secret_with(bytes, bytes));
  check_secret(secret_with(kGood.certificate_pem, bytes));
  check_secret(secret_with(bytes, kGood.key_pem));
  const auto parsed = ebb::fuzz::parse_plainly(bytes);
  if (!parsed || !parsed->is_object()) return 0;
  check_secret(parsed->get_object());
  // No input can contain a certificate that was made for this run.
  const json::value* const webhooks = parsed->get_object().if_contains("webhooks");
  const bool has_webhooks =
      webhooks != nullptr && webhooks->is_array() && !webhooks->get_array().empty();
  EBB_CHECK(ebb::runtime::trusts(parsed->get_object(), kGood.certificate_pem) == !has_webhooks);
  return 0;
}
