// The log of all writes to an embedded cluster, as an SQLite database. A change is durable when
// append() returns, whatever happens to the process or the machine then.
//
// The log never overwrites data that it does not understand: a file of another program or version,
// or a damaged one, is an error that names the file.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "apiserver/api_server.h"
#include "base/result.h"

namespace ebb::cluster {

using apiserver::Change;
using apiserver::CompactedHistory;
using model::Revision;

class ChangeLog {
 public:
  // Creates the file (mode 0600) if needed.
  [[nodiscard]] static Result<ChangeLog> open(const std::filesystem::path& file);
  ~ChangeLog();
  ChangeLog(ChangeLog&&) noexcept;
  ChangeLog& operator=(ChangeLog&&) noexcept;

  // The stored value of CompactedHistory::history_start.
  [[nodiscard]] Result<Revision> history_start();
  // Passes all changes in the order of their revisions, until `take` fails.
  [[nodiscard]] Result<void> load(const std::function<Result<void>(const Change&)>& take);

  // Adds the changes and drops the forgotten ones, atomically. A retryable error may be temporary
  // (a full disk).
  [[nodiscard]] Result<void> append(std::span<const Change> changes,
                                    const CompactedHistory& forgotten);

  // Limits the pages of the file, for tests of a full disk. 0: no limit.
  [[nodiscard]] Result<void> limit_pages(std::int64_t pages);
  [[nodiscard]] std::int64_t pages();

 private:
  struct Impl;
  explicit ChangeLog(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::cluster
