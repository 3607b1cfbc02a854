#include "control/deployment/template_identity.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "control/core/semantic_equality.h"
#include "schema/core/fast_equality.h"
#include "schema/core/json.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_pod.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

const json::object& object_or_empty(const json::object& object, std::string_view name) {
  static const json::object kEmpty;
  const json::value* value = object.if_contains(name);
  const json::object* found = value == nullptr ? nullptr : value->if_object();
  return found == nullptr ? kEmpty : *found;
}

bool same_labels(const json::object& a, const json::object& b) {
  const auto known_to = [](const json::object& from, const json::object& to) {
    return std::all_of(from.begin(), from.end(), [&](const auto& label) {
      if (label.key() == kTemplateHashLabel) return true;
      const json::value* other = to.if_contains(label.key());
      return other != nullptr && schema::fast_equal(label.value(), *other);
    });
  };
  return known_to(a, b) && known_to(b, a);
}

json::value canonical(const json::value& value);

// Fields ordered by name, without nulls and empty lists.
json::object canonical_object(const json::object& object) {
  std::vector<std::string_view> names;
  for (const auto& member : object) names.push_back(member.key());
  std::sort(names.begin(), names.end());
  json::object sorted;
  for (const std::string_view name : names) {
    const json::value& value = object.at(name);
    if (value.is_null() || (value.is_array() && value.get_array().empty())) continue;
    sorted.emplace(name, canonical(value));
  }
  return sorted;
}

json::value canonical(const json::value& value) {
  if (const json::object* object = value.if_object()) return canonical_object(*object);
  const json::array* array = value.if_array();
  if (array == nullptr) return value;
  json::array items;
  for (const json::value& item : *array) items.push_back(canonical(item));
  return items;
}

// 32-bit FNV-1a.
std::uint32_t hash_text(std::string_view text) {
  constexpr std::uint32_t kOffset = 2166136261U;
  constexpr std::uint32_t kPrime = 16777619U;
  std::uint32_t hash = kOffset;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

}  // namespace

bool same_template(const json::object& a, const json::object& b) {
  const json::object& left = object_or_empty(a, "metadata");
  const json::object& right = object_or_empty(b, "metadata");
  return same_labels(object_or_empty(left, "labels"), object_or_empty(right, "labels")) &&
         semantically_equal(schema::kObjectMeta, left, right, "labels") &&
         semantically_equal(schema::kPodTemplateSpec, a, b, "metadata");
}

std::uint64_t template_digest(const json::object& pod_template) {
  const json::object& metadata = object_or_empty(pod_template, "metadata");
  std::uint64_t labels = 0;
  for (const auto& label : object_or_empty(metadata, "labels")) {
    if (label.key() == kTemplateHashLabel) continue;
    std::size_t one = std::hash<std::string_view>()(label.key());
    if (label.value().is_string()) {
      boost::hash_combine(one, std::string_view(label.value().get_string()));
    }
    labels += one;  // in any order
  }
  std::size_t digest = labels;
  boost::hash_combine(digest, semantic_hash(schema::kObjectMeta, metadata, "labels"));
  boost::hash_combine(digest, semantic_hash(schema::kPodTemplateSpec, pod_template, "metadata"));
  return digest;
}

std::string template_hash(const json::object& pod_template,
                          std::optional<std::int64_t> collision_count) {
  json::object without_hash = pod_template;
  if (json::object* labels = schema::object_at(without_hash, {"metadata", "labels"})) {
    labels->erase(kTemplateHashLabel);
  }
  std::string text = json::serialize(canonical_object(without_hash));
  if (collision_count) text += '/' + std::to_string(*collision_count);
  // Letters and digits that form no words.
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  std::string hash = std::to_string(hash_text(text));
  for (char& c : hash) c = kAlphabet[static_cast<unsigned char>(c) % kAlphabet.size()];
  return hash;
}

std::string replica_set_name(std::string_view deployment, std::string_view hash) {
  constexpr std::size_t kLongest = 253;
  if (deployment.size() + 1 + hash.size() > kLongest && hash.size() + 1 < kLongest) {
    deployment = deployment.substr(0, kLongest - 1 - hash.size());
    // A name part does not begin with a dash.
    while (deployment.ends_with('.')) deployment.remove_suffix(1);
  }
  return std::string(deployment) + '-' + std::string(hash);
}

}  // namespace ebb::control
