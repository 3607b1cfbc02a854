#include "apiserver/managedfields/field_set.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using Step = FieldSet::Step;

bool value_before(const json::value& a, const json::value& b);

// Kubernetes' order of types.
int rank(const json::value& value) {
  if (value.is_number()) return 0;
  if (value.is_string()) return 1;
  if (value.is_bool()) return 2;
  return value.is_null() ? 4 : 3;
}

bool number_before(const json::value& a, const json::value& b) {
  if (a.is_int64() && b.is_int64()) return a.get_int64() < b.get_int64();
  return a.to_number<double>() < b.to_number<double>();
}

// These objects are the keys of entries: sorted names, plain values.
bool keys_before(const json::object& a, const json::object& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const json::key_value_pair& x, const json::key_value_pair& y) {
        if (x.key() != y.key()) return x.key() < y.key();
        return value_before(x.value(), y.value());
      });
}

bool value_before(const json::value& a, const json::value& b) {
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.is_number()) return number_before(a, b);
  if (a.is_string()) return a.get_string() < b.get_string();
  if (a.is_bool()) return !a.get_bool() && b.get_bool();
  if (a.is_object() && b.is_object()) return keys_before(a.get_object(), b.get_object());
  return false;
}

json::value value_of(std::string_view step) {
  json::error_code error;
  json::value value = json::parse(step.substr(2), error);
  return error ? json::value() : value;
}

// Compares steps without parsing if they differ within a string, as most do: k:{"name":"web"} and
// k:{"name":"side"}. Nothing if they need parsing.
std::optional<bool> text_before(std::string_view a, std::string_view b) {
  std::size_t at = 0;
  bool in_text = false;
  while (at < a.size() && at < b.size() && a[at] == b[at]) {
    if (a[at] == '\\') return std::nullopt;
    if (a[at] == '"') in_text = !in_text;
    ++at;
  }
  if (!in_text || at >= a.size() || at >= b.size()) return std::nullopt;
  if (a[at] == '\\' || b[at] == '\\') return std::nullopt;
  // The string that ends here is the shorter one.
  if (a[at] == '"' || b[at] == '"') return a[at] == '"';
  return static_cast<unsigned char>(a[at]) < static_cast<unsigned char>(b[at]);
}

template <class Steps>
auto place_of(Steps& steps, std::string_view text) {
  return std::lower_bound(
      steps.begin(), steps.end(), text,
      [](const Step& step, std::string_view wanted) { return comes_before(step.text, wanted); });
}

bool is_nothing(const Step& step) { return !step.is_member && step.below.empty(); }

}  // namespace

std::string StepPath::step() const {
  if (!entry.empty()) return std::string(entry);
  std::string text = "f:";
  text += field;
  return text;
}

FieldSet::FieldSet() = default;
FieldSet::~FieldSet() = default;
FieldSet::FieldSet(const FieldSet&) = default;
FieldSet::FieldSet(FieldSet&&) noexcept = default;
FieldSet& FieldSet::operator=(const FieldSet&) = default;
FieldSet& FieldSet::operator=(FieldSet&&) noexcept = default;
bool FieldSet::operator==(const FieldSet& other) const { return steps_ == other.steps_; }

FieldSet::FieldSet(std::initializer_list<Steps> paths) {
  for (const Steps& path : paths) insert(path);
}

const Step* FieldSet::find(std::string_view step) const {
  const auto place = place_of(steps_, step);
  return place != steps_.end() && place->text == step ? &*place : nullptr;
}

Step* FieldSet::find(std::string_view step) {
  const auto place = place_of(steps_, step);
  return place != steps_.end() && place->text == step ? &*place : nullptr;
}

Step& FieldSet::ensure(std::string_view step) {
  // Fast path: bulk inserts come in order.
  if (steps_.empty() || comes_before(steps_.back().text, step)) {
    return steps_.emplace_back(Step{.text = std::string(step), .is_member = false, .below = {}});
  }
  auto place = place_of(steps_, step);
  if (place == steps_.end() || place->text != step) {
    place = steps_.insert(place, Step{.text = std::string(step), .is_member = false, .below = {}});
  }
  return *place;
}

