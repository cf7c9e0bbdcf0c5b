// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "runtime/ranks/ranks.hpp"
#include "semblance/source.hpp"

namespace semblance {

/// How many of some rows of a data set one process computes and retains.
using RowShare = std::function<std::size_t(RowSpan rows, const Outline& of)>;

/// For a process that shares the rows with other ranks, or is alone.
RowShare share_of(const Ranks& ranks);

/// For the rank, out of `ranks`, that has most of the rows.
RowShare largest_share(std::size_t ranks);

}  // namespace semblance
