#include "cli/input.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/buffer.h"
#include "model/read_snapshot.h"

namespace ebb::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";

Error io_error(const std::string& name, int code) {
  return {ErrorCode::kIo, fmt::format("{}: {}", name, std::strerror(code))};
}

Error out_of_memory(const std::string& name) {
  return {ErrorCode::kIo, fmt::format("{}: is too large for the memory of this machine", name)};
}

constexpr std::size_t kPiece = std::size_t{1} << 20;

// A file. Why it could not be opened is told on the first attempt to read.
class File {
 public:
  explicit File(const std::string& name)
      : name_(name), descriptor_(open(name.c_str(), O_RDONLY | O_CLOEXEC)), open_error_(errno) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  // 0 if it is no regular file; such a file cannot be read twice either.
  [[nodiscard]] std::size_t size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    return static_cast<std::size_t>(status.st_size);
  }

  // Reads up to `size` more bytes; none is the end.
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
  // One byte more than there should be, to see the end without another round.
  const std::size_t piece = std::max(file.size() + 1, kPiece);
  while (true) {
    const auto count = file.read_some(piece, into);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) return {};
  }
}

// Takes in a large list through a small window. False: it is none, or something in it
// is wrong, and the file has to be read as a whole.
bool read_list(const File& file, model::ListDecoder decoder) {
  constexpr std::size_t kWindow = 4 * kPiece;
  Buffer window;
  while (true) {
    // An item that is larger than the window makes it grow.
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
  if (in.bad()) return fail(ErrorCode::kIo, "standard input: cannot be read");
  return {};
}

// The files that a name stands for.
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

// Speaks up once something has taken two seconds, then once a second.
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
  if (auto read = read_whole(file, buffer); !read) return propagate(read);
  return add_text(name, buffer, err, reader);
}

Result<void> add_standard_input(const Streams& streams, model::SnapshotReader& reader) {
  Buffer buffer;
  if (auto read = read_stream(streams.in, buffer); !read) return propagate(read);
  return add_text("standard input", buffer, streams.err, reader);
}

}  // namespace

Result<model::Snapshot> read_inputs(const std::vector<std::string>& names, const Streams& streams) {
  model::SnapshotReader reader;
  for (const std::string& name : names) {
    auto files = expand(name);
    if (!files) return propagate(files);
    for (const std::string& file : *files) {
      auto added = file == kStandardInput ? add_standard_input(streams, reader)
                                          : add_file(file, streams.err, reader);
      if (!added) return propagate(added);
    }
  }
  return std::move(reader).finish();
}

Result<std::string> read_text_file(const std::string& name, std::istream& in) {
  Buffer buffer;
  auto read = name == kStandardInput ? read_stream(in, buffer) : read_whole(File(name), buffer);
  if (!read) return propagate(read);
  return std::string(buffer.text());
}

}  // namespace ebb::cli
