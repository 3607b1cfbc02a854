#include "runtime/webhook/authorities.h"

#include <set>
#include <utility>

#include "base/base64.h"

namespace ebb::runtime {
namespace {

namespace json = boost::json;

constexpr std::string_view kCommonName = "ebb-webhook-ca";
constexpr std::string_view kCurrentCertificate = "ca.crt";
constexpr std::string_view kCurrentKey = "ca.key";
constexpr std::string_view kNextCertificate = "next-ca.crt";
constexpr std::string_view kNextKey = "next-ca.key";
constexpr std::string_view kPreviousCertificate = "previous-ca.crt";

std::string decoded(const json::object& data, std::string_view key) {
  const json::value* const value = data.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return decode_base64(value->get_string()).value_or(std::string());
}

std::optional<net::KeyPair> pair_in(const json::object& data, std::string_view certificate,
                                    std::string_view key) {
  net::KeyPair pair{decoded(data, certificate), decoded(data, key)};
  if (pair.certificate_pem.empty() || !net::check_authority(pair)) return std::nullopt;
  return pair;
}

Timestamp end_of(const net::KeyPair& pair) {
  const auto validity = net::validity_of(pair.certificate_pem);
  return validity ? validity->not_after : Timestamp::from_seconds(0);
}

Timestamp start_of(const net::KeyPair& pair) {
  const auto validity = net::validity_of(pair.certificate_pem);
  if (!validity) return Timestamp::from_seconds(0);
  return Timestamp::from_nanoseconds(validity->not_before.since_epoch_ns() +
                                     net::kBackdatedSeconds * kNanosecondsPerSecond);
}

Result<net::KeyPair> make(const CertificateTimes& times) {
  return net::make_authority(std::string(kCommonName),
                             times.authority_life_ns / kNanosecondsPerSecond);
}

}  // namespace

Authorities read_authorities(const json::object& secret) {
  const json::value* const data = secret.if_contains("data");
  if (data == nullptr || !data->is_object()) return {};
  const json::object& texts = data->get_object();
  return {.current = pair_in(texts, kCurrentCertificate, kCurrentKey),
          .next = pair_in(texts, kNextCertificate, kNextKey),
          .previous_pem = decoded(texts, kPreviousCertificate)};
}

void write_authorities(const Authorities& authorities, json::object& secret) {
  json::value& data = secret["data"];
  if (!data.is_object()) data = json::object();
  json::object& texts = data.get_object();
  const auto put = [&](std::string_view key, const std::string& text) {
    if (text.empty()) {
      texts.erase(key);
    } else {
      texts[key] = encode_base64(text);
    }
  };
  const net::KeyPair current = authorities.current.value_or(net::KeyPair{});
  const net::KeyPair next = authorities.next.value_or(net::KeyPair{});
  put(kCurrentCertificate, current.certificate_pem);
  put(kCurrentKey, current.key_pem);
  put(kNextCertificate, next.certificate_pem);
  put(kNextKey, next.key_pem);
  put(kPreviousCertificate, authorities.previous_pem);
}

std::string bundle_of(const Authorities& authorities) {
  std::set<std::string_view> certificates;
  if (authorities.current) certificates.insert(authorities.current->certificate_pem);
  if (authorities.next) certificates.insert(authorities.next->certificate_pem);
  if (!authorities.previous_pem.empty()) certificates.insert(authorities.previous_pem);
  std::string bundle;
  for (const std::string_view certificate : certificates) {
    bundle += certificate;
    if (!bundle.ends_with('\n')) bundle += '\n';
  }
  return bundle;
}

AuthorityStep next_step(const Authorities& authorities, bool next_is_published, Timestamp wall,
                        const CertificateTimes& times) {
  const bool has_next = authorities.next && end_of(*authorities.next) > wall;
  if (!authorities.current || end_of(*authorities.current) <= wall) {
    return has_next ? AuthorityStep::kPromote : AuthorityStep::kCreate;
  }
  if (!has_next) {
    const Nanoseconds left = elapsed_ns(wall, end_of(*authorities.current));
    return left < times.authority_renewal_ns ? AuthorityStep::kAddNext : AuthorityStep::kKeep;
  }
  const Nanoseconds age = elapsed_ns(start_of(*authorities.next), wall);
  return next_is_published && age >= times.publication_ns ? AuthorityStep::kPromote
                                                          : AuthorityStep::kKeep;
}

Result<Authorities> after_step(AuthorityStep step, Authorities authorities,
                               const CertificateTimes& times) {
  switch (step) {
    case AuthorityStep::kKeep:
      break;
    case AuthorityStep::kCreate: {
      EBB_ASSIGN_OR_RETURN(authorities.current, make(times));
      authorities.next.reset();
      break;
    }
    case AuthorityStep::kAddNext: {
      EBB_ASSIGN_OR_RETURN(authorities.next, make(times));
      break;
    }
    case AuthorityStep::kPromote:
      if (authorities.current) authorities.previous_pem = authorities.current->certificate_pem;
      authorities.current = std::exchange(authorities.next, std::nullopt);
      break;
  }
  return authorities;
}

bool trusts(const json::object& configuration, std::string_view certificate_pem) {
  const json::value* const webhooks = configuration.if_contains("webhooks");
  if (webhooks == nullptr || !webhooks->is_array()) return true;
  for (const json::value& webhook : webhooks->get_array()) {
    const json::value* const client =
        webhook.is_object() ? webhook.get_object().if_contains("clientConfig") : nullptr;
    if (client == nullptr || !client->is_object()) return false;
    const std::string bundle = decoded(client->get_object(), "caBundle");
    if (bundle.find(certificate_pem) == std::string::npos) return false;
  }
  return true;
}

}  // namespace ebb::runtime
