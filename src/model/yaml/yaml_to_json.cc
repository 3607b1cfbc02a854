#include "model/yaml/yaml_to_json.h"

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

#include "model/json/text_position.h"
#include "model/yaml/flow_depth.h"
#include "model/yaml/yaml_error.h"
#include "model/yaml/yaml_scalar.h"

namespace ebb::model {
namespace {

constexpr std::size_t kMaxDepth = 400;  // yaml-cpp fails at 500 by itself, with a less clear error
constexpr std::size_t kMaxAliasBytes = 16 << 20;

// Thrown through yaml-cpp, which cannot be stopped otherwise; caught below.
struct Refusal {
  YAML::Mark mark;
  std::string problem;
};

[[noreturn]] void refuse(const YAML::Mark& mark, std::string problem) {
  throw Refusal{mark, std::move(problem)};
}

std::string too_deep() { return fmt::format("nested deeper than {} levels", kMaxDepth); }

// yaml-cpp turns the escapes \N and \_ into the single bytes 0x85 and 0xa0, which is Latin-1. In
// valid UTF-8 such a byte never starts a character, so it can be recognised.
std::string repair(const std::string& text) {
  if (!find_invalid_utf8(text)) return text;
  std::string repaired;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0x85 || byte == 0xa0) repaired += '\xc2';
    const std::size_t size = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    repaired.append(text, i, size);
    i += size;
  }
  return repaired;
}

// Writes JSON from yaml-cpp's events. An anchor is remembered as the range of JSON that its node
// became, so that an alias is a copy of text, and the limit on all copies is a plain count of
// bytes.
class JsonWriter : public YAML::EventHandler {
 public:
  explicit JsonWriter(std::string_view yaml) : yaml_(yaml) {}

  std::vector<YamlDocument> take() { return std::move(documents_); }

  // yaml-cpp starts a new document wherever it cannot continue the last one, even without consuming
  // input, and would loop forever.
  void OnDocumentStart(const YAML::Mark& mark) override {
    offset_ = std::min(static_cast<std::size_t>(mark.pos), yaml_.size());
    if (started_ && !yaml_.substr(offset_).starts_with("---")) {
      refuse(mark, "the document ended before this; is --- missing, or the indentation wrong?");
    }
    started_ = true;
    open_.clear();
    anchors_.clear();
    json_.clear();
  }

  void OnDocumentEnd() override {
    if (json_ != "null") documents_.push_back({offset_, std::move(json_)});
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (is_key()) refuse(mark, "expected a key");
    if (!open_.empty() && open_.back().map) check_colon();
    scalar(mark, anchor, "null", "");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag, "str");
    const bool plain = tag == "?" || tag.empty();
    if (plain && value == "<<" && is_key()) {
      refuse(mark, "merge keys (<<) are not supported; write the fields out");
    }
    if (is_key()) {
      key_mark_ = mark;
      key_size_ = value.size();
      plain_key_ = plain;
    }
    const std::string text = repair(value);
    const std::optional<std::string> json = plain ? plain_scalar_as_json(text) : std::nullopt;
    scalar(mark, anchor, json ? *json : json_quote(text), text);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (is_key()) refuse(mark, "an alias cannot be a key");
    begin_value();
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) refuse(mark, "an alias refers to its own ancestor");
    check_depth(mark, open_.size() + known->second.height);
    const std::string copy = json_.substr(known->second.begin, known->second.size);
    alias_bytes_ += copy.size();
    if (alias_bytes_ > kMaxAliasBytes) {
      refuse(mark, fmt::format("aliases expand to more than {} MiB", kMaxAliasBytes >> 20));
    }
    json_ += copy;
    end_value(known->second.height);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag, "seq");
    open(mark, anchor, '[');
  }
  void OnSequenceEnd() override { close(']'); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag, "map");
    open(mark, anchor, '{');
  }
  void OnMapEnd() override { close('}'); }

 private:
  struct Stretch {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::size_t height = 0;  // the nesting depth of its content
  };
  // A map or sequence in progress.
  struct Level {
    bool map = false;
    bool expects_key = false;
    std::size_t begin = 0;
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::size_t entries = 0;
    std::size_t height = 1;
    std::set<std::string, std::less<>> keys;
  };

  [[nodiscard]] bool is_key() const {
    return !open_.empty() && open_.back().map && open_.back().expects_key;
  }

  // Accepts only the tag that the position implies, and yaml-cpp's marker for no tag.
  static void check_tag(const YAML::Mark& mark, std::string_view tag, std::string_view expected) {
    constexpr std::string_view kStandard = "tag:yaml.org,2002:";
    if (tag.empty() || tag == "?" || tag == "!") return;
    if (tag.starts_with(kStandard) && tag.substr(kStandard.size()) == expected) return;
    refuse(mark, fmt::format("tag {} is not supported", tag));
  }

  // yaml-cpp takes a last line without a colon (a typo, or a truncated file) for a key without a
  // value. In flow style that is allowed.
  void check_colon() {
    const auto at = static_cast<std::size_t>(key_mark_.pos);
    if (!plain_key_ || at + key_size_ > yaml_.size()) return;
    const std::size_t next = yaml_.find_first_not_of(" \t", at + key_size_);
    const char after = next == std::string_view::npos ? '\n' : yaml_[next];
    const bool explicit_key = at >= 2 && yaml_.substr(at - 2, 2) == "? ";
    if (after != ':' && after != ',' && after != '}' && !explicit_key) {
      refuse(key_mark_, "expected a colon and a space after the key");
    }
  }

  static void check_depth(const YAML::Mark& mark, std::size_t depth) {
    if (depth > kMaxDepth) refuse(mark, too_deep());
  }

  void begin_value() {
    if (open_.empty()) return;
    Level& level = open_.back();
    if ((!level.map || level.expects_key) && level.entries++ > 0) json_ += ',';
  }

  void end_value(std::size_t height) {
    if (open_.empty()) return;
    open_.back().expects_key = open_.back().map;
    open_.back().height = std::max(open_.back().height, height + 1);
  }

  void scalar(const YAML::Mark& mark, YAML::anchor_t anchor, std::string_view json,
              std::string_view text) {
    begin_value();
    if (is_key()) {
      if (anchor != YAML::NullAnchor) refuse(mark, "a key cannot have an anchor");
      write_key(mark, text);
      return;
    }
    remember(anchor, {json_.size(), json.size(), 0});
    json_ += json;
    end_value(0);
  }

  void write_key(const YAML::Mark& mark, std::string_view key) {
    if (!open_.back().keys.emplace(key).second) {
      refuse(mark, fmt::format("key {} occurs twice in the same object", key));
    }
    json_ += json_quote(key);
    json_ += ':';
    open_.back().expects_key = false;
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, char bracket) {
    begin_value();
    if (is_key()) {
      // yaml-cpp also sees keys if a flow collection is not closed.
      refuse(mark, "a key must be a single word; is a closing ] or } missing?");
    }
    check_depth(mark, open_.size() + 1);
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
    const Level level = std::move(open_.back());
    open_.pop_back();
    remember(level.anchor, {level.begin, json_.size() - level.begin, level.height});
    end_value(level.height);
  }

  void remember(YAML::anchor_t anchor, const Stretch& stretch) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = stretch;
  }

  std::string_view yaml_;
  std::vector<YamlDocument> documents_;
  bool started_ = false;
  std::size_t offset_ = 0;  // where the document begins
  std::string json_;        // of the document so far
  YAML::Mark key_mark_;     // of the key written last
  std::size_t key_size_ = 0;
  bool plain_key_ = false;
  std::size_t alias_bytes_ = 0;
  std::vector<Level> open_;
  std::map<YAML::anchor_t, Stretch> anchors_;
};

