// In which order the entries of a list are after a strategic merge patch.
//
// Entries that the patch names (or $setElementOrder, where there is one) come in the order
// in which it names them. The others keep the order they had. Where the two meet, an entry
// that was there before stands in front of those it stood in front of; new ones come as early
// as they can. So [a, b] patched with [c] is [c, a, b], as in Kubernetes.
#pragma once

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "model/status.h"
#include "schema/shape.h"

namespace ebb::apiserver {

// What tells entries of a list apart: the value of the merge key, or the entry itself. As
// JSON, so that 1 and "1" differ. Empty if the entry has none.
[[nodiscard]] std::string identity_of(const schema::Field& list, const boost::json::value& entry);
[[nodiscard]] std::vector<std::string> identities_of(const schema::Field& list,
                                                     const boost::json::array& entries);

// `named` is the patch's order, `before` the list's order before the patch.
void order_entries(const schema::Field& list, boost::json::array& entries,
                   const std::vector<std::string>& named, const std::vector<std::string>& before);

// The identities in a $setElementOrder list. A 400 if one has none, or if the entries that
// the patch names are not among them in the same order.
[[nodiscard]] model::StatusOr<std::vector<std::string>> read_element_order(
    const schema::Field& list, const boost::json::array& order,
    const std::vector<std::string>& in_patch);

}  // namespace ebb::apiserver
