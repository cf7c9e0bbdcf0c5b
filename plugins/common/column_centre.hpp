// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::common {

/// The point that rows are trained on and scored about: the means of their columns, so that
/// products in float32 keep their digits wherever the columns' zeros are, and shrinking the models
/// does not weigh a level. Empty: rows are taken as they are.
using Centre = std::vector<double>;

/// The mean of each column over the rows of all ranks, by weight (`weights` empty: 1). Summed up
/// the tree over the parts of the rows, so it depends neither on threads nor on ranks. Collective.
Centre column_means(const Rows& rows, std::span<const double> weights, Context& context);

/// out = row - centre, of `cols` values, each rounded once.
void copy_about(std::span<const double> centre, const float* row, std::size_t cols, float* out);

/// Copies of the rows minus the centre.
FloatMatrix about(std::span<const double> centre, MatrixView rows);

/// Save and restore the number of columns and the centre. A model without a centre has the state
/// that models had before there was one.
void save_inputs(StateWriter& state, std::size_t inputs, const Centre& centre);
std::pair<std::int64_t, Centre> load_inputs(const StateReader& state);

}  // namespace semblance::common
