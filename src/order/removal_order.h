// The removal order: the list of all criteria, in order.
#pragma once

#include <array>
#include <tuple>

#include "order/candidate.h"
#include "order/co_location.h"
#include "order/cost_rank.h"
#include "order/creation_age.h"
#include "order/deletion_cost.h"
#include "order/not_ready.h"
#include "order/phase.h"
#include "order/picker_rank.h"
#include "order/prefer_for_scale_down.h"
#include "order/ready_age.h"
#include "order/restarts.h"
#include "order/uid.h"
#include "order/unassigned.h"

namespace ebb::order {

// A criterion gives each pod a key and never compares pairs. Pods are ordered by their keys,
// criterion by criterion; the smaller key goes first. Because the last key is unique, this is a
// total order.
using RemovalOrder = std::tuple<Unassigned,          //  1 not on any node
                                Phase,               //  2 Pending, Unknown, Running
                                NotReady,            //  3 receives no traffic
                                PreferForScaleDown,  //  4 marked for removal
                                DeletionCost,        //  5 the application's own estimate
                                CostRank,            //  6 the ranker's estimate
                                PickerRank,          //  7 the picker's answer, or else
                                CoLocation,          //  7 spread over nodes
                                ReadyAge,            //  8 young pods hold less work
                                Restarts,            //  9 unstable pods
                                CreationAge,         // 10 young pods
                                Uid>;                // 11 a fixed shuffle of what is left

inline constexpr std::size_t kCriteria = std::tuple_size_v<RemovalOrder>;

// The value of `decidedBy` if no pod is kept to compare with.
inline constexpr std::string_view kAll = "All";

// Calls visit.operator()<Criterion>() for each criterion in order.
template <class Visit>
constexpr void for_each_criterion(Visit&& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit.template operator()<std::tuple_element_t<I, RemovalOrder>>(), ...);
  }
  (std::make_index_sequence<kCriteria>());
}

// The same until visit returns true; returns whether it did.
template <class Visit>
constexpr bool find_criterion(Visit&& visit) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (visit.template operator()<std::tuple_element_t<I, RemovalOrder>>() || ...);
  }
  (std::make_index_sequence<kCriteria>());
}

}  // namespace ebb::order
