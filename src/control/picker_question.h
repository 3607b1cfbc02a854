// The question to a picker about the pods of a ReplicaSet.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/store.h"
#include "model/pod.h"
#include "picker/settings.h"

namespace ebb::control {

// Those that do not go anyway, by name.
[[nodiscard]] std::vector<const model::Pod*> candidates_of(
    std::span<const model::Pod* const> active);

// As it goes over the wire: JSON or protobuf, with as much about each candidate as the
// settings ask for.
[[nodiscard]] std::string write_question(const picker::Settings& settings,
                                         std::span<const model::Pod* const> candidates,
                                         std::size_t requested, const Store& store, Timestamp now);

}  // namespace ebb::control
