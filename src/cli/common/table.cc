#include "cli/common/table.h"

#include <algorithm>

#include "model/json/printable.h"

namespace ebb::cli {
namespace {

constexpr std::size_t kGap = 3;

}  // namespace

void Table::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = model::printable(std::move(cell));
  rows_.push_back(std::move(row));
}

// A row of one cell spans all columns.
void Table::add_line(std::string word) { rows_.push_back({"--- " + std::move(word) + " ---"}); }

std::string Table::text() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 0);
  std::size_t total = 0;
  for (const auto& row : rows_) {
    if (row.size() != columns) continue;
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::size_t width : widths) total += width + kGap;

  std::string out;
  out.reserve(rows_.size() * total);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size()) out.append(widths[i] + kGap - row[i].size(), ' ');
    }
    out += '\n';
  }
  return out;
}

}  // namespace ebb::cli
