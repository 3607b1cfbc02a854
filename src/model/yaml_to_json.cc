#include "model/yaml_to_json.h"

#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <set>
#include <streambuf>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "model/yaml_scalar.h"

namespace ebb::model {
namespace {

constexpr std::size_t kMaxDepth = 400;  // yaml-cpp gives up at 500 by itself, less clearly
constexpr std::size_t kMaxAliasBytes = 16 << 20;

std::string describe(const YAML::Mark& mark) {
  return mark.is_null() ? std::string("end of file")
                        : fmt::format("line {}, column {}", mark.line + 1, mark.column + 1);
}

// Thrown through yaml-cpp, which has no other way to be stopped; caught below.
struct Refusal {
  std::string message;
};

[[noreturn]] void refuse(const YAML::Mark& mark, std::string_view problem) {
  throw Refusal{fmt::format("{}: {}", describe(mark), problem)};
}

// Writes JSON as yaml-cpp reports what it reads. An anchor is remembered as the
// stretch of JSON its node became, so that an alias is a copy of text, and how
// much all copies may add is a plain count of bytes.
class JsonWriter : public YAML::EventHandler {
 public:
  std::string take() { return std::move(json_); }

  void OnDocumentStart(const YAML::Mark&) override {
    open_.clear();
    anchors_.clear();
    document_start_ = json_.size();
  }

  void OnDocumentEnd() override {
    if (std::string_view(json_).substr(document_start_) == "null") json_.resize(document_start_);
    if (json_.size() > document_start_) json_ += '\n';
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    scalar(mark, anchor, "null", "");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    constexpr std::string_view kString = "tag:yaml.org,2002:str";
    const bool plain = tag == "?" || tag.empty();
    if (!plain && tag != "!" && tag != kString) {
      refuse(mark, fmt::format("tag {} is not supported", tag));
    }
    std::optional<std::string> json = plain ? plain_scalar_as_json(value) : std::nullopt;
    scalar(mark, anchor, json ? *json : json_quote(value), value);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    begin_value(mark);
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) refuse(mark, "an alias stands inside of what it refers to");
    if (is_key()) refuse(mark, "an alias cannot be a key");
    const std::string copy = json_.substr(known->second.begin, known->second.size);
    alias_bytes_ += copy.size();
    if (alias_bytes_ > kMaxAliasBytes) {
      refuse(mark, fmt::format("aliases expand to more than {} MiB", kMaxAliasBytes >> 20));
    }
    json_ += copy;
    end_value();
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, '[');
  }
  void OnSequenceEnd() override { close(']'); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, '{');
  }
  void OnMapEnd() override { close('}'); }

 private:
  struct Stretch {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  // A map or sequence that is being written.
  struct Level {
    bool map = false;
    bool expects_key = false;
    std::size_t begin = 0;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::size_t entries = 0;
    std::set<std::string, std::less<>> keys;
  };

  [[nodiscard]] bool is_key() const {
    return !open_.empty() && open_.back().map && open_.back().expects_key;
  }

  void begin_value(const YAML::Mark&) {
    if (open_.empty()) return;
    Level& level = open_.back();
    if ((!level.map || level.expects_key) && level.entries++ > 0) json_ += ',';
  }

  void end_value() {
    if (!open_.empty() && open_.back().map) open_.back().expects_key = true;
  }

  void scalar(const YAML::Mark& mark, YAML::anchor_t anchor, std::string_view json,
              std::string_view text) {
    begin_value(mark);
    if (is_key()) {
      write_key(mark, text);
      return;
    }
    remember(anchor, json_.size(), json.size());
    json_ += json;
    end_value();
  }

  void write_key(const YAML::Mark& mark, std::string_view key) {
    if (key.empty()) refuse(mark, "a key is empty");
    if (key == "<<") refuse(mark, "merge keys (<<) are not supported; write the fields out");
    if (!open_.back().keys.emplace(key).second) {
      refuse(mark, fmt::format("key {} stands twice in the same object", key));
    }
    json_ += json_quote(key);
    json_ += ':';
    open_.back().expects_key = false;
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, char bracket) {
    begin_value(mark);
    if (is_key()) refuse(mark, "a key must be a single word, not a list or an object");
    if (open_.size() == kMaxDepth) {
      refuse(mark, fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    Level level;
    level.map = bracket == '{';
    level.expects_key = level.map;
    level.begin = json_.size();
    level.anchor = anchor;
    open_.push_back(std::move(level));
    json_ += bracket;
  }

  void close(char bracket) {
    json_ += bracket;
    remember(open_.back().anchor, open_.back().begin, json_.size() - open_.back().begin);
    open_.pop_back();
    end_value();
  }

  void remember(YAML::anchor_t anchor, std::size_t begin, std::size_t size) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = {begin, size};
  }

  std::string json_;
  std::size_t document_start_ = 0;
  std::size_t alias_bytes_ = 0;
  std::vector<Level> open_;
  std::map<YAML::anchor_t, Stretch> anchors_;
};

// Hands a text to yaml-cpp in pieces, without a copy, and tells how far it got.
class PieceBuffer : public std::streambuf {
 public:
  PieceBuffer(std::string_view text, const std::function<void(std::size_t)>& progress)
      : text_(text), progress_(progress) {}

 protected:
  int_type underflow() override {
    constexpr std::size_t kPiece = 64 * 1024;
    if (progress_) progress_(given_);
    if (given_ == text_.size()) return traits_type::eof();
    const std::size_t size = std::min(kPiece, text_.size() - given_);
    // The standard wants a mutable pointer here; nothing writes through it.
    char* begin = const_cast<char*>(text_.data()) + given_;  // NOLINT
    setg(begin, begin, begin + size);
    given_ += size;
    return traits_type::to_int_type(*begin);
  }

 private:
  std::string_view text_;
  const std::function<void(std::size_t)>& progress_;
  std::size_t given_ = 0;
};

}  // namespace

Result<std::string> yaml_to_json(std::string_view yaml,
                                 const std::function<void(std::size_t)>& progress) {
  JsonWriter writer;
  try {
    PieceBuffer buffer(yaml, progress);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(writer)) {
    }
  } catch (const Refusal& refusal) {
    return fail(ErrorCode::kInvalidInput, refusal.message);
  } catch (const YAML::Exception& error) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{}: {}", describe(error.mark), error.msg));
  }
  return writer.take();
}

}  // namespace ebb::model
