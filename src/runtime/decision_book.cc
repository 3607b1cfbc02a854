#include "runtime/decision_book.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ebb::runtime {
namespace {

Result<int> open_to_append(const std::string& file) {
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0640);
  if (descriptor >= 0) return descriptor;
  return fail(ErrorCode::kIo, fmt::format("{}: {}", file, std::strerror(errno)));
}

}  // namespace

DecisionBook::~DecisionBook() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> DecisionBook::open(const std::string& file) {
  auto opened = open_to_append(file);
  if (!opened) return propagate(opened);
  const std::unique_lock<std::mutex> lock(mutex_);
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = *opened;
  file_ = file;
  torn_ = false;
  return {};
}

Result<void> DecisionBook::reopen() {
  std::string file;
  {
    const std::unique_lock<std::mutex> lock(mutex_);
    file = file_;
  }
  if (file.empty()) return {};
  return open(file);
}

Result<void> DecisionBook::add(std::string record) {
  const std::unique_lock<std::mutex> lock(mutex_);
  Result<void> written = descriptor_ < 0 ? Result<void>() : append(record);
  bytes_ += record.size();
  records_.push_back(std::move(record));
  // The newest stays, however large it is.
  while (bytes_ > most_bytes_ && records_.size() > 1) {
    bytes_ -= records_.front().size();
    records_.pop_front();
  }
  return written;
}

// In one write, so that whoever reads the file meanwhile sees whole lines.
Result<void> DecisionBook::append(std::string_view record) {
  const std::string line = fmt::format("{}{}\n", torn_ ? "\n" : "", record);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      torn_ = torn_ || rest.size() < line.size();
      return fail(ErrorCode::kIo, fmt::format("{}: {}", file_, std::strerror(errno)));
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  torn_ = false;
  return {};
}

std::string DecisionBook::list() const {
  const std::unique_lock<std::mutex> lock(mutex_);
  std::string text = "[";
  for (const std::string& record : records_) {
    if (text.size() > 1) text += ",\n";
    text += record;
  }
  return text + "]\n";
}

}  // namespace ebb::runtime
