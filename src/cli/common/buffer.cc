#include "cli/common/buffer.h"

#include <algorithm>
#include <cstring>

#include <simdjson.h>
#include <sys/mman.h>

namespace ebb::cli {

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

char* Buffer::reserve(std::size_t size) {
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

void Buffer::drop(std::size_t size) {
  std::memmove(data_, data_ + size, size_ - size);
  size_ -= size;
}

}  // namespace ebb::cli
