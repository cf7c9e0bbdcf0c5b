// SPDX-License-Identifier: MIT
// A dual solved by several ranks, each with its own columns, has the bits of one process.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semblance/collectives_testing.hpp"
#include "semblance/random.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::numerics::dual_on_ranks_test {
namespace {

using namespace semblance::testing;

/// This rank's columns of a matrix, given by `owners`.
class OwnColumnsOf final : public KernelSource {
 public:
  OwnColumnsOf(const FloatMatrix& matrix, const std::vector<std::uint32_t>& owners,
               std::size_t rank)
      : matrix_(matrix) {
    for (std::size_t j = 0; j < matrix.cols; ++j)
      if (owners.empty() || owners[j] == rank) columns_.push_back(j);
  }
  bool collective() const noexcept override { return true; }
  void compute(std::span<const std::uint32_t> rows, std::size_t first,
               MutableMatrixView out) const override {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < out.cols; ++j)
        out.row(r)[j] = matrix_.view().row(rows[r])[columns_[first + j]];
  }
  std::size_t count() const { return columns_.size(); }
  /// The number of own columns among the first `end` columns of the matrix.
  std::size_t count_before(std::size_t end) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(columns_, end) - columns_.begin());
  }

 private:
  const FloatMatrix& matrix_;
  std::vector<std::size_t> columns_;
};

/// A Gaussian kernel on two overlapping clouds, the first half of the rows positive.
FloatMatrix gaussian_kernel(std::size_t rows) {
  Random random(10);
  std::vector<double> x(2 * rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      x[2 * i + j] = random.normal() + (2 * i < rows ? 0.6 : -0.6);
  FloatMatrix kernel(rows, rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k)
      kernel.values[i * rows + k] = static_cast<float>(std::exp(
          -0.5 * (std::pow(x[2 * i] - x[2 * k], 2) + std::pow(x[2 * i + 1] - x[2 * k + 1], 2))));
  return kernel;
}

/// The options for solving it.
struct Case {
  DualOptions options;
  std::size_t parts = 1;
  std::size_t cache_bytes = 0;
  double cost = 1;
  bool change_solvers = false;  // a new solver for each working set
};

DualSolution solved(const FloatMatrix& kernel, const std::vector<std::uint32_t>& owners,
                    const Case& how, Context& context) {
  const std::size_t n = kernel.rows, half = n / 2;
  const OwnColumnsOf source(kernel, owners, context.collectives().rank());
  const std::size_t own_half = source.count_before(half);
  const Range rows[] = {{0, half}, {half, n - half}};
  const Range columns[] = {{0, own_half}, {own_half, source.count() - own_half}};
  std::vector<std::unique_ptr<RowCache>> caches;
  DualProblem problem;
  if (how.parts == 1) {
    problem.parts = {{0, n}};
    caches.push_back(std::make_unique<RowCache>(source, Range{0, n}, Range{0, source.count()},
                                                how.cache_bytes, n));
    problem.rows[0][0] = caches.back().get();
  } else {
    problem.parts = {rows[0], rows[1]};
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t q = 0; q < 2; ++q) {
        caches.push_back(
            std::make_unique<RowCache>(source, rows[p], columns[q], how.cache_bytes, half));
        problem.rows[p][q] = caches.back().get();
      }
  }
  problem.labels.assign(n, -1);
  std::fill_n(problem.labels.begin(), half, 1);
  problem.costs.assign(n, how.cost);
  problem.owners = owners;
  if (!how.change_solvers) return solve(problem, how.options, context);
  std::optional<DualState> state;
  for (;;) {
    DualSolver solver(problem, how.options, context);
    if (state) REQUIRE(solver.resume(*state));
    if (solver.advance([] { return true; })) return solver.take();
    state = solver.state();
  }
}

bool same(const DualSolution& a, const DualSolution& b) {
  return a.coefficients == b.coefficients && a.bias == b.bias && a.dual == b.dual &&
         a.primal == b.primal && a.squared_norm == b.squared_norm && a.violation == b.violation &&
         a.rounding == b.rounding && a.steps == b.steps && a.rounds == b.rounds &&
         a.shrinkings == b.shrinkings && a.vectors == b.vectors && a.bounded == b.bounded &&
         a.certificate == b.certificate;
}

