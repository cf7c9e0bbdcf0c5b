// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "classes/class_scores.hpp"
#include "dual/dual_task.hpp"

namespace semblance::kernel {

/// The two-class problems on a kernel matrix whose rows are sorted by class.
class ClassProblems final : public DualTask {
 public:
  /// `starts`: the first row of each class, and the number of rows; `costs`: C of each row.
  ClassProblems(std::vector<std::size_t> starts, std::vector<double> costs, bool one_versus_one)
      : costs(std::move(costs)),
        starts_(std::move(starts)),
        one_versus_one_(one_versus_one),
        pairs_(opponents(classes(), one_versus_one)) {}

  std::vector<double> costs;

  std::size_t count() const noexcept override { return pairs_.size(); }
  std::array<numerics::Range, 2> parts(std::size_t problem) const override;
  Variable variable(std::size_t problem, std::size_t i) const override;
  bool two_classes() const noexcept override { return classes() == 2; }

  std::size_t classes() const noexcept { return starts_.size() - 1; }
  bool one_versus_one() const noexcept { return one_versus_one_; }
  const std::vector<Opposed>& pairs() const noexcept { return pairs_; }
  std::size_t class_of(std::size_t place) const;
  /// The variable of a row, if it is part of the problem.
  std::optional<std::size_t> variable_of(std::size_t problem, std::size_t place) const;
  /// Whether a row is on the positive side of the problem.
  bool positive(std::size_t problem, std::size_t place) const;
  /// Whether a row of the class has a cost above 0.
  bool trains(std::size_t c) const;
  /// 1 or -1: the side of a problem whose rows have costs above 0, if the other has none, or -1 if
  /// neither has. Such a problem has no solution that separates anything, and no certificate.
  std::optional<double> only_side(std::size_t problem) const;

 private:
  /// Whether each problem has the rows of two classes of several.
  bool divided() const noexcept { return one_versus_one_ && classes() > 2; }
  numerics::Range rows(std::int32_t c) const noexcept {
    const auto at = static_cast<std::size_t>(c);
    return {starts_[at], starts_[at + 1] - starts_[at]};
  }
  bool trains_side(std::size_t problem, bool positive) const;

  std::vector<std::size_t> starts_;
  bool one_versus_one_;
  std::vector<Opposed> pairs_;
};

}  // namespace semblance::kernel
