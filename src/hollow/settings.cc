#include "hollow/settings.h"

#include <charconv>
#include <optional>
#include <set>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "hollow/resources.h"
#include "model/yaml/yaml_to_json.h"
#include "schema/core/json.h"
#include "schema/core/name_rules.h"

namespace ebb::hollow {
namespace {

constexpr std::string_view kRegion = "region-1";
constexpr std::size_t kMaxNodes = 5000;

struct Grid {
  std::size_t zones = 0;
  std::size_t nodes = 0;
};

std::optional<std::size_t> count_in(std::string_view text) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// a, b, ... z, aa, ab, ...
std::string letters(std::size_t index) {
  std::string text;
  for (++index; index > 0; index = (index - 1) / 26) {
    text.insert(text.begin(), static_cast<char>('a' + (index - 1) % 26));
  }
  return text;
}

tl::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::kInvalidInput, std::move(message));
}

// Reads one entry of a node file and keeps the first error.
class NodeReader {
 public:
  NodeReader(const boost::json::object& node, std::size_t position) : node_(node) {
    spec_.name = text(node, "name");
    where_ = spec_.name.empty() ? fmt::format("node {}", position + 1)
                                : fmt::format("node \"{}\"", spec_.name);
    if (spec_.name.empty()) complain("has no name");
    complain_of("name", schema::dns_subdomain_errors(spec_.name));
  }

  Result<NodeSpec> read() {
    check_fields(node_, {"name", "zone", "region", "labels", "taints", "capacity"}, "");
    spec_.zone = text(node_, "zone");
    spec_.region = text(node_, "region");
    if (spec_.region.empty() && !spec_.zone.empty()) spec_.region = kRegion;
    complain_of("zone", schema::label_value_errors(spec_.zone));
    complain_of("region", schema::label_value_errors(spec_.region));
    spec_.labels = texts("labels");
    for (const auto& label : spec_.labels) {
      complain_of("labels." + label.first, schema::qualified_name_errors(label.first));
      complain_of("labels." + label.first, schema::label_value_errors(label.second));
    }
    spec_.capacity = texts("capacity");
    for (const auto& entry : spec_.capacity) {
      if (!parse_amount(entry.first, entry.second).has_value()) {
        complain(fmt::format(
            "capacity.{}: \"{}\" is not a quantity (expected for example 4, 500m or 16Gi)",
            entry.first, entry.second));
      }
    }
    read_node_taints();
    if (!error_.empty()) return wrong(error_);
    return spec_;
  }

 private:
  void complain(std::string_view what) {
    if (error_.empty()) error_ = fmt::format("{}: {}", where_, what);
  }

  void complain_of(std::string_view field, const schema::ErrorMessages& complaints) {
    if (!complaints.empty()) complain(fmt::format("{}: {}", field, complaints.front()));
  }

  void check_fields(const boost::json::object& object, const std::set<std::string_view>& known,
                    std::string_view inside) {
    for (const auto& field : object) {
      if (known.contains(field.key())) continue;
      std::string all;
      for (const std::string_view each : known)
        all += fmt::format("{}{}", all.empty() ? "" : ", ", each);
      complain(fmt::format("unknown field {}{} (expected {})", inside,
                           std::string_view(field.key()), all));
    }
  }

  // Accepts numbers for quantities and label values.
  std::optional<std::string> plain(const boost::json::value& value) {
    if (value.is_string()) return std::string(value.get_string());
    if (value.is_int64()) return fmt::format("{}", value.get_int64());
    if (value.is_double()) return fmt::format("{}", value.get_double());
    return std::nullopt;
  }

  std::string text(const boost::json::object& object, std::string_view field) {
    const boost::json::value* value = object.if_contains(field);
    if (value == nullptr) return {};
    const std::optional<std::string> found = plain(*value);
    if (!found.has_value()) complain(fmt::format("{} must be a string", field));
    return found.value_or("");
  }

  std::map<std::string, std::string> texts(std::string_view field) {
    std::map<std::string, std::string> result;
    const boost::json::value* value = node_.if_contains(field);
    if (value == nullptr) return result;
    if (!value->is_object()) {
      complain(fmt::format("{} must be an object", field));
      return result;
    }
    for (const auto& entry : value->get_object()) {
      const std::optional<std::string> found = plain(entry.value());
      if (!found.has_value()) {
        complain(fmt::format("{}.{} must be a string", field, std::string_view(entry.key())));
      }
      result.emplace(entry.key(), found.value_or(""));
    }
    return result;
  }

