#include "order/reason.h"

#include <fmt/format.h>

#include "base/check.h"
#include "order/removal_order.h"

namespace ebb::order {
namespace {

Reason first_difference(const Contrast& contrast, const OrderContext& context) {
  Reason reason;
  const bool found = find_criterion([&]<class Criterion>() {
    if (Criterion::key(contrast.pod, context) == Criterion::key(contrast.other, context)) {
      return false;
    }
    reason = {Criterion::kName, Criterion::because(contrast, context),
              Criterion::brief(contrast, context)};
    return true;
  });
  EBB_CHECK(found);  // uids differ, so one criterion does
  return reason;
}

}  // namespace

Reason why_it_goes(const Lineup& lineup, std::size_t place, std::size_t victims) {
  EBB_CHECK(place < victims && victims <= lineup.size());
  if (victims == lineup.size()) {
    return {kAll, "no active pod stays", "no active pod stays"};
  }
  const Candidate& kept = lineup[victims];
  const std::string name = fmt::format("{}, the first pod kept", kept.pod->name.view());
  return first_difference({lineup[place], kept, name, true}, lineup.context());
}

Reason why_it_stays(const Lineup& lineup, std::size_t place, std::size_t victims) {
  EBB_CHECK(victims > 0 && victims <= place && place < lineup.size());
  const Candidate& removed = lineup[victims - 1];
  const std::string name = fmt::format("{}, the last pod removed", removed.pod->name.view());
  return first_difference({lineup[place], removed, name, false}, lineup.context());
}

}  // namespace ebb::order
