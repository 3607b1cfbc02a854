#include "model/records/pool.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/check.h"

namespace ebb::model {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;

}  // namespace

const Label* sort_by_key(std::vector<Label>& labels) {
  std::sort(labels.begin(), labels.end(),
            [](const Label& a, const Label& b) { return a.key.view() < b.key.view(); });
  const auto twice = std::adjacent_find(
      labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.key == b.key; });
  return twice == labels.end() ? nullptr : &*twice;
}

const Interned* LabelSet::search(Interned key) const {
  const auto found = std::lower_bound(
      labels.begin(), labels.end(), key,
      [](const Label& label, Interned wanted) { return label.key.view() < wanted.view(); });
  return found == labels.end() || found->key != key ? nullptr : &found->value;
}

std::size_t Pool::TextHash::operator()(std::string_view text) const {
  return std::hash<std::string_view>()(text);
}

std::size_t Pool::LabelsHash::operator()(const LabelSet* set) const {
  std::size_t seed = 0;
  for (const Label& label : set->labels) {
    boost::hash_combine(seed, label.key);
    boost::hash_combine(seed, label.value);
  }
  return seed;
}

// Every part counts: a tenant can write many references that differ in one part only.
std::size_t Pool::OwnerHash::operator()(const ControllerRef* owner) const {
  std::size_t seed = hash_value(owner->uid);
  boost::hash_combine(seed, owner->name);
  boost::hash_combine(seed, owner->kind);
  boost::hash_combine(seed, owner->group);
  return seed;
}

char* Pool::allocate(std::size_t size) {
  if (size > kBlockBytes / 4) {
    text_bytes_ += size;
    return large_texts_.emplace_back(std::make_unique<char[]>(size)).get();
  }
  if (size > block_left_) {
    blocks_.push_back(std::make_unique<char[]>(kBlockBytes));
    block_left_ = kBlockBytes;
    text_bytes_ += kBlockBytes;
  }
  char* place = blocks_.back().get() + (kBlockBytes - block_left_);
  block_left_ -= size;
  return place;
}

Interned Pool::intern(std::string_view text) {
  if (text.empty()) return {};
  if (const auto known = texts_.find(text); known != texts_.end()) return *known;
  EBB_CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max());
  const auto size = static_cast<std::uint32_t>(text.size());
  char* place = allocate(sizeof size + size);
  std::memcpy(place, &size, sizeof size);
  std::memcpy(place + sizeof size, text.data(), size);
  return *texts_.insert(Interned(place)).first;
}

std::optional<Interned> Pool::find(std::string_view text) const {
  if (text.empty()) return Interned();
  const auto known = texts_.find(text);
  if (known == texts_.end()) return std::nullopt;
  return *known;
}

const LabelSet* Pool::intern(std::vector<Label> labels) {
  return recent_labels_ = intern_numbers(std::move(labels));
}

const LabelSet* Pool::intern_numbers(std::vector<Label> numbers) {
  LabelSet set{std::move(numbers)};
  if (const auto known = label_set_index_.find(&set); known != label_set_index_.end()) {
    return *known;
  }
  set.labels.shrink_to_fit();
  label_sets_.push_back(std::move(set));
  label_set_index_.insert(&label_sets_.back());
  return &label_sets_.back();
}

const ControllerRef* Pool::intern(const ControllerRef& owner) {
  if (const auto known = owner_index_.find(&owner); known != owner_index_.end()) {
    return recent_owner_ = *known;
  }
  owners_.push_back(owner);
  owner_index_.insert(&owners_.back());
  return recent_owner_ = &owners_.back();
}

std::size_t Pool::bytes() const {
  constexpr std::size_t kSlot = sizeof(void*) + 1;  // flat sets keep one extra byte a slot
  std::size_t total = text_bytes_ + texts_.bucket_count() * kSlot +
                      label_set_index_.bucket_count() * kSlot +
                      owner_index_.bucket_count() * kSlot + owners_.size() * sizeof(ControllerRef);
  for (const LabelSet& set : label_sets_) {
    total += sizeof(LabelSet) + set.labels.capacity() * sizeof(Label);
  }
  return total + placements_.bytes();
}

}  // namespace ebb::model
