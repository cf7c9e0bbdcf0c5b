// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "class_problems.hpp"

namespace semblance::kernel {

/// The columns of kernel rows computed on this rank: all, or, if the source is collective, those of
/// its own samples, in their order. Also the largest number of columns on any rank, so that all
/// ranks plan their memory alike.
class OwnColumns {
 public:
  OwnColumns(const ClassProblems& problems, std::size_t rank);

  numerics::Range of(std::size_t c) const noexcept {
    return {starts_[c], starts_[c + 1] - starts_[c]};
  }
  numerics::Range all() const noexcept { return {0, starts_.back()}; }

  std::size_t most_of(std::size_t c) const noexcept { return most_[c]; }
  std::size_t most_of_all() const noexcept { return most_of_all_; }
  /// The largest number for any problem: two classes against each other, or all samples.
  std::size_t most_of_problem(bool pairs) const;

 private:
  std::vector<std::size_t> starts_;  // the first column of each class, and the number of columns
  std::vector<std::size_t> most_;    // per class
  std::size_t most_of_all_ = 0;
};

}  // namespace semblance::kernel
