// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "semblance/context.hpp"
#include "semblance/pairs.hpp"
#include "semblance/samples.hpp"

namespace semblance {

/// The samples that pairs name, and the pairs as positions among these.
struct NamedRows {
  std::shared_ptr<const Rows> rows;
  PairSet pairs;
};

/// Sends all ranks the samples that listed pairs name. `rows` are all rows of a data set with
/// `train_rows` training samples, of which each rank has its own. Collective.
NamedRows named_rows(const std::shared_ptr<const Rows>& rows, std::size_t train_rows,
                     const PairSet& pairs, Context& context);

}  // namespace semblance
