// FieldsV1: the text of a set of fields. {"f:spec":{"f:replicas":{},"f:template":{".":{}}}}
#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/field_set.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using Step = FieldSet::Step;

constexpr std::string_view kItself = ".";
// Deeper than any object, and shallow enough for the stack.
constexpr int kDeepest = 200;

Error unreadable(std::string_view step) {
  return {ErrorCode::kInvalidInput,
          fmt::format("\"{}\" is no step of a path: f:NAME, k:{{KEYS}}, v:VALUE or i:INDEX", step)};
}

// Keys of an entry in the order of their names.
json::object in_order(const json::object& keys) {
  std::vector<const json::key_value_pair*> members;
  members.reserve(keys.size());
  for (const json::key_value_pair& member : keys) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return a->key() < b->key(); });
  json::object result;
  for (const json::key_value_pair* member : members) result.emplace(member->key(), member->value());
  return result;
}

// The usual spelling of a step.
Result<std::string> spelled(std::string_view step) {
  if (step.starts_with("f:")) return std::string(step);
  if (!step.starts_with("k:") && !step.starts_with("v:") && !step.starts_with("i:")) {
    return tl::unexpected(unreadable(step));
  }
  json::error_code error;
  json::value value = json::parse(step.substr(2), error);
  if (error) return tl::unexpected(unreadable(step));
  if (step.front() == 'k') {
    if (!value.is_object() || value.get_object().empty()) return tl::unexpected(unreadable(step));
    value = in_order(value.get_object());
  }
  if (step.front() == 'i' && !value.is_int64()) return tl::unexpected(unreadable(step));
  return std::string(step.substr(0, 2)) + json::serialize(value);
}

Result<FieldSet> parse_level(const json::object& fields, bool& has_itself, int depth) {
  if (depth > kDeepest) {
    return fail(ErrorCode::kInvalidInput, "fields are nested too deeply");
  }
  FieldSet set;
  for (const json::key_value_pair& member : fields) {
    if (member.key() == kItself) {
      has_itself = true;
      continue;
    }
    Result<std::string> text = spelled(member.key());
    if (!text) return tl::unexpected(text.error());
    Step& step = set.ensure(*text);
    if (const json::object* below = member.value().if_object();
        below != nullptr && !below->empty()) {
      bool is_member = false;
      Result<FieldSet> inside = parse_level(*below, is_member, depth + 1);
      if (!inside) return inside;
      step.is_member = step.is_member || is_member || inside->empty();
      step.below = united(step.below, *inside);
    } else {
      step.is_member = true;
    }
  }
  return set;
}

void add_key_text(const json::object& keys, std::string& out) {
  const char* separator = "";
  for (const json::key_value_pair& member : keys) {
    out += separator;
    out += member.key();
    out += '=';
    out += json::serialize(member.value());
    separator = ",";
  }
}

std::string step_text(std::string_view step) {
  if (step.front() == 'f') return "." + std::string(step.substr(2));
  json::error_code error;
  const json::value value = json::parse(step.substr(2), error);
  std::string text = "[";
  if (const json::object* keys = value.if_object(); step.front() == 'k' && keys != nullptr) {
    add_key_text(*keys, text);
  } else {
    if (step.front() == 'v') text += '=';
    text += step.substr(2);
  }
  return text + "]";
}

void add_paths(const FieldSet& set, const std::string& prefix, std::vector<std::string>& paths) {
  for (const Step& step : set.steps()) {
    if (step.is_member) paths.push_back(prefix + step_text(step.text));
  }
  for (const Step& step : set.steps()) {
    if (!step.below.empty()) add_paths(step.below, prefix + step_text(step.text), paths);
  }
}

}  // namespace

json::object to_fields_v1(const FieldSet& set) {
  json::object fields;
  fields.reserve(set.steps().size() + 1);
  for (const Step& step : set.steps()) {
    json::object below = to_fields_v1(step.below);
    if (step.is_member && !below.empty()) {
      // A set's own place stands before what is below it.
      json::object with_itself{{kItself, json::object()}};
      with_itself.reserve(below.size() + 1);
      for (json::key_value_pair& member : below) {
        with_itself.emplace(member.key(), std::move(member.value()));
      }
      below = std::move(with_itself);
    }
    fields.emplace(step.text, std::move(below));
  }
  return fields;
}

Result<FieldSet> parse_fields_v1(const json::object& fields) {
  bool has_itself = false;  // the object as a whole, which nobody can own
  return parse_level(fields, has_itself, 0);
}

std::vector<std::string> path_texts(const FieldSet& set) {
  std::vector<std::string> paths;
  add_paths(set, "", paths);
  return paths;
}

}  // namespace ebb::apiserver
