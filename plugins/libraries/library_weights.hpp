// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace semblance::libraries {

/// Factors of C, one per class, in the form for LIBLINEAR and LIBSVM; empty if all are 1.
class LibraryWeights {
 public:
  explicit LibraryWeights(std::vector<double> factors) : factors_(std::move(factors)) {
    if (std::ranges::all_of(factors_, [](double factor) { return factor == 1; })) factors_.clear();
    labels_.resize(factors_.size());
    std::iota(labels_.begin(), labels_.end(), 0);
  }

  int count() const noexcept { return static_cast<int>(factors_.size()); }
  int* labels() noexcept { return factors_.empty() ? nullptr : labels_.data(); }
  double* factors() noexcept { return factors_.empty() ? nullptr : factors_.data(); }

 private:
  std::vector<double> factors_;
  std::vector<int> labels_;
};

}  // namespace semblance::libraries
