#include "apiserver/store/shared_text.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "model/json/raw_json.h"

namespace ebb::apiserver {
namespace {

// Quotes within strings are escaped, so this occurs only as the name of a field.
constexpr std::string_view kFields = R"(fieldsV1":{)";
// Shorter texts cost more to share than to keep.
constexpr std::size_t kMinShared = 400;

// A JSON string whose bytes are not valid UTF-8, so that no other text equals it.
std::string placeholder(std::string_view part) {
  return '"' + std::string(part.size() - 2, '\xff') + '"';
}

}  // namespace

std::shared_ptr<const std::string> TextPool::share(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>()(text);
  const auto [begin, end] = texts_.equal_range(hash);
  for (auto one = begin; one != end; ++one) {
    auto held = one->second.lock();
    if (held && *held == text) return held;
  }
  if (texts_.size() >= sweep_at_) drop_unused();
  auto shared = std::make_shared<const std::string>(text);
  texts_.emplace(hash, shared);
  return shared;
}

void TextPool::drop_unused() {
  std::erase_if(texts_, [](const auto& entry) { return entry.second.expired(); });
  // Amortised: each text is checked a few times, however many there are.
  sweep_at_ = std::max<std::size_t>(1024, 2 * texts_.size());
}

PiecedText::PiecedText(std::string_view json, TextPool& pool) {
  for (std::size_t at = 0; (at = json.find(kFields, at)) != std::string_view::npos;) {
    const std::size_t begin = at + kFields.size() - 1;
    const std::size_t end = model::end_of_value(json, begin);
    if (end == std::string_view::npos) break;
    if (end - begin >= kMinShared) {
      take_out(json, begin, pool.share(json.substr(begin, end - begin)));
    }
    at = end;
  }
  keep_rest(json);
}

PiecedText::PiecedText(std::string_view turned, const PiecedText& json) {
  for (const Part& part : json.parts_) {
    const std::size_t begin = turned.find(placeholder(*part.text), taken_);
    if (begin != std::string_view::npos) take_out(turned, begin, part.text);
  }
  keep_rest(turned);
}

void PiecedText::take_out(std::string_view whole, std::size_t begin,
                          std::shared_ptr<const std::string> part) {
  own_ += whole.substr(taken_, begin - taken_);
  taken_ = begin + part->size();
  parts_.push_back({.place = own_.size(), .text = std::move(part)});
}

void PiecedText::keep_rest(std::string_view whole) {
  own_ += whole.substr(taken_);
  own_.shrink_to_fit();
  parts_.shrink_to_fit();
  size_ = whole.size();
}

template <class Write>
std::string PiecedText::put_together(Write write_part) const {
  std::string text;
  text.reserve(size_);
  std::size_t done = 0;
  for (const Part& part : parts_) {
    text.append(own_, done, part.place - done);
    write_part(*part.text, text);
    done = part.place;
  }
  return text.append(own_, done);
}

std::string PiecedText::str() const {
  return put_together([](std::string_view part, std::string& text) { text += part; });
}

std::string PiecedText::with_placeholders() const {
  return put_together([](std::string_view part, std::string& text) { text += placeholder(part); });
}

void PiecedText::append_to(Bytes& bytes, const std::shared_ptr<const void>& owner,
                           std::size_t begin, std::size_t end) const {
  std::size_t at = 0;  // start of the next piece, in the whole text
  const auto take = [&](std::string_view piece) {
    const std::size_t from = std::clamp(begin, at, at + piece.size()) - at;
    const std::size_t to = std::clamp(end, at, at + piece.size()) - at;
    if (to > from) bytes.append_shared(owner, piece.substr(from, to - from));
    at += piece.size();
  };
  std::size_t done = 0;
  for (const Part& part : parts_) {
    take(std::string_view(own_).substr(done, part.place - done));
    take(*part.text);
    done = part.place;
  }
  take(std::string_view(own_).substr(done));
}

std::size_t PiecedText::footprint() const {
  return own_.capacity() + parts_.capacity() * sizeof(Part);
}

}  // namespace ebb::apiserver
