// SPDX-License-Identifier: MIT
#pragma once

#include "newton/newton.hpp"
#include "newton/row_span.hpp"

namespace semblance::linear {

/// Whether the problems are solved in the span of the rows first. Depends only on sizes, so that
/// the bits depend on nothing else.
bool worth_span(std::size_t rows, std::size_t dimension, std::size_t problems) noexcept;

/// minimise(), starting at the optimum in the span of the rows of `problem`, which has one
/// coordinate per row. The result is evaluated on the rows themselves, and Newton steps with all
/// columns follow if rounding errors exceed the tolerance. So objective, bound and certificate are
/// those of the problem itself.
std::vector<Solution> minimise_in_span(const RowSpan& span, SquaredHinge& problem,
                                       std::span<const double> costs, const NewtonOptions& options,
                                       Context& context);

/// Bytes that minimise_in_span() needs in addition to minimise(), including the span.
std::size_t span_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept;

}  // namespace semblance::linear
