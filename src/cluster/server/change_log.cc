#include "cluster/server/change_log.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/server/sqlite.h"

namespace ebb::cluster {
namespace {

// "ebb" and a one; SQLite stores it in the file's header.
constexpr std::int64_t kApplicationId = 0x65626201;
constexpr std::int64_t kFormat = 1;

constexpr std::string_view kCreate = R"(
  CREATE TABLE changes (
    revision  INTEGER PRIMARY KEY,
    time      INTEGER NOT NULL,  -- nanoseconds since 1970
    kind      TEXT NOT NULL,     -- apps/v1/deployments
    namespace TEXT NOT NULL,
    name      TEXT NOT NULL,
    deleted   INTEGER NOT NULL,
    json      TEXT NOT NULL
  );
  CREATE TABLE history (start INTEGER NOT NULL);
  INSERT INTO history VALUES (0))";

std::string kind_text(const schema::Kind& kind) {
  return fmt::format("{}/{}", kind.api_version(), kind.plural);
}

const schema::Kind* kind_from(std::string_view text) {
  const auto plural = text.rfind('/');
  if (plural == std::string_view::npos) return nullptr;
  const std::string_view api_version = text.substr(0, plural);
  const auto version = api_version.rfind('/');
  const std::string_view group =
      version == std::string_view::npos ? std::string_view() : api_version.substr(0, version);
  return schema::find_kind(
      group, version == std::string_view::npos ? api_version : api_version.substr(version + 1),
      text.substr(plural + 1));
}

// Creates an empty file for SQLite, which would use the umask for its mode. Returns whether the
// file is empty, new or not.
Result<bool> ensure_file(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  struct stat status {};
  const bool usable =
      descriptor >= 0 && ::fstat(descriptor, &status) == 0 && ::fchmod(descriptor, 0600) == 0;
  const int problem = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!usable) {
    return fail(ErrorCode::kIo, fmt::format("{}: {}", file, std::strerror(problem)));
  }
  return status.st_size == 0;
}

Result<void> create(Database& database) {
  // The header, with ebb's id, becomes durable together with the table.
  return database.run("PRAGMA journal_mode = WAL")
      .and_then([&] { return database.run("BEGIN EXCLUSIVE"); })
      .and_then(
          [&] { return database.run(fmt::format("PRAGMA application_id = {}", kApplicationId)); })
      .and_then([&] { return database.run(fmt::format("PRAGMA user_version = {}", kFormat)); })
      .and_then([&] { return database.run(std::string(kCreate)); })
      .and_then([&] { return database.run("COMMIT"); });
}

// An interrupted first start leaves an empty database.
bool holds_nothing(Database& database) {
  return database.number("PRAGMA application_id") == 0 &&
         database.number("SELECT count(*) FROM sqlite_master") == 0;
}

// Whether this is a log that ebb can use.
Result<void> check(Database& database) {
  EBB_ASSIGN_OR_RETURN(auto id, database.number("PRAGMA application_id"));
  EBB_ASSIGN_OR_RETURN(auto format, database.number("PRAGMA user_version"));
  if (id != kApplicationId) {
    return fail(ErrorCode::kInvalidInput, "not a database of ebb; it was left unchanged");
  }
  if (format != kFormat) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("written by another version of ebb (format {}, this one reads {})",
                            format, kFormat));
  }
  EBB_ASSIGN_OR_RETURN(auto damage, database.text("PRAGMA quick_check(1)"));
  if (damage != "ok") return fail(ErrorCode::kInvalidInput, "damaged: " + damage);
  return {};
}

}  // namespace

struct ChangeLog::Impl {
  // Adds the file's name to SQLite's error.
  tl::unexpected<Error> failure(Error error) const {
    error.message = fmt::format("{}: {}", file, error.message);
    return tl::unexpected(std::move(error));
  }

  Result<void> prepare();
  Result<void> insert(const Change& change);
  Result<void> write(std::span<const Change> changes, const CompactedHistory& forgotten);

  std::string file;
  Database database;
  Statement add{};
  Statement drop{};
  Statement set_start{};
};

Result<void> ChangeLog::Impl::prepare() {
  struct Wanted {
    Statement& statement;
    const char* sql;
  };
  for (const Wanted& wanted :
       {Wanted{add, "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)"},
        Wanted{drop, "DELETE FROM changes WHERE revision = ?"},
        Wanted{set_start, "UPDATE history SET start = ?1 WHERE start <> ?1"}}) {
    EBB_ASSIGN_OR_RETURN(wanted.statement, database.prepare(wanted.sql));
  }
  return {};
}

