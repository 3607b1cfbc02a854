// Builds the picker request from a prepared request and the facts about its candidates.
#pragma once

#include <functional>
#include <string_view>

#include "base/timestamp.h"
#include "model/records/pod.h"
#include "picker/pick_request.h"
#include "picker/prepared_request.h"
#include "picker/settings.h"

namespace ebb::picker {

// The zone of a node; empty if it is not known.
using ZoneOf = std::function<std::string_view(model::Interned node)>;

// `zone_of` is only called if the context is full.
[[nodiscard]] PickRequest make_pick_request(PreparedRequest prepared, Context context,
                                            const ZoneOf& zone_of, Timestamp now);

}  // namespace ebb::picker
