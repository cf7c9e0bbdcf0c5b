// SPDX-License-Identifier: MIT
#pragma once

#include "report/tables/comparison.hpp"

namespace semblance {

/// How the blocks on which a method was measured are related, as far as the measurements tell.
/// Blocks that share a file, all their rows or their test rows overlap; they are `same_rows` where
/// all have the same test rows, or, without any, the same data. Nothing below two measured blocks.
std::optional<BlockRelation> relation_of_blocks(const Method& method);

/// The one that allows fewer tests.
BlockRelation stricter(BlockRelation one, BlockRelation other);

/// For all methods; unknown if none has two blocks.
BlockRelation relation_of_blocks(const ResultTable& table);

/// Whether a method has different results on its blocks: other figures or, if known, other rows
/// classified right.
bool repeats_vary(const Method& method);

}  // namespace semblance