Result<void> ChangeLog::Impl::insert(const Change& change) {
  const std::string kind = kind_text(*change.kind);
  add.bind(1, static_cast<std::int64_t>(change.revision));
  add.bind(2, change.time.since_epoch_ns());
  add.bind(3, kind);
  add.bind(4, change.namespace_name);
  add.bind(5, change.name);
  add.bind(6, static_cast<std::int64_t>(change.deleted));
  add.bind(7, change.json.text);
  auto added = add.step();
  add.reset();
  if (!added) return propagate(added);
  return {};
}

Result<void> ChangeLog::Impl::write(std::span<const Change> changes,
                                    const CompactedHistory& forgotten) {
  for (const Change& change : changes) {
    EBB_RETURN_IF_ERROR(insert(change));
  }
  const auto run = [](Statement& statement, Revision revision) {
    statement.bind(1, static_cast<std::int64_t>(revision));
    auto done = statement.step();
    statement.reset();
    return done;
  };
  for (const Revision revision : forgotten.revisions) {
    EBB_RETURN_IF_ERROR(run(drop, revision));
  }
  EBB_RETURN_IF_ERROR(run(set_start, forgotten.history_start));
  return {};
}

ChangeLog::ChangeLog(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChangeLog::~ChangeLog() = default;
ChangeLog::ChangeLog(ChangeLog&&) noexcept = default;
ChangeLog& ChangeLog::operator=(ChangeLog&&) noexcept = default;

Result<ChangeLog> ChangeLog::open(const std::filesystem::path& file) {
  EBB_ASSIGN_OR_RETURN(auto empty, ensure_file(file));
  const auto name_file = [&](Error error) {
    error.message = fmt::format("{}: {}", file.string(), error.message);
    return tl::unexpected(std::move(error));
  };
  auto database = Database::open(file);
  if (!database) return name_file(database.error());
  // No other process may read or write meanwhile.
  auto ready = database->run("PRAGMA locking_mode = EXCLUSIVE")
                   .and_then([&] {
                     const bool is_new = empty || holds_nothing(*database);
                     return is_new ? create(*database) : check(*database);
                   })
                   .and_then([&] { return database->run("PRAGMA journal_mode = WAL"); })
                   .and_then([&] { return database->run("PRAGMA synchronous = FULL"); });
  if (!ready) return name_file(ready.error());
  auto impl = std::make_unique<Impl>(Impl{file.string(), std::move(*database)});
  if (auto prepared = impl->prepare(); !prepared) return name_file(prepared.error());
  return ChangeLog(std::move(impl));
}

Result<Revision> ChangeLog::history_start() {
  auto start = impl_->database.number("SELECT start FROM history");
  if (!start) return impl_->failure(start.error());
  return static_cast<Revision>(*start);
}

Result<void> ChangeLog::load(const std::function<Result<void>(const Change&)>& take) {
  auto rows = impl_->database.prepare(
      "SELECT revision, time, kind, namespace, name, deleted, json FROM changes "
      "ORDER BY revision");
  if (!rows) return impl_->failure(rows.error());
  for (;;) {
    auto more = rows->step();
    if (!more) return impl_->failure(more.error());
    if (!*more) return {};
    Change change;
    change.revision = static_cast<Revision>(rows->number(0));
    change.time = Timestamp::from_nanoseconds(rows->number(1));
    change.kind = kind_from(rows->text(2));
    change.namespace_name = rows->text(3);
    change.name = rows->text(4);
    change.deleted = rows->number(5) != 0;
    const auto json = std::make_shared<const std::string>(rows->text(6));
    change.json = {json, *json};
    if (change.kind == nullptr) {
      return impl_->failure({ErrorCode::kInvalidInput,
                             fmt::format("revision {}: unknown kind {}; was it written by a newer "
                                         "ebb?",
                                         change.revision, rows->text(2))});
    }
    if (auto taken = take(change); !taken) return impl_->failure(taken.error());
  }
}

Result<void> ChangeLog::append(std::span<const Change> changes, const CompactedHistory& forgotten) {
  Database& database = impl_->database;
  auto written = database.run("BEGIN IMMEDIATE")
                     .and_then([&] { return impl_->write(changes, forgotten); })
                     .and_then([&] { return database.run("COMMIT"); });
  if (written) return {};
  // Some errors have already rolled back.
  if (database.in_transaction()) static_cast<void>(database.run("ROLLBACK"));
  return impl_->failure(written.error());
}

Result<void> ChangeLog::limit_pages(std::int64_t pages) {
  return impl_->database.run(
      fmt::format("PRAGMA max_page_count = {}", pages == 0 ? 1073741823 : pages));
}

std::int64_t ChangeLog::pages() { return impl_->database.number("PRAGMA page_count").value_or(0); }

}  // namespace ebb::cluster
