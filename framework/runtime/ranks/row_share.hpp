// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "runtime/ranks/ranks.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// How many of some rows of a data set one process computes and keeps.
using RowShare = std::function<std::size_t(RowSpan rows, const Outline& of)>;

/// Of a process that shares the rows with others, or has none beside it.
RowShare share_of(const Ranks& ranks);

/// Of so many ranks, that which has most of the rows.
RowShare largest_share(std::size_t ranks);

}  // namespace semblance
