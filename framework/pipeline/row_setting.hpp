// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "pipeline/pipeline.hpp"

namespace semblance {

/// The nodes that choose pairs of a source's samples and also choose the samples for testing
/// (Pairs::sets_rows_aside()): the source's output depends on them.
std::vector<std::size_t> nodes_setting_rows_aside(const Pipeline& pipeline, std::size_t source,
                                                  const Catalogue& catalogue);

}  // namespace semblance
