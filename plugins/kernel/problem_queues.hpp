// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace semblance::kernel {

/// The assignment of problems to ranks. All ranks have the same state, so that no rank has to
/// distribute problems.
class ProblemQueues {
 public:
  /// `costs`: of each problem; `open`: the problems to solve, in their order. Each rank gets
  /// consecutive problems, since neighbours share a class, with equal total costs as nearly as
  /// possible.
  ProblemQueues(std::vector<double> costs, std::span<const std::size_t> open, std::size_t ranks);

  /// The problems that a rank had not begun at its last report, in their order.
  std::span<const std::size_t> pending(std::size_t rank) const noexcept {
    return std::span(ranks_[rank].problems).subspan(ranks_[rank].begun);
  }

  /// Records that `rank` has begun the first `count` of pending(rank) and has finished the given
  /// problems.
  void record(std::size_t rank, std::size_t count, std::span<const std::size_t> done);

  /// Redistributes all problems that have not begun, if a rank has none left and another has some.
  /// Busy ranks get less: the problems that they have begun count half.
  void rebalance();

  /// Drops problems that have not begun, from this one on.
  void drop_from(std::size_t problem);

 private:
  struct Rank {
    std::vector<std::size_t> problems;
    std::size_t begun = 0;  // number of problems begun
    double busy = 0;        // cost of problems begun but not finished
  };
  void distribute(std::span<const std::size_t> problems);

  std::vector<double> costs_;
  std::vector<Rank> ranks_;
};

}  // namespace semblance::kernel