/// Assignments of variables to ranks: in runs, in turns, and with none for the last rank.
std::vector<std::vector<std::uint32_t>> sharings(std::size_t variables, std::uint32_t ranks) {
  std::vector<std::vector<std::uint32_t>> all(3, std::vector<std::uint32_t>(variables));
  for (std::uint32_t i = 0; i < variables; ++i) {
    all[0][i] = static_cast<std::uint32_t>(i * ranks / variables);
    all[1][i] = i * 7 % ranks;
    all[2][i] = i % (ranks - 1);
  }
  return all;
}

void check_same(const Case& how) {
  const FloatMatrix kernel = gaussian_kernel(600);
  TestContext alone;
  const DualSolution expected = solved(kernel, {}, how, alone);
  REQUIRE(expected.rounds > 10);
  if (how.options.shrinking) REQUIRE(expected.shrinkings > 0);
  for (const std::uint32_t ranks : {2U, 3U, 5U})
    for (const auto& owners : sharings(kernel.rows, ranks)) {
      CAPTURE(ranks);
      std::atomic<std::size_t> found = 0;
      on_ranks(ranks, [&](RankContext& context) {
        found += same(solved(kernel, owners, how, context), expected);
      });
      CHECK(found == ranks);
    }
}

TEST_CASE("ranks that solve a dual together get the bits of one process") {
  check_same({{1e-6, 1'000'000, 24}});
  check_same({{1e-6, 1'000'000, 24}, 2, 40'000});
  check_same({{1e-6, 1'000'000, 64}, 2, 1 << 20, 100});
}

TEST_CASE(
    "the bits are those of one process with shrinking, with few rows in memory, and after a "
    "resumption") {
  check_same({{1e-6, 1'000'000, 24, true}});
  DualOptions few{1e-6, 1'000'000, 24};
  few.held_rows = 5;
  few.fetched_rows = 3;
  check_same({few, 2, 10'000});
  check_same({few, 1, 0, 1, true});
  check_same({{1e-6, 1'000'000, 24, true}, 1, 0, 1, true});
}

TEST_CASE("messages for a working set do not grow with the number of variables") {
  const auto sent_a_round = [](std::size_t variables) {
    const FloatMatrix kernel = gaussian_kernel(variables);
    const Case how{{1e-6, 2'000, 32}};
    std::size_t sent = 0, rounds = 1;
    on_ranks(2, [&](RankContext& context) {
      const DualSolution found = solved(kernel, sharings(variables, 2).front(), how, context);
      if (context.collectives().rank() > 0) return;
      // All gradients, once.
      sent = context.collectives().sent() - 8 * variables / 2;
      rounds = found.rounds;
    });
    return sent / rounds;
  };
  const std::size_t few = sent_a_round(400), many = sent_a_round(1600);
  CHECK(few > 0);
  CHECK(many < 2 * few);
}

TEST_CASE("all ranks report the same overflow of gradients") {
  // Without curvature, only C limits the steps.
  FloatMatrix kernel(200, 200);
  for (std::size_t i = 0; i < 200; ++i) kernel.values[201 * i] = -0x1p127F;
  const Case how{{1e-6, 1'000'000, 16}, 1, 0, 1e300};
  const auto message = [&](const std::vector<std::uint32_t>& owners, Context& context) {
    try {
      solved(kernel, owners, how, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  TestContext alone;
  const std::string expected = message({}, alone);
  CHECK(expected ==
        "with C up to 1e+300 and kernel values up to 1.7014118346046923e+38 the gradients "
        "overflow; lower C, or scale the samples (normalizer/unit_length, normalizer/zscore)");
  std::atomic<std::size_t> found = 0;
  on_ranks(
      3, [&](RankContext& context) { found += message(sharings(200, 3)[1], context) == expected; });
  CHECK(found == 3);
}

}  // namespace
}  // namespace semblance::numerics::dual_on_ranks_test
