#include "model/yaml/flow_depth.h"

#include <algorithm>
#include <utility>

namespace ebb::model {
namespace {

bool is_opening(char c) { return c == '[' || c == '{'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class BracketScan {
 public:
  BracketScan(std::string_view yaml, std::size_t most) : yaml_(yaml), max_(most) {}

  std::optional<std::size_t> run() {
    for (; at_ < yaml_.size(); ++at_) {
      const char c = yaml_[at_];
      if (c == '\n') {
        begin_line();
      } else if (c == '#' && (at_ == 0 || is_blank(yaml_[at_ - 1]))) {
        at_ = std::min(yaml_.find('\n', at_), yaml_.size()) - 1;
      } else if (depth_ > 0) {
        if (!in_flow(c)) return at_;
      } else if (!in_block(c)) {
        return too_deep_ ? std::optional(at_) : std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool ends_word(std::size_t at) const {
    return at >= yaml_.size() || is_blank(yaml_[at]);
  }

  void begin_line() {
    line_ = at_ + 1;
    // Only dashes and question marks so far; a value may follow.
    line_is_open_ = true;
  }

  bool open() {
    ++depth_;
    is_fresh_ = true;
    too_deep_ = depth_ > max_;
    return !too_deep_;
  }

  // False if there are too many levels.
  bool in_flow(char c) {
    if (is_opening(c)) return open();
    if (c == ']' || c == '}') {
      --depth_;
      is_fresh_ = false;
    } else if (c == ',') {
      is_fresh_ = true;
    } else if ((c == '"' || c == '\'') && is_fresh_) {
      skip_quoted(c);
    } else if (c == ':' && (after_quoted_ || ends_word(at_ + 1))) {
      is_fresh_ = true;
      after_quoted_ = false;
    } else if ((c == '&' || c == '!') && is_fresh_) {
      skip_word();
    } else if (!is_blank(c)) {
      is_fresh_ = false;
      after_quoted_ = false;
    }
    return true;
  }

  // False if there are too many levels, or if the structure is unclear.
  bool in_block(char c) {
    if (is_blank(c)) return true;
    if (at_ == line_ && yaml_.substr(at_, 3) == "---" && ends_word(at_ + 3)) {
      at_ += 2;
      is_fresh_ = true;
      line_is_open_ = false;
      is_top_ = true;
      return true;
    }
    const bool is_first = std::exchange(is_top_, false);
    const bool was_open = line_is_open_;
    if ((c == '-' || c == '?') && was_open && ends_word(at_ + 1)) {
      is_fresh_ = true;
      has_indicator_ = line_;
      return true;
    }
    line_is_open_ = false;
    if (is_opening(c) && is_fresh_) return open();
    if (c == ':' && ends_word(at_ + 1)) {
      is_fresh_ = true;
      has_indicator_ = line_;
    } else if ((c == '"' || c == '\'') && (is_fresh_ || was_open)) {
      skip_quoted(c);
    } else if ((c == '|' || c == '>') && is_fresh_) {
      // The parent indentation must be on this line; otherwise it is unknown.
      if (is_first || has_indicator_ != line_) return false;
      skip_block_scalar();
    } else if ((c == '&' || c == '!') && is_fresh_) {
      skip_word();
    } else {
      is_fresh_ = false;
    }
    return true;
  }

  // Stops at its last character.
  void skip_quoted(char quote) {
    for (++at_; at_ < yaml_.size(); ++at_) {
      if (yaml_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (yaml_[at_] == quote) {
        if (quote == '"' || at_ + 1 >= yaml_.size() || yaml_[at_ + 1] != quote) break;
        ++at_;
      }
    }
    is_fresh_ = false;
    after_quoted_ = true;
  }

  void skip_word() {
    while (!ends_word(at_ + 1) && yaml_.find_first_of("[]{},", at_ + 1) != at_ + 1) ++at_;
  }

  // Skips every line that is indented deeper than the line that starts the scalar: possibly more
  // than belongs to it.
  void skip_block_scalar() {
    const std::size_t margin = indentation(line_);
    for (;;) {
      const std::size_t end = yaml_.find('\n', at_);
      if (end == std::string_view::npos) {
        at_ = yaml_.size();
        return;
      }
      const std::size_t text = indentation(end + 1);
      const std::size_t first = end + 1 + text;
      const bool is_empty = first >= yaml_.size() || yaml_[first] == '\n' || yaml_[first] == '\r';
      if (!is_empty && text <= margin) {
        at_ = end - 1;
        is_fresh_ = false;
        return;
      }
      at_ = end + 1;
    }
  }

  [[nodiscard]] std::size_t indentation(std::size_t line) const {
    return std::min(yaml_.find_first_not_of(' ', line), yaml_.size()) -
           std::min(line, yaml_.size());
  }

  std::string_view yaml_;
  std::size_t max_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;  // the start of the current line
  std::size_t depth_ = 0;
  std::size_t has_indicator_ = std::string_view::npos;  // the last line that has one
  bool line_is_open_ = true;
  bool is_fresh_ = true;  // a value may begin here
  bool is_top_ = true;    // nothing of the document was read yet
  bool after_quoted_ = false;
  bool too_deep_ = false;
};

}  // namespace

std::optional<std::size_t> find_deep_bracket(std::string_view yaml, std::size_t most) {
  // Hardly any text has that many brackets, quoted or not.
  const auto count = std::count_if(yaml.begin(), yaml.end(), is_opening);
  if (static_cast<std::size_t>(count) <= most) return std::nullopt;
  return BracketScan(yaml, most).run();
}

}  // namespace ebb::model
