#include "apiserver/response/negotiate.h"

#include <string>

#include "schema/core/envelope.h"

namespace ebb::apiserver {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Removes and returns the text up to the next separator.
std::string_view next_piece(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view piece = trimmed(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return piece;
}

struct Clause {
  std::string_view type;
  std::string_view as;
  std::string_view group;
  std::string_view version;
};

Clause parse_clause(std::string_view text) {
  Clause clause;
  clause.type = next_piece(text, ';');
  while (!text.empty()) {
    std::string_view parameter = next_piece(text, ';');
    const std::string_view name = next_piece(parameter, '=');
    if (name == "as") clause.as = parameter;
    if (name == "g") clause.group = parameter;
    if (name == "v") clause.version = parameter;
  }
  return clause;
}

std::optional<Representation> representation_of(const Clause& clause) {
  if (clause.as.empty()) return Representation::kObject;
  if (clause.group != "meta.k8s.io" || clause.version != "v1") return std::nullopt;
  if (clause.as == "Table") return Representation::kTable;
  if (clause.as == "PartialObjectMetadata" || clause.as == "PartialObjectMetadataList") {
    return Representation::kMetadata;
  }
  return std::nullopt;
}

bool has_protobuf(Representation representation, const schema::Kind& kind) {
  if (representation == Representation::kTable) return false;
  return representation == Representation::kMetadata || !kind.custom;
}

std::optional<Negotiated> given_by(const Clause& clause, const schema::Kind& kind) {
  const std::optional<Representation> representation = representation_of(clause);
  if (!representation) return std::nullopt;
  if (clause.type == schema::kProtobufMediaType) {
    if (!has_protobuf(*representation, kind)) return std::nullopt;
    return Negotiated{.representation = *representation, .encoding = Encoding::kProtobuf};
  }
  if (clause.type != "application/json" && clause.type != "application/*" && clause.type != "*/*") {
    return std::nullopt;
  }
  return Negotiated{.representation = *representation};
}

}  // namespace

bool prefers_json_as(std::string_view accept, std::string_view group, std::string_view version,
                     std::string_view as) {
  while (!accept.empty()) {
    const Clause clause = parse_clause(next_piece(accept, ','));
    if (clause.type != "application/json") continue;
    if (clause.as.empty()) return false;
    if (clause.as == as && clause.group == group && clause.version == version) return true;
  }
  return false;
}

std::string_view media_type(std::string_view header) { return next_piece(header, ';'); }

std::optional<Negotiated> negotiate(std::string_view accept, const schema::Kind& kind) {
  if (trimmed(accept).empty()) return Negotiated{};
  while (!accept.empty()) {
    if (const auto given = given_by(parse_clause(next_piece(accept, ',')), kind)) return given;
  }
  return std::nullopt;
}

}  // namespace ebb::apiserver
