// Columns of text, aligned as kubectl aligns them.
#pragma once

#include <string>
#include <vector>

namespace ebb::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> header) { add(std::move(header)); }

  void add(std::vector<std::string> row);
  // A line across, with a word in it.
  void add_line(std::string word);

  // Cells are printable, so that no object's name can speak to the terminal.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ebb::cli
