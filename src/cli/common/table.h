// A text table, aligned as kubectl aligns columns.
#pragma once

#include <string>
#include <vector>

namespace ebb::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> header) { add(std::move(header)); }

  void add(std::vector<std::string> row);
  // Adds a separator line that contains a word.
  void add_line(std::string word);

  // Cells are printable, so that no object's name can send control characters to the terminal.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ebb::cli