// Feeds a text to yaml-cpp in pieces, without a copy, and reports progress. The text is followed by
// an end-of-document marker: without one, yaml-cpp accepts a quoted string that is never closed, as
// in a truncated file.
class PieceBuffer : public std::streambuf {
 public:
  PieceBuffer(std::string_view text, const std::function<void(std::size_t)>& progress)
      : text_(text), rest_(text), progress_(progress) {}

 protected:
  int_type underflow() override {
    constexpr std::size_t kPiece = 64 * 1024;
    if (progress_) progress_(text_.size() - (ended_ ? 0 : rest_.size()));
    if (rest_.empty()) {
      if (ended_) return traits_type::eof();
      ended_ = true;
      rest_ = text_.ends_with('\n') ? "...\n" : "\n...\n";
    }
    const std::string_view piece = rest_.substr(0, kPiece);
    rest_.remove_prefix(piece.size());
    // The standard library needs a mutable pointer here; nothing writes through it.
    char* begin = const_cast<char*>(piece.data());  // NOLINT
    setg(begin, begin, begin + piece.size());
    return traits_type::to_int_type(*begin);
  }

 private:
  std::string_view text_;
  std::string_view rest_;
  const std::function<void(std::size_t)>& progress_;
  bool ended_ = false;
};

}  // namespace

Result<std::vector<YamlDocument>> yaml_to_json(std::string_view yaml,
                                               const std::function<void(std::size_t)>& progress) {
  const auto fail_at = [&](std::size_t offset, std::string_view problem) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: {}", describe_position(yaml, offset), problem));
  };
  if (const auto invalid = find_invalid_utf8(yaml)) return fail_at(*invalid, "is not valid UTF-8");
  // YAML forbids control characters, and yaml-cpp takes one of them for the end of the text.
  if (const auto control = find_control_character(yaml)) {
    return fail_at(*control, "is a control character; in a quoted string, write \\xNN");
  }
  if (const auto bracket = find_deep_bracket(yaml, kMaxDepth)) return fail_at(*bracket, too_deep());
  JsonWriter writer(yaml);
  try {
    PieceBuffer buffer(yaml, progress);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(writer)) {
    }
  } catch (const Refusal& refusal) {
    return fail_at(static_cast<std::size_t>(refusal.mark.pos), refusal.problem);
  } catch (const YAML::Exception& error) {
    const std::size_t offset =
        error.mark.is_null() ? yaml.size() : static_cast<std::size_t>(error.mark.pos);
    return fail_at(offset, explain_yaml_error(error.msg, offset >= yaml.size()));
  }
  return writer.take();
}

}  // namespace ebb::model
