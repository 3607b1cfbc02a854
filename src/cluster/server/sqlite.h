// A thin layer over SQLite: handles that close themselves, and errors as values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "base/result.h"

namespace ebb::cluster {

class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* raw) : raw_(raw) {}

  // Texts are not copied: they must stay alive until the statement has run.
  void bind(int index, std::string_view text);
  void bind(int index, std::int64_t number);

  // Returns whether there is another row.
  [[nodiscard]] Result<bool> step();
  void reset();

  [[nodiscard]] std::int64_t number(int column);
  // Valid until the next step.
  [[nodiscard]] std::string_view text(int column);

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* raw) const { sqlite3_finalize(raw); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> raw_;
};

class Database {
 public:
  [[nodiscard]] static Result<Database> open(const std::string& file);

  [[nodiscard]] Result<void> run(const std::string& sql);
  // The first column of the first row; an error if there is none.
  [[nodiscard]] Result<std::int64_t> number(const std::string& sql);
  [[nodiscard]] Result<std::string> text(const std::string& sql);
  [[nodiscard]] Result<Statement> prepare(const std::string& sql);
  [[nodiscard]] bool in_transaction() const;

 private:
  struct Close {
    void operator()(sqlite3* raw) const { sqlite3_close_v2(raw); }
  };
  explicit Database(sqlite3* raw) : raw_(raw) {}

  std::unique_ptr<sqlite3, Close> raw_;
};

}  // namespace ebb::cluster
