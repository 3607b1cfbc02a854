#include "apiserver/field_set.h"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using Step = FieldSet::Step;

bool value_before(const json::value& a, const json::value& b);

// Kubernetes' order of values of different types.
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

// Objects here are keys of entries: names in order, plain values.
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

template <class Steps>
auto place_of(Steps& steps, std::string_view text) {
  return std::lower_bound(
      steps.begin(), steps.end(), text,
      [](const Step& step, std::string_view wanted) { return comes_before(step.text, wanted); });
}

// Walks two sets side by side: visit(step of a or nullptr, step of b or nullptr).
template <class Visit>
void side_by_side(const FieldSet& a, const FieldSet& b, Visit visit) {
  auto left = a.steps().begin();
  auto right = b.steps().begin();
  while (left != a.steps().end() || right != b.steps().end()) {
    if (right == b.steps().end()) {
      visit(&*left++, nullptr);
    } else if (left == a.steps().end()) {
      visit(nullptr, &*right++);
    } else if (left->text == right->text) {
      visit(&*left++, &*right++);
    } else if (comes_before(left->text, right->text)) {
      visit(&*left++, nullptr);
    } else {
      visit(nullptr, &*right++);
    }
  }
}

void keep(FieldSet& set, Step step) {
  if (step.is_member || !step.below.empty()) set.steps().push_back(std::move(step));
}

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

Step& FieldSet::ensure(std::string_view step) {
  auto place = place_of(steps_, step);
  if (place == steps_.end() || place->text != step) {
    place = steps_.insert(place, Step{.text = std::string(step), .is_member = false, .below = {}});
  }
  return *place;
}

void FieldSet::insert(const StepPath& path) {
  std::vector<const StepPath*> steps;
  for (const StepPath* at = &path; at->parent != nullptr; at = at->parent) steps.push_back(at);
  FieldSet* here = this;
  Step* last = nullptr;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    last = &here->ensure((*step)->step());
    here = &last->below;
  }
  if (last != nullptr) last->is_member = true;
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

FieldSet united(const FieldSet& a, const FieldSet& b) {
  FieldSet result;
  side_by_side(a, b, [&](const Step* left, const Step* right) {
    if (left == nullptr || right == nullptr) return keep(result, left ? *left : *right);
    keep(result, {.text = left->text,
                  .is_member = left->is_member || right->is_member,
                  .below = united(left->below, right->below)});
  });
  return result;
}

FieldSet intersection(const FieldSet& a, const FieldSet& b) {
  FieldSet result;
  side_by_side(a, b, [&](const Step* left, const Step* right) {
    if (left == nullptr || right == nullptr) return;
    keep(result, {.text = left->text,
                  .is_member = left->is_member && right->is_member,
                  .below = intersection(left->below, right->below)});
  });
  return result;
}

FieldSet difference(const FieldSet& a, const FieldSet& b) {
  FieldSet result;
  side_by_side(a, b, [&](const Step* left, const Step* right) {
    if (left == nullptr) return;
    if (right == nullptr) return keep(result, *left);
    keep(result, {.text = left->text,
                  .is_member = left->is_member && !right->is_member,
                  .below = difference(left->below, right->below)});
  });
  return result;
}

FieldSet recursive_difference(const FieldSet& a, const FieldSet& b) {
  FieldSet result;
  side_by_side(a, b, [&](const Step* left, const Step* right) {
    if (left == nullptr) return;
    if (right == nullptr) return keep(result, *left);
    if (right->is_member) return;
    keep(result, {.text = left->text,
                  .is_member = left->is_member,
                  .below = recursive_difference(left->below, right->below)});
  });
  return result;
}

bool comes_before(std::string_view step, std::string_view other) {
  // f, i, k and v stand in the alphabet as in Kubernetes' order, but for indices, which come last.
  const auto kind = [](std::string_view text) { return text.front() == 'i' ? 'z' : text.front(); };
  if (kind(step) != kind(other)) return kind(step) < kind(other);
  if (step.front() == 'f' || step == other) return step < other;
  const json::value left = value_of(step);
  const json::value right = value_of(other);
  if (value_before(left, right)) return true;
  // Values that have no order among themselves go by their text.
  return !value_before(right, left) && step < other;
}

}  // namespace ebb::apiserver
