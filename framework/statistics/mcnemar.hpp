// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::statistics {

/// The two-sided p value of McNemar's test (Q. McNemar, "Note on the sampling error of the
/// difference between correlated proportions or percentages", Psychometrika 12(2), 1947) in its
/// exact form, for any number of samples. `only_first` and `only_second` are the numbers of samples
/// that only one of two classifiers gets right. Without a difference between the classifiers, each
/// is binomial with probability 1/2. Twice the smaller tail, at most 1; 1 where no sample
/// distinguishes them.
double mcnemar_test(std::size_t only_first, std::size_t only_second);

}  // namespace semblance::statistics