  void read_node_taints() {
    const boost::json::value* value = node_.if_contains("taints");
    if (value == nullptr) return;
    if (!value->is_array()) return complain("taints must be a list");
    for (const boost::json::value& entry : value->get_array()) {
      const boost::json::object* taint = entry.if_object();
      if (taint == nullptr) return complain("a taint must be an object with key, value and effect");
      check_fields(*taint, {"key", "value", "effect"}, "taints.");
      const std::string effect = text(*taint, "effect");
      if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
        complain(fmt::format(
            "taint effect \"{}\": must be NoSchedule, PreferNoSchedule or NoExecute", effect));
      }
      if (text(*taint, "key").empty()) complain("a taint needs a key");
      spec_.taints.push_back(
          {.key = text(*taint, "key"), .value = text(*taint, "value"), .effect = effect});
    }
  }

  const boost::json::object& node_;
  NodeSpec spec_;
  std::string where_;
  std::string error_;
};

// Parses the documents of a JSON or YAML text.
Result<std::vector<boost::json::value>> parse_documents(std::string_view text) {
  boost::json::error_code error;
  boost::json::value whole = boost::json::parse(text, error);
  if (!error) return std::vector<boost::json::value>{std::move(whole)};
  auto documents = model::yaml_to_json(text);
  if (!documents.has_value()) return propagate(documents);
  std::vector<boost::json::value> values;
  for (const model::YamlDocument& document : *documents) {
    values.push_back(boost::json::parse(document.json, error));
    if (error) return wrong(fmt::format("nested too deeply: {}", error.message()));
  }
  return values;
}

}  // namespace

bool is_node_grid(std::string_view text) {
  const std::size_t cross = text.find('x');
  return cross != std::string_view::npos && is_digits(text.substr(0, cross)) &&
         is_digits(text.substr(cross + 1));
}

Result<std::vector<NodeSpec>> parse_node_grid(std::string_view text) {
  const std::size_t cross = text.find('x');
  const Grid grid{.zones = count_in(text.substr(0, cross)).value_or(0),
                  .nodes = count_in(text.substr(std::min(cross, text.size() - 1) + 1)).value_or(0)};
  if (!is_node_grid(text) || grid.zones == 0 || grid.nodes == 0 || grid.zones > kMaxNodes ||
      grid.nodes > kMaxNodes / grid.zones) {
    return wrong(fmt::format(
        "\"{}\" is not a number of nodes: write ZONESxNODES such as 3x2 for three zones "
        "of two nodes "
        "each, up to {} nodes",
        text, kMaxNodes));
  }
  std::vector<NodeSpec> nodes;
  for (std::size_t zone = 0; zone < grid.zones; ++zone) {
    for (std::size_t node = 1; node <= grid.nodes; ++node) {
      nodes.push_back({.name = fmt::format("node-{}{}", letters(zone), node),
                       .zone = fmt::format("zone-{}", letters(zone)),
                       .region = std::string(kRegion)});
    }
  }
  return nodes;
}

Result<std::vector<NodeSpec>> parse_node_file(std::string_view text) {
  auto documents = parse_documents(text);
  if (!documents.has_value()) return propagate(documents);
  std::vector<NodeSpec> nodes;
  std::set<std::string> names;
  for (const boost::json::value& document : *documents) {
    const boost::json::array* list = document.if_array();
    if (document.is_object()) list = schema::array_at(document.get_object(), {"nodes"});
    if (list == nullptr) return wrong("expected a list of nodes, or an object with a list `nodes`");
    for (const boost::json::value& entry : *list) {
      if (!entry.is_object()) {
        return wrong(fmt::format("node {}: must be an object with a name", nodes.size() + 1));
      }
      auto node = NodeReader(entry.get_object(), nodes.size()).read();
      if (!node.has_value()) return propagate(node);
      if (!names.insert(node->name).second) {
        return wrong(fmt::format("node \"{}\" is defined twice", node->name));
      }
      nodes.push_back(std::move(*node));
    }
  }
  if (nodes.empty()) return wrong("expected at least one node");
  if (nodes.size() > kMaxNodes) return wrong(fmt::format("more than {} nodes", kMaxNodes));
  return nodes;
}

std::vector<NodeSpec> default_nodes() { return *parse_node_grid("3x2"); }

}  // namespace ebb::hollow
