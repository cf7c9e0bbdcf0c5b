// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace semblance::solvers {

/// Which of some ranks solves which of some problems. All ranks know the same of it, so that no one
/// has to hand problems out.
class ProblemShares {
 public:
  /// `costs`: of each problem; `open`: which are to be solved, in their order. Each rank gets
  /// problems one after the other, of the same cost together as nearly as it can be: neighbours
  /// have a class in common.
  ProblemShares(std::vector<double> costs, std::span<const std::size_t> open, std::size_t ranks);

  /// The problems that a rank has not begun when it was last heard of, in their order.
  std::span<const std::size_t> waiting(std::size_t rank) const noexcept {
    return std::span(ranks_[rank].problems).subspan(ranks_[rank].begun);
  }

  /// Rank `rank` has begun the first `count` of waiting(rank), and is done with others.
  void heard(std::size_t rank, std::size_t count, std::span<const std::size_t> done);

  /// Shares all anew that nobody has begun, where a rank has none left and another has some.
  /// Whoever is busy gets less: what he has begun counts half.
  void even_out();

  /// Forgets problems that have not begun, from this one on.
  void drop_from(std::size_t problem);

 private:
  struct Rank {
    std::vector<std::size_t> problems;
    std::size_t begun = 0;  // of them
    double busy = 0;        // the cost of what it has begun and not done
  };
  void share_out(std::span<const std::size_t> problems);

  std::vector<double> costs_;
  std::vector<Rank> ranks_;
};

}  // namespace semblance::solvers
