// Validates Secrets and ConfigMaps: keys, sizes, and immutable fields.
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;
using schema::text_at;

namespace {

constexpr std::size_t kMaxBytes = 1024UL * 1024;

std::size_t text_size(const json::value& value) {
  return value.is_string() ? value.get_string().size() : 0;
}

// The number of bytes that padded base64 encodes.
std::size_t decoded_size(const json::value& value) {
  if (!value.is_string()) return 0;
  const std::string_view text = value.get_string();
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  return text.size() / 4 * 3 - padding;
}

// Checks the keys and returns the size of the values.
std::size_t check_keys(const json::object& object, std::string_view field,
                       std::size_t (*size_of)(const json::value&), FieldErrors& errors) {
  const json::object* data = object_at(object, {field});
  if (data == nullptr) return 0;
  const FieldPath path{.name = field};
  std::size_t bytes = 0;
  for (const auto& entry : *data) {
    const std::string_view key = entry.key();
    bytes += size_of(entry.value());
    for (const std::string& complaint : schema::config_key_errors(key)) {
      errors.invalid(keyed(path, key), quoted(key), complaint);
    }
  }
  return bytes;
}

void check_frozen(const Write& write, std::initializer_list<std::string_view> fields,
                  FieldErrors& errors) {
  if (write.old == nullptr || !schema::is_true_at(*write.old, {"immutable"})) return;
  constexpr std::string_view kFrozen = "field is immutable when `immutable` is set";
  if (!schema::is_true_at(write.object, {"immutable"})) errors.forbidden("immutable", kFrozen);
  for (const std::string_view field : fields) {
    const json::value* now = write.object.if_contains(field);
    const json::value* before = write.old->if_contains(field);
    const bool same = now && before ? *now == *before : now == before;
    if (!same) errors.forbidden(std::string(field), kFrozen);
  }
}

void require_key(const json::object& object, std::string_view key, FieldErrors& errors) {
  if (schema::lookup(object, {"data", key}) != nullptr) return;
  errors.required(keyed(FieldPath{.name = "data"}, key));
}

void check_type(const json::object& secret, FieldErrors& errors) {
  const std::string_view type = text_at(secret, {"type"});
  if (type == "kubernetes.io/tls") {
    require_key(secret, "tls.crt", errors);
    require_key(secret, "tls.key", errors);
  } else if (type == "kubernetes.io/ssh-auth") {
    require_key(secret, "ssh-privatekey", errors);
  } else if (type == "kubernetes.io/dockerconfigjson") {
    require_key(secret, ".dockerconfigjson", errors);
  } else if (type == "kubernetes.io/dockercfg") {
    require_key(secret, ".dockercfg", errors);
  } else if (type == "kubernetes.io/basic-auth") {
    const json::object* data = object_at(secret, {"data"});
    if (data != nullptr && (data->contains("username") || data->contains("password"))) return;
    require_key(secret, "username", errors);
    require_key(secret, "password", errors);
  } else if (type == "kubernetes.io/service-account-token") {
    constexpr std::string_view kAccount = "kubernetes.io/service-account.name";
    if (text_at(secret, {"metadata", "annotations", kAccount}).empty()) {
      errors.required(fmt::format("metadata.annotations[{}]", kAccount));
    }
  }
}

}  // namespace

void check_secret(const Write& write, FieldErrors& errors) {
  if (check_keys(write.object, "data", decoded_size, errors) > kMaxBytes) {
    errors.too_long("data", kMaxBytes);
  }
  check_type(write.object, errors);
  if (write.old == nullptr) return;
  const std::string_view type = text_at(write.object, {"type"});
  if (type != text_at(*write.old, {"type"})) errors.immutable("type", quoted(type));
  check_frozen(write, {"data"}, errors);
}

void check_config_map(const Write& write, FieldErrors& errors) {
  const std::size_t bytes = check_keys(write.object, "data", text_size, errors) +
                            check_keys(write.object, "binaryData", decoded_size, errors);
  if (bytes > kMaxBytes) errors.too_long("", kMaxBytes);
  const json::object* data = object_at(write.object, {"data"});
  const json::object* binary = object_at(write.object, {"binaryData"});
  if (data != nullptr && binary != nullptr) {
    for (const auto& entry : *data) {
      if (!binary->contains(entry.key())) continue;
      errors.invalid(keyed(FieldPath{.name = "data"}, entry.key()), quoted(entry.key()),
                     "duplicate of key present in binaryData");
    }
  }
  check_frozen(write, {"data", "binaryData"}, errors);
}

}  // namespace ebb::apiserver
