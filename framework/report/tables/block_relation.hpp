// SPDX-License-Identifier: MIT
#pragma once

#include "report/tables/comparison.hpp"

namespace semblance {

/// What the blocks on which a method was measured have to do with each other, as far as the
/// measurements tell. Blocks that share a file, all their rows or their test rows overlap; they are
/// `same_rows` where all have the same test rows, or, without any, the same data. Nothing below two
/// measured blocks.
std::optional<BlockRelation> relation_of_blocks(const Method& method);

/// The one that allows fewer tests.
BlockRelation stricter(BlockRelation one, BlockRelation other);

/// Of all methods; unknown where none has two blocks.
BlockRelation relation_of_blocks(const ResultTable& table);

/// Whether a method has several results on its blocks: other figures, or other rows right where
/// these are known.
bool repeats_vary(const Method& method);

}  // namespace semblance
