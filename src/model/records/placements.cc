#include "model/records/placements.h"

#include <boost/functional/hash.hpp>

namespace ebb::model {
namespace {

void combine(std::size_t& seed, const Selector& selector) {
  for (const Requirement& requirement : selector.requirements) {
    boost::hash_combine(seed, requirement.key);
    boost::hash_combine(seed, static_cast<int>(requirement.op));
    boost::hash_range(seed, requirement.values.begin(), requirement.values.end());
  }
}

std::size_t bytes_of(const Placement& placement) {
  std::size_t total = sizeof(Placement) + placement.tolerations.capacity() * sizeof(Toleration) +
                      placement.anti_affinity.capacity() * sizeof(AntiAffinityTerm);
  for (const AntiAffinityTerm& term : placement.anti_affinity) {
    total += term.namespaces.capacity() * sizeof(Interned);
    total += term.selector.requirements.capacity() * sizeof(Requirement);
    for (const Requirement& requirement : term.selector.requirements) {
      total += requirement.values.capacity() * sizeof(Interned);
    }
  }
  return total;
}

}  // namespace

std::size_t Placements::Hash::operator()(const Placement* placement) const {
  std::size_t seed = 0;
  for (const Toleration& toleration : placement->tolerations) {
    boost::hash_combine(seed, toleration.key);
    boost::hash_combine(seed, toleration.value);
    boost::hash_combine(seed, static_cast<int>(toleration.effect));
  }
  for (const AntiAffinityTerm& term : placement->anti_affinity) {
    boost::hash_combine(seed, term.topology_key);
    boost::hash_combine(seed, term.weight);
    combine(seed, term.selector);
  }
  return seed;
}

const Placement* Placements::intern(Placement placement) {
  if (placement.empty()) return nullptr;
  if (const auto known = index_.find(&placement); known != index_.end()) return *known;
  placement.tolerations.shrink_to_fit();
  placement.anti_affinity.shrink_to_fit();
  placements_.push_back(std::move(placement));
  index_.insert(&placements_.back());
  return &placements_.back();
}

std::optional<const Placement*> Placements::made_of(const PlacementSource& source) {
  if (source.view() == recent_.source) return recent_.placement;
  const auto known = made_.find(source.view());
  if (known == made_.end()) return std::nullopt;
  recent_ = {known->first, known->second};
  return known->second;
}

void Placements::remember(const PlacementSource& source, const Placement* made) {
  const std::string& kept = sources_.emplace_back(source.view());
  made_.emplace(kept, made);
  recent_ = {kept, made};
}

std::size_t Placements::bytes() const {
  std::size_t total = index_.bucket_count() * (sizeof(void*) + 1) +
                      made_.bucket_count() * (sizeof(std::string_view) + sizeof(void*) + 1);
  for (const Placement& placement : placements_) total += bytes_of(placement);
  for (const std::string& source : sources_) total += sizeof(std::string) + source.capacity();
  return total;
}

}  // namespace ebb::model
