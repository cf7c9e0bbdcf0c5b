// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/pair_sums.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::pairs {

/// The pairs (c, d) of the columns of the pair kernel's matrix. A row is computed from two rows of
/// standard kernel values by vector operations. If many consecutive pairs share an example, as in
/// sorted pairs, most gathered data are one repeated value and one copied range.
class PairColumns {
 public:
  PairColumns() = default;
  /// Pairs of examples by number. `signs`, if the kernel is ordered: sgn(c_1 - d_1) of each pair.
  PairColumns(std::vector<std::int32_t> first, std::vector<std::int32_t> second,
              std::vector<float> signs = {});

  std::size_t size() const noexcept { return first_.size(); }
  std::span<const std::int32_t> first() const noexcept { return first_; }
  std::span<const std::int32_t> second() const noexcept { return second_; }
  std::span<const float> signs() const noexcept { return signs_; }

  /// out[j] = K((a, b), pair from + j) for j < count, given k(a, .) and k(b, .) for all examples,
  /// and sgn(a_1 - b_1). Thread-safe.
  void evaluate(const PairKernel& kernel, const float* a, const float* b, float sign,
                std::size_t from, std::size_t count, float* out) const;

 private:
  /// Neighbouring pairs with the same example on one side; on the other side they may count up.
  struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool first_is_fixed = true;
    bool counts_up = false;
  };
  void find_runs();
  void gather(const Run& run, const float* row, std::size_t from, std::size_t count, float* fixed,
              float* moving) const;

  std::vector<std::int32_t> first_, second_;
  std::vector<float> signs_;
  std::vector<Run> runs_;
};

/// The pair kernel's values between training pairs, computed from the cached matrix of the standard
/// kernel whenever they are needed: a few operations per value, for any standard kernel and
/// dimension (section 5). Computing a row takes about as long as reading it from memory, so rows
/// are not cached. Sums over many rows are matrix products if the kernel factors and that is
/// faster.
class PairRows final : public numerics::DirectKernel {
 public:
  /// How sums over rows are computed.
  enum class Sums { rows, products, cheaper };

  /// `standard` is n x n, symmetric; the pairs refer to its rows, ascending by their first example
  /// if the kernel is symmetric. Products require is_pair_sum().
  PairRows(const PairKernel& kernel, MatrixView standard, const PairColumns& pairs,
           Sums how = Sums::cheaper);

  void values(std::uint32_t variable, std::span<const std::uint32_t> others,
              float* out) const override;
  void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
           std::span<double> sums, Context& context) const override;

 private:
  void add_rows(std::span<const std::uint32_t> variables, std::span<const double> factors,
                std::size_t first, std::span<double> sums) const;
  void row(std::uint32_t variable, std::size_t first, std::size_t count, float* out) const;

  const PairKernel& kernel_;
  MatrixView standard_;
  const PairColumns& pairs_;
  Sums how_;
  std::optional<PairSums<double>> products_;
};

}  // namespace semblance::pairs
