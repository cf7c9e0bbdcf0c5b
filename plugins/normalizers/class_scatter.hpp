// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"

namespace semblance::normalizers {

/// Covariances of labelled rows, row-major and symmetric.
struct ClassScatter {
  std::vector<double> mean;    ///< of all rows
  std::vector<double> within;  ///< of classes with at least two rows, see class_scatter()
  std::vector<double> total;   ///< of all rows, divided by their number
  std::size_t paired = 0;      ///< rows whose class has another row
};

/// `within` is the mean over the rows whose class has n >= 2 rows of n / (n - 1) (x - m_c)(x -
/// m_c)^T, m_c being the mean of the class: it does not shrink for small classes. 0 if there are no
/// such rows. The same bits for any number of threads. Throws Error if the budget is too small or a
/// value is not finite.
ClassScatter class_scatter(const TrainingSet& training, Context& context);

}  // namespace semblance::normalizers
