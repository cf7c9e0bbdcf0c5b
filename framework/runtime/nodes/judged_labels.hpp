// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/session/session.hpp"

namespace semblance {

/// The labels of some rows as classes of a model: new data may name other classes, fewer, or none,
/// so that labels are matched by name. -1: none of them.
std::vector<std::int32_t> matched_labels(const Dataset& data, RowSpan rows,
                                         const std::vector<std::string>& classes);

/// Labels of the new rows that the model has no class for may be a mistake: warns of them.
void tell_unknown_labels(Session& session, std::size_t solver, RowSpan rows,
                         std::span<const std::int32_t> matched);

}  // namespace semblance
