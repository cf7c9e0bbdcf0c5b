// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "rows/row_dataset.hpp"

namespace semblance::sources {

/// A data set in a program's memory, possibly with another boundary between training and test
/// samples and in another order. Values are never copied. Throws Error if it has not as many
/// labels, targets, weights or groups as rows.
std::unique_ptr<Dataset> array_rows(std::shared_ptr<const Dataset> data, Split split);

/// Throws Error if a value is not finite or not a symbol of the alphabet, if a label is not a
/// class, or if a target is missing or cannot be distinguished from others in float32. `given`: the
/// rows as the program has them. `keeps_missing`: values may be NaN.
void check_array_rows(const Dataset& data, const Dataset& given, bool keeps_missing,
                      Context& context);

/// A few rows of two classes that always exist, for trying the source.
std::shared_ptr<const Dataset> example_rows();

}  // namespace semblance::sources
