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
using model::Revision;

class ChangeLog {
 public:
  // Makes the file (mode 0600) if it is not there.
  [[nodiscard]] static Result<ChangeLog> open(const std::filesystem::path& file);
  ~ChangeLog();
  ChangeLog(ChangeLog&&) noexcept;
  ChangeLog& operator=(ChangeLog&&) noexcept;

  // All changes in the order of their revisions, until `take` fails.
  [[nodiscard]] Result<void> load(const std::function<Result<void>(const Change&)>& take);

  // Adds the changes and drops the forgotten revisions: all of it, or after an error nothing.
  // The newest change is never dropped: from it the next start knows how far revisions went.
  [[nodiscard]] Result<void> append(std::span<const Change> changes,
                                    std::span<const Revision> forgotten);

  // How many pages the file may have, for tests of a disk that is full. 0: no limit.
  [[nodiscard]] Result<void> limit_pages(std::int64_t pages);
  [[nodiscard]] std::int64_t pages();

 private:
  struct Parts;
  explicit ChangeLog(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::cluster
