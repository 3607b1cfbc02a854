// Makes the question to a picker of a consultation and of what is known about its candidates.
#pragma once

#include <functional>
#include <string_view>

#include "base/timestamp.h"
#include "model/pod.h"
#include "picker/consultation.h"
#include "picker/question.h"
#include "picker/settings.h"

namespace ebb::picker {

// The zone of a node; empty if it is not known.
using ZoneOf = std::function<std::string_view(model::Interned node)>;

// Nobody is asked for zones unless the context is full.
[[nodiscard]] Question ask_about(Consultation consultation, Context context, const ZoneOf& zone_of,
                                 Timestamp now);

}  // namespace ebb::picker
