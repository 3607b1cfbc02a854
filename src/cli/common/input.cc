#include "cli/common/input.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/buffer.h"
#include "model/snapshot/read_snapshot.h"

namespace ebb::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";

Error io_error(const std::string& name, int code) {
  return {ErrorCode::kIo, fmt::format("{}: {}", name, std::strerror(code))};
}

Error out_of_memory(const std::string& name) {
  return {ErrorCode::kIo, fmt::format("{}: not enough memory to read it", name)};
}

constexpr std::size_t kPiece = std::size_t{1} << 20;

// A file. If it could not be opened, the first read returns the error.
class File {
 public:
  explicit File(const std::string& name)
      : name_(name), descriptor_(open(name.c_str(), O_RDONLY | O_CLOEXEC)), open_error_(errno) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  // 0 if it is not a regular file; such a file cannot be read twice either.
  [[nodiscard]] std::size_t size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return static_cast<std::size_t>(status.st_size);
  }

  // Reads up to `size` more bytes; 0 means the end.
  [[nodiscard]] Result<std::size_t> read_some(std::size_t size, Buffer& into) const {
    if (descriptor_ < 0) return tl::unexpected(io_error(name_, open_error_));
    char* place = into.reserve(size);
    if (place == nullptr) return tl::unexpected(out_of_memory(name_));
    ssize_t count = -1;
    do {
      count = read(descriptor_, place, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return tl::unexpected(io_error(name_, errno));
    into.append(static_cast<std::size_t>(count));
    return static_cast<std::size_t>(count);
  }

  void rewind() const { lseek(descriptor_, 0, SEEK_SET); }

 private:
  const std::string& name_;
  int descriptor_;
  int open_error_;
};

Result<void> read_whole(const File& file, Buffer& into) {
  // One byte more than the size, to see the end of the file without another read.
  const std::size_t piece = std::max(file.size() + 1, kPiece);
  while (true) {
    EBB_ASSIGN_OR_RETURN(const auto count, file.read_some(piece, into));
    if (count == 0) return {};
  }
}

// Reads a large list through a small window. Returns false if the file is not a list or contains an
// error; then the whole file must be read.
bool read_list(const File& file, model::ListDecoder decoder) {
  constexpr std::size_t kWindow = 4 * kPiece;
  Buffer window;
  while (true) {
    // An item that is larger than the window makes the window grow.
    const auto count = file.read_some(std::max(kWindow, window.text().size()), window);
    if (!count) return false;
    if (*count == 0) return decoder.finish(window.text());
    const auto done = decoder.take(window.text());
    if (!done) return false;
    window.drop(*done);
  }
}

Result<void> read_stream(std::istream& in, Buffer& into) {
  while (in) {
    char* place = into.reserve(kPiece);
    if (place == nullptr) return tl::unexpected(out_of_memory("standard input"));
    in.read(place, kPiece);
    into.append(static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return fail(ErrorCode::kIo, "cannot read standard input");
  return {};
}

// Returns the files that a name refers to.
Result<std::vector<std::string>> expand(const std::string& name) {
  std::error_code error;
  if (name == kStandardInput || !fs::is_directory(name, error)) return std::vector{name};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(name, error)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".json" || extension == ".yaml" || extension == ".yml") {
      files.push_back(entry.path().string());
    }
  }
  if (error) return fail(ErrorCode::kIo, fmt::format("{}: {}", name, error.message()));
  if (files.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: has no .json, .yaml or .yml files", name));
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Reports progress once a step has taken two seconds, then once a second.
class Progress {
 public:
  Progress(std::string source, std::size_t total, std::ostream& err)
      : source_(std::move(source)), total_(total), err_(err) {}

  void operator()(std::size_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_ || total_ == 0) return;
    err_ << fmt::format("reading {}: {}% of {} MB\n", source_, 100 * done / total_,
                        total_ / 1'000'000)
         << std::flush;
    next_ = now + std::chrono::seconds(1);
  }

 private:
  std::string source_;
  std::size_t total_;
  std::ostream& err_;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(2);
};

Result<void> add_text(const std::string& name, const Buffer& buffer, std::ostream& err,
                      model::SnapshotReader& reader) {
  const std::string_view text = buffer.text();
  return reader.add(name, text, Progress(name, text.size(), err));
}

Result<void> add_file(const std::string& name, std::ostream& err, model::SnapshotReader& reader) {
  const File file(name);
  if (file.size() >= model::kLargeText) {
    if (read_list(file, reader.list_decoder())) return {};
    file.rewind();
  }
  Buffer buffer;
  EBB_RETURN_IF_ERROR(read_whole(file, buffer));
  return add_text(name, buffer, err, reader);
}

Result<void> add_standard_input(const Streams& streams, model::SnapshotReader& reader) {
  Buffer buffer;
  EBB_RETURN_IF_ERROR(read_stream(streams.in, buffer));
  return add_text("standard input", buffer, streams.err, reader);
}

}  // namespace

Result<model::Snapshot> read_inputs(const std::vector<std::string>& names, const Streams& streams) {
  model::SnapshotReader reader;
  for (const std::string& name : names) {
    EBB_ASSIGN_OR_RETURN(auto files, expand(name));
    for (const std::string& file : files) {
      EBB_RETURN_IF_ERROR(file == kStandardInput ? add_standard_input(streams, reader)
                                                 : add_file(file, streams.err, reader));
    }
  }
  return std::move(reader).finish();
}

Result<std::string> read_text_file(const std::string& name, std::istream& in) {
  Buffer buffer;
  EBB_RETURN_IF_ERROR(name == kStandardInput ? read_stream(in, buffer)
                                             : read_whole(File(name), buffer));
  return std::string(buffer.text());
}

}  // namespace ebb::cli
