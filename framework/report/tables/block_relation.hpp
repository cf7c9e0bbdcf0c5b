// SPDX-License-Identifier: MIT
#pragma once

#include "report/tables/comparison.hpp"

namespace semblance {

/// How the blocks on which a method was measured are related, as far as the measurements show.
/// Blocks that share a file, all their samples or their test samples overlap; they are `same_rows`
/// where all have the same test samples, or, without any, the same data. Nothing below two measured
/// blocks.
std::optional<BlockRelation> relation_of_blocks(const Method& method);

/// The relation that allows fewer tests.
BlockRelation stricter(BlockRelation one, BlockRelation other);

/// The relation for all methods; unknown if none has two blocks.
BlockRelation relation_of_blocks(const ResultTable& table);

/// Whether a method has different results on its blocks: other figures or, if known, other samples
/// classified right.
bool repeats_vary(const Method& method);

}  // namespace semblance
