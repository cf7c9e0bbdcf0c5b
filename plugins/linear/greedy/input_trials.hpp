// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "inner_context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/samples.hpp"
#include "semblance/solver.hpp"

namespace semblance::linear {

/// Blocks of adjacent columns: the inputs of a solver, or some of them.
class ColumnBlocks {
 public:
  /// All blocks, of these widths, from the left.
  explicit ColumnBlocks(std::span<const std::size_t> widths);

  /// Only these blocks, in their order from left to right.
  ColumnBlocks only(std::vector<std::size_t> blocks) const;

  std::size_t width() const noexcept;
  void copy(const float* row, float* out) const;

 private:
  struct Block {
    std::size_t first = 0;
    std::size_t width = 0;
  };
  std::vector<Block> blocks_;
};

/// Some columns of some rows, copied.
class PickedRows final : public Rows {
 public:
  /// Copies the rows r of `rows` with wanted[r], in their order, block by block.
  PickedRows(const Rows& rows, const std::vector<bool>& wanted, const ColumnBlocks& columns);

  static std::size_t bytes(std::size_t rows, std::size_t cols) noexcept {
    return rows * cols * sizeof(float);
  }

  std::size_t rows() const noexcept override { return values_.rows; }
  std::size_t cols() const noexcept override { return values_.cols; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return values_.view().rows_range(first, count);
  }
  void release(std::size_t, std::size_t) const override {}

 private:
  FloatMatrix values_;
};

/// Trains solvers on some of the inputs and measures them by stratified cross-validation on the
/// training samples, with the same folds for all.
class InputTrials {
 public:
  /// `widths` are the columns of each input. Samples of a group stay together; `groups` may be
  /// empty. Throws Error if a class has a single sample, or if there are fewer samples or groups
  /// than folds.
  InputTrials(const TrainingSet& training, std::span<const std::size_t> widths,
              const Maker<Solver>& solver, std::size_t folds, std::span<const std::int32_t> groups,
              Context& context);

  /// The accuracy with the inputs `chosen` together with each of `candidates`, over all held-out
  /// training samples, each classified by the solver trained without its fold. Solvers are trained
  /// in parallel as far as the memory budget allows, each with a part of it that does not depend on
  /// the number of threads. Nothing if a stop was requested before the end; throws Error if a fold
  /// does not fit into the budget.
  std::optional<std::vector<double>> accuracies(std::span<const std::size_t> chosen,
                                                std::span<const std::size_t> candidates);

  std::size_t trainings() const noexcept { return trainings_; }
  /// The number of trainings without the certificate "converged".
  std::size_t unconverged() const noexcept { return unconverged_; }

 private:
  struct Job {
    ColumnBlocks columns;
    std::size_t fold = 0;
    std::size_t hits = 0;
  };
  std::size_t most_rows_learned() const;
  void run(std::vector<Job>& jobs);
  void run_one(Job& job, std::size_t memory);
  std::size_t count_hits(const Solver& solver, const Job& job, Context& context) const;

  const TrainingSet& training_;
  const Maker<Solver>& make_;
  const std::span<const std::int32_t> groups_;
  Context& context_;
  const ColumnBlocks all_;
  const std::size_t folds_;
  std::vector<std::size_t> fold_of_;  ///< no_part: never held out
  std::size_t held_out_ = 0;          ///< samples held out by a fold
  std::mutex making_;
  std::atomic<std::size_t> trainings_ = 0, unconverged_ = 0;
};

}  // namespace semblance::linear