Step* FieldSet::ensure(const StepPath& path) {
  if (path.parent == nullptr) return nullptr;
  Step* above = ensure(*path.parent);
  return &(above == nullptr ? *this : above->below).ensure(path.step());
}

void FieldSet::insert(const StepPath& path) {
  if (Step* step = ensure(path)) step->is_member = true;
}

void FieldSet::insert(const StepPath& path, FieldSet below) {
  Step* step = ensure(path);
  if (step == nullptr) return;
  step->is_member = true;
  step->below = united(std::move(step->below), std::move(below));
}

void FieldSet::sort() {
  const auto before = [](const Step& a, const Step& b) { return comes_before(a.text, b.text); };
  if (!std::is_sorted(steps_.begin(), steps_.end(), before)) {
    std::sort(steps_.begin(), steps_.end(), before);
  }
}

void FieldSet::insert(Steps path) {
  FieldSet* here = this;
  Step* last = nullptr;
  for (const std::string_view step : path) {
    last = &here->ensure(step);
    here = &last->below;
  }
  if (last != nullptr) last->is_member = true;
}

bool FieldSet::contains(Steps path) const {
  const FieldSet* here = this;
  const Step* last = nullptr;
  for (const std::string_view step : path) {
    last = here->find(step);
    if (last == nullptr) return false;
    here = &last->below;
  }
  return last != nullptr && last->is_member;
}

FieldSet united(FieldSet a, FieldSet b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  FieldSet both;
  both.steps().reserve(a.steps().size() + b.steps().size());
  auto left = a.steps().begin();
  auto right = b.steps().begin();
  while (left != a.steps().end() && right != b.steps().end()) {
    if (left->text == right->text) {
      left->is_member = left->is_member || right->is_member;
      left->below = united(std::move(left->below), std::move(right->below));
      both.steps().push_back(std::move(*left++));
      ++right;
    } else {
      both.steps().push_back(std::move(comes_before(left->text, right->text) ? *left++ : *right++));
    }
  }
  std::move(left, a.steps().end(), std::back_inserter(both.steps()));
  std::move(right, b.steps().end(), std::back_inserter(both.steps()));
  return both;
}

FieldSet intersection(const FieldSet& a, const FieldSet& b) {
  FieldSet result;
  for (const Step& step : a.steps()) {
    const Step* other = b.find(step.text);
    if (other == nullptr) continue;
    Step both{.text = step.text,
              .is_member = step.is_member && other->is_member,
              .below = intersection(step.below, other->below)};
    if (!is_nothing(both)) result.steps().push_back(std::move(both));
  }
  return result;
}

FieldSet difference(FieldSet a, const FieldSet& b) {
  for (const Step& step : b.steps()) {
    Step* place = a.find(step.text);
    if (place == nullptr) continue;
    place->is_member = place->is_member && !step.is_member;
    place->below = difference(std::move(place->below), step.below);
  }
  std::erase_if(a.steps(), is_nothing);
  return a;
}

FieldSet recursive_difference(FieldSet a, const FieldSet& b) {
  for (const Step& step : b.steps()) {
    Step* place = a.find(step.text);
    if (place == nullptr) continue;
    place->is_member = place->is_member && !step.is_member;
    place->below =
        step.is_member ? FieldSet() : recursive_difference(std::move(place->below), step.below);
  }
  std::erase_if(a.steps(), is_nothing);
  return a;
}

bool comes_before(std::string_view step, std::string_view other) {
  // f, i, k and v sort alphabetically as in Kubernetes, except that indices come last.
  const auto kind = [](std::string_view text) { return text.front() == 'i' ? 'z' : text.front(); };
  if (kind(step) != kind(other)) return kind(step) < kind(other);
  if (step.front() == 'f' || step == other) return step < other;
  if (const std::optional<bool> before = text_before(step, other)) return *before;
  const json::value left = value_of(step);
  const json::value right = value_of(other);
  if (value_before(left, right)) return true;
  // Values without a defined order compare by their text.
  return !value_before(right, left) && step < other;
}

}  // namespace ebb::apiserver
