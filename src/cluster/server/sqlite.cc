#include "cluster/server/sqlite.h"

#include <utility>

namespace ebb::cluster {
namespace {

tl::unexpected<Error> failure(sqlite3* database, int code) {
  const char* const text = database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database);
  Error error{ErrorCode::kIo, text};
  const int primary = code & 0xff;
  error.retryable = primary == SQLITE_FULL || primary == SQLITE_BUSY || primary == SQLITE_IOERR;
  return tl::unexpected(std::move(error));
}

}  // namespace

void Statement::bind(int index, std::string_view text) {
  sqlite3_bind_text64(raw_.get(), index, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind(int index, std::int64_t number) {
  sqlite3_bind_int64(raw_.get(), index, number);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(raw_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failure(sqlite3_db_handle(raw_.get()), code);
}

void Statement::reset() {
  sqlite3_reset(raw_.get());
  sqlite3_clear_bindings(raw_.get());
}

std::int64_t Statement::number(int column) { return sqlite3_column_int64(raw_.get(), column); }

std::string_view Statement::text(int column) {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(raw_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(raw_.get(), column))};
}

Result<Database> Database::open(const std::string& file) {
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (code != SQLITE_OK) return failure(raw, code);
  return database;
}

Result<Statement> Database::prepare(const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(raw_.get(), sql.c_str(), static_cast<int>(sql.size()) + 1,
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return failure(raw_.get(), code);
  return Statement(raw);
}

Result<void> Database::run(const std::string& sql) {
  const int code = sqlite3_exec(raw_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(raw_.get(), code);
  return {};
}

Result<std::int64_t> Database::number(const std::string& sql) {
  EBB_ASSIGN_OR_RETURN(auto statement, prepare(sql));
  EBB_ASSIGN_OR_RETURN(auto row, statement.step());
  if (!row) return fail(ErrorCode::kIo, "no rows: " + sql);
  return statement.number(0);
}

Result<std::string> Database::text(const std::string& sql) {
  EBB_ASSIGN_OR_RETURN(auto statement, prepare(sql));
  EBB_ASSIGN_OR_RETURN(auto row, statement.step());
  if (!row) return fail(ErrorCode::kIo, "no rows: " + sql);
  return std::string(statement.text(0));
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(raw_.get()) == 0; }

}  // namespace ebb::cluster
