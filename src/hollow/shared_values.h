// A pool of values that many pods share; each value is stored once.
#pragma once  // private to its room

#include <memory>
#include <set>
#include <utility>

namespace ebb::hollow {

template <class Value>
class SharedValues {
 public:
  [[nodiscard]] std::shared_ptr<const Value> share(Value value) {
    const auto known = values_.find(value);
    if (known != values_.end()) return *known;
    return *values_.insert(std::make_shared<const Value>(std::move(value))).first;
  }

  // Drops the value with its last reference.
  void release(std::shared_ptr<const Value> value) {
    if (value == nullptr || value.use_count() > 2) return;
    values_.erase(value);
  }

  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  using Held = std::shared_ptr<const Value>;
  struct ByValue {
    using is_transparent = void;
    bool operator()(const Held& a, const Held& b) const { return *a < *b; }
    bool operator()(const Value& a, const Held& b) const { return a < *b; }
    bool operator()(const Held& a, const Value& b) const { return *a < b; }
  };
  std::set<Held, ByValue> values_;
};

}  // namespace ebb::hollow
