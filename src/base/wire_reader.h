// Reads the fields of a protobuf message in order, without copying.
//
// It supports only what Kubernetes writes: varints, fixed numbers, and bytes (strings, messages,
// maps as messages of key and value). Reading ends early at a truncated or malformed message, or
// when a field is read as another type than it has; ok() is then false.
#pragma once

#include <cstdint>
#include <string_view>

namespace ebb {

class WireReader {
 public:
  explicit WireReader(std::string_view message)
      : next_(message.data()), end_(message.data() + message.size()) {}

  // Moves to the next field, if there is one.
  [[nodiscard]] bool next() {
    // Most fields have a tag and a length of one byte.
    if (end_ - next_ < 2 || !ok_ || ((next_[0] | next_[1]) & 0x80) != 0) return next_slowly();
    const auto size = static_cast<unsigned char>(next_[1]);
    if ((next_[0] & 7) != static_cast<int>(Type::kBytes) || next_[0] < 8 ||
        end_ - next_ - 2 < size) {
      return next_slowly();
    }
    field_ = static_cast<std::uint32_t>(next_[0]) >> 3U;
    type_ = Type::kBytes;
    bytes_ = {next_ + 2, size};
    next_ += 2 + size;
    return true;
  }

  [[nodiscard]] std::uint32_t field() const { return field_; }

  [[nodiscard]] std::string_view bytes() { return expect(Type::kBytes) ? bytes_ : ""; }
  [[nodiscard]] std::uint64_t number() { return expect(Type::kVarint) ? number_ : 0; }
  // Negative numbers are sent as 64 bits. Bits above the lower 32 are dropped, as in Go.
  [[nodiscard]] std::int32_t int32() { return static_cast<std::int32_t>(number()); }
  [[nodiscard]] bool boolean() { return number() != 0; }
  // The bits of a double.
  [[nodiscard]] std::uint64_t fixed64() { return expect(Type::kFixed64) ? number_ : 0; }

  [[nodiscard]] bool ok() const { return ok_; }

 private:
  enum class Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  static constexpr std::uint64_t kHighestField = (1U << 29U) - 1;

  [[nodiscard]] bool expect(Type type) {
    ok_ = ok_ && type_ == type;
    return ok_;
  }
  [[nodiscard]] bool next_slowly();
  [[nodiscard]] bool read_varint(std::uint64_t& value);
  [[nodiscard]] bool read_value();
  [[nodiscard]] bool skip(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(end_ - next_)) return false;
    next_ += size;
    return true;
  }

  const char* next_;
  const char* end_;
  std::uint32_t field_ = 0;
  Type type_ = Type::kVarint;
  bool ok_ = true;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
};

inline bool WireReader::next_slowly() {
  std::uint64_t tag = 0;
  if (next_ == end_ || !ok_) return false;
  if (!read_varint(tag)) return false;
  field_ = static_cast<std::uint32_t>(tag >> 3U);
  type_ = static_cast<Type>(tag & 7U);
  ok_ = (tag >> 3U) - 1 < kHighestField && read_value();
  return ok_;
}

inline bool WireReader::read_varint(std::uint64_t& value) {
  // Nearly all varints have one byte.
  if (next_ != end_ && static_cast<unsigned char>(*next_) < 0x80) {
    value = static_cast<unsigned char>(*next_++);
    return true;
  }
  value = 0;
  for (unsigned shift = 0; shift < 64 && next_ != end_; shift += 7) {
    const auto byte = static_cast<unsigned char>(*next_++);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return true;
  }
  ok_ = false;
  return false;
}

inline bool WireReader::read_value() {
  std::uint64_t size = 0;
  switch (type_) {
    case Type::kVarint:
      return read_varint(number_);
    case Type::kBytes:
      if (!read_varint(size) || !skip(size)) return false;
      bytes_ = {next_ - size, static_cast<std::size_t>(size)};
      return true;
    case Type::kFixed64:
      if (!skip(8)) return false;
      number_ = 0;
      for (int i = 1; i <= 8; ++i) number_ = number_ << 8U | static_cast<unsigned char>(next_[-i]);
      return true;
    case Type::kFixed32:
      return skip(4);
  }
  return false;
}

}  // namespace ebb
