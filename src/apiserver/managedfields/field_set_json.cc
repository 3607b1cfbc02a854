// FieldsV1, the JSON text of a set of fields:
//   {"f:spec":{"f:replicas":{},"f:template":{".":{}}}}
#include <algorithm>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/decode/compact_json.h"
#include "apiserver/managedfields/field_set.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using Step = FieldSet::Step;

constexpr std::string_view kItself = ".";
// Deeper than any object, but safe for the stack.
constexpr int kDeepest = 200;

Error unreadable(std::string_view step) {
  return {ErrorCode::kInvalidInput,
          fmt::format("\"{}\" is not a path step (expected f:NAME, k:{{KEYS}}, v:VALUE or i:INDEX)",
                      step)};
}

// Sorts the keys of an entry by name.
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

// The canonical spelling of a step.
Result<std::string> spelled(const std::string& step) {
  if (step.starts_with("f:")) return step;
  if (!step.starts_with("k:") && !step.starts_with("v:") && !step.starts_with("i:")) {
    return tl::unexpected(unreadable(step));
  }
  json::error_code error;
  json::value value = json::parse(std::string_view(step).substr(2), error);
  if (error) return tl::unexpected(unreadable(step));
  if (step.front() == 'k') {
    if (!value.is_object() || value.get_object().empty()) return tl::unexpected(unreadable(step));
    value = in_order(value.get_object());
  }
  if (step.front() == 'i' && !value.is_int64()) return tl::unexpected(unreadable(step));
  return step.substr(0, 2) + json::serialize(value);
}

// Reads sets. Sets that ebb wrote are canonical already.
class Reader {
 public:
  explicit Reader(bool is_ours) : is_ours_(is_ours) {}

  Result<FieldSet> read(std::string_view fields, bool& has_itself, int depth) {
    if (depth > kDeepest) return fail(ErrorCode::kInvalidInput, "fields are nested too deeply");
    FieldSet set;
    std::optional<Error> wrong;
    const bool is_whole =
        for_each_member(fields, [&](std::string_view name, std::string_view below) {
          if (name == kItself) {
            has_itself = true;
            return true;
          }
          Result<void> added = add(name, below, set, depth);
          if (!added) wrong = std::move(added.error());
          return added.has_value();
        });
    if (wrong) return tl::unexpected(*std::move(wrong));
    if (!is_whole) return fail(ErrorCode::kInvalidInput, "fieldsV1 must be an object");
    if (is_ours_) return set;
    set.sort();
    return merge_same(std::move(set));
  }

 private:
  Result<void> add(std::string_view name, std::string_view below, FieldSet& set, int depth) {
    std::optional<std::string> text = unescaped(name);
    if (!text) return tl::unexpected(unreadable(name));
    if (!is_ours_) {
      EBB_ASSIGN_OR_RETURN(text, spelled(*text));
    }
    Step step{.text = *std::move(text), .is_member = false, .below = {}};
    if (below.starts_with('{')) {
      EBB_ASSIGN_OR_RETURN(step.below, read(below, step.is_member, depth + 1));
    }
    step.is_member = step.is_member || step.below.empty();
    set.steps().push_back(std::move(step));
    return {};
  }

  // Merges steps that were spelled in two ways.
  static FieldSet merge_same(FieldSet set) {
    const auto same = [](const Step& a, const Step& b) { return a.text == b.text; };
    if (std::adjacent_find(set.steps().begin(), set.steps().end(), same) == set.steps().end()) {
      return set;
    }
    FieldSet merged;
    for (Step& step : set.steps()) {
      Step& place = merged.ensure(step.text);
      place.is_member = place.is_member || step.is_member;
      place.below = united(place.below, step.below);
    }
    return merged;
  }

  bool is_ours_;
};

Result<FieldSet> read_set(std::string_view fields, bool is_ours) {
  bool has_itself = false;  // the object as a whole, which cannot be owned
  return Reader(is_ours).read(fields, has_itself, 0);
}

void write_set(const FieldSet& set, bool with_itself, std::string& out) {
  out += with_itself ? R"({".":{})" : "{";
  bool first = !with_itself;
  for (const Step& step : set.steps()) {
    if (!std::exchange(first, false)) out += ',';
    append_quoted(step.text, out);
    out += ':';
    write_set(step.below, step.is_member && !step.below.empty(), out);
  }
  out += '}';
}

bool has_itself(std::string_view fields) { return fields.starts_with(R"({".":{})"); }

// Writes the union of a text that ebb wrote and a set. Both are sorted, so one pass is enough.
class Union {
 public:
  explicit Union(std::string& out) : out_(out) {}

  void write(std::string_view fields, const FieldSet& more, bool is_member) {
    const bool itself = is_member || fields == "{}" || has_itself(fields);
    if (more.empty() && (fields == "{}" || itself == has_itself(fields))) {
      out_ += fields;
      return;
    }
    out_ += itself ? R"({".":{})" : "{";
    auto next = more.steps().begin();
    for_each_member(fields, [&](std::string_view name, std::string_view below) {
      if (name == kItself) return true;
      const std::string text = next == more.steps().end() ? "" : unescaped(name).value_or("");
      while (next != more.steps().end() && comes_before(next->text, text)) add(*next++);
      separate();
      out_ += '"';
      out_ += name;
      out_ += "\":";
      if (next != more.steps().end() && next->text == text) {
        write(below, next->below, next->is_member);
        ++next;
      } else {
        out_ += below;
      }
      return true;
    });
    while (next != more.steps().end()) add(*next++);
    out_ += '}';
  }

 private:
  void separate() {
    if (out_.back() != '{') out_ += ',';
  }

  void add(const Step& step) {
    separate();
    append_quoted(step.text, out_);
    out_ += ':';
    write_set(step.below, step.is_member && !step.below.empty(), out_);
  }

  std::string& out_;
};

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

std::string fields_v1(const FieldSet& set) {
  std::string text;
  write_set(set, false, text);
  return text;
}

Result<FieldSet> parse_fields_v1(std::string_view fields) { return read_set(fields, false); }

Result<FieldSet> parse_own_fields_v1(std::string_view fields) { return read_set(fields, true); }

std::string with_more_fields(std::string_view fields, const FieldSet& more) {
  if (fields == "{}") return fields_v1(more);
  if (more.empty()) return std::string(fields);
  std::string text;
  text.reserve(fields.size() + 64);
  Union(text).write(fields, more, false);
  return text;
}

std::vector<std::string> path_texts(const FieldSet& set) {
  std::vector<std::string> paths;
  add_paths(set, "", paths);
  return paths;
}

}  // namespace ebb::apiserver
