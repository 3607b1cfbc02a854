// The log of everything written to an embedded cluster, as an SQLite database. A change is
// in it when append() returns, whatever happens to the process or the machine then.
//
// The log never overwrites what it does not understand: a file of another program or
// of another version, or a damaged one, is an error that names it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "apiserver/api_server.h"
#include "base/result.h"

namespace ebb::cluster {

using apiserver::Change;
using apiserver::Forgotten;
using model::Revision;

class ChangeLog {
 public:
  // Makes the file (mode 0600) if it is not there.
  [[nodiscard]] static Result<ChangeLog> open(const std::filesystem::path& file);
  ~ChangeLog();
  ChangeLog(ChangeLog&&) noexcept;
  ChangeLog& operator=(ChangeLog&&) noexcept;

  // What is remembered of Forgotten::history_start.
  [[nodiscard]] Result<Revision> history_start();
  // All changes in the order of their revisions, until `take` fails.
  [[nodiscard]] Result<void> load(const std::function<Result<void>(const Change&)>& take);

  // Adds the changes and drops what was forgotten: all of it, or after an error nothing.
  // An error that is retryable may pass (a disk that is full).
  [[nodiscard]] Result<void> append(std::span<const Change> changes, const Forgotten& forgotten);

  // How many pages the file may have, for tests of a disk that is full. 0: no limit.
  [[nodiscard]] Result<void> limit_pages(std::int64_t pages);
  [[nodiscard]] std::int64_t pages();

 private:
  struct Parts;
  explicit ChangeLog(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::cluster
