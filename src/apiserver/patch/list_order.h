// The order of a list's entries after a strategic merge patch.
//
// Entries in the patch (or in $setElementOrder, if present) come in the patch's order. The others
// keep their order. When the two sequences are merged, an existing entry stays in front of the
// entries that it preceded; new ones come as early as possible. So [a, b] patched with [c] is [c,
// a, b], as in Kubernetes.
#pragma once  // private to its room

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "model/api/status.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

// The identity of a list entry: the value of the merge key, or the entry itself. It is JSON, so
// that 1 and "1" differ. Empty if the entry has none.
[[nodiscard]] std::string identity_of(const schema::Field& list, const boost::json::value& entry);
[[nodiscard]] std::vector<std::string> identities_of(const schema::Field& list,
                                                     const boost::json::array& entries);

// `named` is the order in the patch, `before` the order of the list before the patch.
void order_entries(const schema::Field& list, boost::json::array& entries,
                   const std::vector<std::string>& named, const std::vector<std::string>& before);

// Returns the identities in a $setElementOrder list. A 400 if an entry has none, or if the entries
// of the patch are not in the list in the same order.
[[nodiscard]] model::StatusOr<std::vector<std::string>> read_element_order(
    const schema::Field& list, const boost::json::array& order,
    const std::vector<std::string>& in_patch);

}  // namespace ebb::apiserver
