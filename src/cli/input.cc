#include "cli/input.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/read_snapshot.h"

namespace ebb::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandardInput = "-";

// A text with the spare bytes behind it that the JSON parser reads over. Grown by
// remapping, so that a file of unknown size is never copied.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (data_ != nullptr) munmap(data_, capacity_);
  }

  // Room for `size` more bytes behind what is there; nothing if memory ran out.
  char* reserve(std::size_t size) {
    const std::size_t wanted = size_ + size + simdjson::SIMDJSON_PADDING;
    if (wanted > capacity_) {
      const std::size_t capacity = std::max(wanted, capacity_ * 2);
      void* grown = data_ == nullptr ? mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                     : mremap(data_, capacity_, capacity, MREMAP_MAYMOVE);
      if (grown == MAP_FAILED) return nullptr;
      data_ = static_cast<char*>(grown);
      capacity_ = capacity;
    }
    return data_ + size_;
  }
  void append(std::size_t size) { size_ += size; }
  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

std::string describe(std::string_view name) {
  return name == kStandardInput ? std::string("standard input") : std::string(name);
}

Error io_error(const std::string& name) {
  return {ErrorCode::kIo, fmt::format("{}: {}", name, std::strerror(errno))};
}

Error out_of_memory(const std::string& name) {
  return {ErrorCode::kIo, fmt::format("{}: is too large for the memory of this machine", name)};
}

Result<void> read_file(const std::string& name, Buffer& into) {
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return tl::unexpected(io_error(name));
  struct stat status {};
  const bool known_size = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const std::size_t expected = known_size ? static_cast<std::size_t>(status.st_size) + 1 : 0;
  constexpr std::size_t kPiece = 1 << 20;
  Result<void> result;
  while (true) {
    const std::size_t room =
        std::max(expected > into.text().size() ? expected - into.text().size() : 0, kPiece);
    char* place = into.reserve(room);
    if (place == nullptr) {
      result = tl::unexpected(out_of_memory(name));
      break;
    }
    const ssize_t count = read(file, place, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) result = tl::unexpected(io_error(name));
    if (count <= 0) break;
    into.append(static_cast<std::size_t>(count));
  }
  close(file);
  return result;
}

Result<void> read_stream(std::istream& in, Buffer& into) {
  constexpr std::size_t kPiece = 1 << 20;
  while (in) {
    char* place = into.reserve(kPiece);
    if (place == nullptr) return tl::unexpected(out_of_memory("standard input"));
    in.read(place, kPiece);
    into.append(static_cast<std::size_t>(in.gcount()));
  }
  return {};
}

Result<void> read_source(const std::string& name, std::istream& in, Buffer& into) {
  return name == kStandardInput ? read_stream(in, into) : read_file(name, into);
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

}  // namespace

Result<model::Snapshot> read_inputs(const std::vector<std::string>& names, const Streams& streams) {
  model::SnapshotReader reader;
  for (const std::string& name : names) {
    auto files = expand(name);
    if (!files) return propagate(files);
    for (const std::string& file : *files) {
      Buffer buffer;
      if (auto read = read_source(file, streams.in, buffer); !read) return propagate(read);
      const std::string_view text = buffer.text();
      if (auto added =
              reader.add(describe(file), text, Progress(describe(file), text.size(), streams.err));
          !added) {
        return propagate(added);
      }
    }
  }
  return std::move(reader).finish();
}

Result<std::string> read_text_file(const std::string& name, std::istream& in) {
  Buffer buffer;
  if (auto read = read_source(name, in, buffer); !read) return propagate(read);
  return std::string(buffer.text());
}

}  // namespace ebb::cli
