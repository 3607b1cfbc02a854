#include "cli/common/json_text.h"

#include <algorithm>
#include <cctype>

#include "model/json/printable.h"
#include "model/yaml/yaml_scalar.h"
#include "schema/core/plain_json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;

bool is_ascii_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

// A JSON string in which all control characters are escaped: JSON permits some of them, but YAML
// does not, and a terminal would interpret them.
std::string quote(std::string_view text) { return model::printable(model::json_quote(text)); }

std::string scalar_text(const json::value& value) {
  if (!value.is_string()) return schema::plain_json(value);
  return quote({value.get_string().data(), value.get_string().size()});
}

void write_json(const json::value& value, std::size_t indent, std::string& out) {
  const std::string inner(indent + 4, ' ');
  const std::string outer(indent, ' ');
  const char* separator = "\n";
  if (value.is_object() && !value.get_object().empty()) {
    out += '{';
    for (const auto& member : value.get_object()) {
      out += separator + inner + quote({member.key().data(), member.key().size()}) + ": ";
      write_json(member.value(), indent + 4, out);
      separator = ",\n";
    }
    out += '\n' + outer + '}';
  } else if (value.is_array() && !value.get_array().empty()) {
    out += '[';
    for (const json::value& item : value.get_array()) {
      out += separator + inner;
      write_json(item, indent + 4, out);
      separator = ",\n";
    }
    out += '\n' + outer + ']';
  } else {
    out += scalar_text(value);
  }
}

// Plain if a YAML reader would read the same string, otherwise quoted as in JSON, which YAML
// accepts.
std::string yaml_string(std::string_view text) {
  // Numbers, dates, times and .inf do not begin with a letter.
  const bool begins_as_word =
      !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0);
  const bool harmless = begins_as_word && is_ascii_text(text) && text.back() != ' ' &&
                        text.back() != ':' && text.find(": ") == std::string_view::npos &&
                        text.find(" #") == std::string_view::npos &&
                        !model::plain_scalar_as_json(text);
  return harmless ? std::string(text) : quote(text);
}

std::string yaml_scalar(const json::value& value) {
  if (value.is_string()) {
    const auto& text = value.get_string();
    return yaml_string({text.data(), text.size()});
  }
  return schema::plain_json(value);
}

bool is_block(const json::value& value) {
  return (value.is_object() && !value.get_object().empty()) ||
         (value.is_array() && !value.get_array().empty());
}

// `first` says that the first line is already indented; lists are at the level of their key, as
// kubectl prints them.
void write_yaml(const json::value& value, std::size_t indent, bool first_is_indented,
                std::string& out) {
  const std::string margin(indent, ' ');
  bool first = first_is_indented;
  const auto begin_line = [&] {
    if (!first) out += margin;
    first = false;
  };
  if (value.is_object()) {
    for (const auto& member : value.get_object()) {
      begin_line();
      out += yaml_string({member.key().data(), member.key().size()}) + ':';
      if (is_block(member.value())) {
        out += '\n';
        write_yaml(member.value(), indent + (member.value().is_object() ? 2 : 0), false, out);
      } else {
        out += ' ' + yaml_scalar(member.value()) + '\n';
      }
    }
  } else {
    for (const json::value& item : value.get_array()) {
      begin_line();
      out += "- ";
      if (is_block(item)) {
        write_yaml(item, indent + 2, true, out);
      } else {
        out += yaml_scalar(item) + '\n';
      }
    }
  }
}

}  // namespace

std::string to_json_text(const json::value& value) {
  std::string text;
  write_json(value, 0, text);
  return text + '\n';
}

std::string to_yaml_text(const json::value& value) {
  if (!is_block(value)) return yaml_scalar(value) + '\n';
  std::string text;
  write_yaml(value, 0, false, text);
  return text;
}

}  // namespace ebb::cli
