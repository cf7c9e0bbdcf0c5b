// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "report/tables/comparison.hpp"

/// What the blocks of a table have in common, as far as the measurements show.
namespace semblance {

/// The measurements of a method that have a value.
std::vector<const Measurement*> measured_blocks(const Method& method);

/// How the blocks on which a method was measured are related. Blocks that share a file, all their
/// samples or their test samples overlap; they are `same_rows` where all have the same test
/// samples, or, without any, the same data. Nothing below two measured blocks.
std::optional<BlockRelation> relation_of_blocks(const Method& method);

/// The relation for all methods; unknown if none has two blocks.
BlockRelation relation_of_blocks(const ResultTable& table);

/// The relation that allows fewer tests.
BlockRelation stricter(BlockRelation one, BlockRelation other);

/// Whether two methods were measured on the same block: on the same test samples, or on as many of
/// data with a file or all samples in common, of which they may read other columns. True where it
/// was not recorded.
bool may_be_paired(const Measurement& one, const Measurement& other);

/// The table of the means over blocks that share samples, directly or by way of others; nothing
/// where blocks are all independent, or all related.
std::optional<ResultTable> table_of_groups(const ResultTable& table);

}  // namespace semblance
