#include "apiserver/validation/field_order.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace ebb::apiserver {
namespace {

using Rank = std::vector<std::size_t>;

// Takes the next step off a path: a field's name, or the text in brackets.
std::string_view take_step(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  std::size_t end = path.find_first_of(".[", 1);
  if (path.starts_with('[')) {
    end = path.find(']');
    if (end != std::string_view::npos) ++end;
  }
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(step.size());
  return step;
}

std::size_t index_in(std::string_view brackets) {
  std::size_t index = 0;
  std::from_chars(brackets.data() + 1, brackets.data() + brackets.size(), index);
  return index;
}

// The positions of a path's fields and entries, as far as the table knows them.
Rank rank_of(const schema::ObjectSchema* schema, std::string_view path) {
  Rank rank;
  while (!path.empty()) {
    const std::string_view step = take_step(path);
    if (step.starts_with('[')) {
      rank.push_back(index_in(step));
      continue;
    }
    if (schema == nullptr) break;
    std::size_t position = 0;
    const schema::Field* found = nullptr;
    schema::for_each_field(*schema, [&](const schema::Field& field) {
      if (found == nullptr) ++position;
      if (field.name == step) found = &field;
    });
    if (found == nullptr) break;
    rank.push_back(position);
    schema = found->schema;
  }
  return rank;
}

}  // namespace

std::vector<model::StatusCause> in_field_order(const schema::ObjectSchema& schema,
                                               std::vector<model::StatusCause> causes) {
  if (causes.size() < 2) return causes;
  std::vector<std::pair<Rank, model::StatusCause>> ranked;
  ranked.reserve(causes.size());
  for (model::StatusCause& cause : causes) {
    Rank rank = rank_of(&schema, cause.field);
    ranked.emplace_back(std::move(rank), std::move(cause));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  causes.clear();
  for (auto& one : ranked) causes.push_back(std::move(one.second));
  return causes;
}

}  // namespace ebb::apiserver
