// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/testing.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::numerics::long_rows_test {
namespace {

/// A Gaussian kernel on numbers, computed whole or in parts.
class Numbers final : public KernelSource {
 public:
  Numbers(std::vector<double> numbers, bool in_parts, bool some = false)
      : numbers_(std::move(numbers)), in_parts_(in_parts), some_(some) {}

  float value(std::size_t i, std::size_t j) const {
    return static_cast<float>(std::exp(-std::pow(numbers_[i] - numbers_[j], 2)));
  }
  void compute(std::span<const std::uint32_t> rows, std::size_t first,
               MutableMatrixView out) const override {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < out.cols; ++j) out.row(r)[j] = value(rows[r], first + j);
  }
  bool computes_in_parts() const noexcept override { return in_parts_; }
  void compute_in_parts(std::span<const std::uint32_t> rows, Range columns,
                        const TakePart& take) const override {
    if (!in_parts_) return KernelSource::compute_in_parts(rows, columns, take);
    constexpr std::size_t step = 1000;
    for (std::size_t j = 0; j < columns.count; j += step) {
      FloatMatrix part(rows.size(), std::min(step, columns.count - j));
      compute(rows, columns.first + j, part.view());
      take(columns.first + j, part.view());
    }
  }
  bool computes_some() const noexcept override { return some_; }
  void compute_some(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
                    MutableMatrixView out) const override {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < columns.size(); ++j) out.row(r)[j] = value(rows[r], columns[j]);
  }

 private:
  std::vector<double> numbers_;
  bool in_parts_;
  bool some_;
};

constexpr std::size_t n = 16500;

/// Negative numbers, then positive ones, with a gap.
std::vector<double> two_classes() {
  Random random(8);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < n; ++i)
    numbers.push_back((2 * i < n ? -1 : 1) * (0.3 + std::abs(random.normal())));
  return numbers;
}

TEST_CASE("a long row keeps no other row in memory") {
  const Numbers source(two_classes(), true);
  testing::TestContext context(3);
  constexpr std::size_t first_column = 17, columns = 16400;
  RowCache cache(source, {0, n}, {first_column, columns}, 3 * columns * sizeof(float));
  const auto fetch = [&](std::vector<std::uint32_t> wanted) {
    std::vector<RowCache::Row> rows(wanted.size());
    cache.fetch(wanted, rows, context);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < columns; ++j)
        REQUIRE(rows[r].get()[j] == source.value(wanted[r], first_column + j));
    return rows;
  };
  auto rows = fetch({3, 9000, 16000});
  const RowCache::Row held = rows[1];
  const std::vector<const float*> released{rows[0].get(), rows[2].get()};
  rows.clear();
  const auto others = fetch({5, 6, 7});
  for (const float* const memory : released)
    CHECK(std::ranges::count(others, memory, [](const auto& row) { return row.get(); }) == 1);
  CHECK(held.get()[0] == source.value(9000, first_column));
  CHECK(cache.cached(9000) == nullptr);
  CHECK(cache.cached(6) == others[1]);
  CHECK(cache.computed() == 6 * columns);
}

/// Solves with a cache of some rows; returns the kernel values computed through it as well.
std::pair<DualSolution, std::size_t> solve_with(bool in_parts, std::size_t cached_rows,
                                                std::optional<std::size_t> held,
                                                std::size_t threads, bool some = false) {
  const Numbers source(two_classes(), in_parts, some);
  testing::TestContext context(threads);
  RowCache cache(source, {0, n}, {0, n}, cached_rows * n * sizeof(float));
  DualProblem problem;
  problem.parts = {{0, n}};
  problem.rows[0][0] = &cache;
  for (std::size_t i = 0; i < n; ++i)
    problem.labels.push_back(static_cast<signed char>(2 * i < n ? -1 : 1));
  problem.costs.assign(n, 0.5);
  DualOptions options{1e-3, 1'000'000, 64};
  options.held_rows = held;
  options.fetched_rows = 7;
  DualSolution solution = solve(problem, options, context);
  return {std::move(solution), cache.computed()};
}

TEST_CASE("rows that are computed where they are summed change no bit, and are not stored") {
  const auto [expected, stored] = solve_with(false, 200, std::nullopt, 1);
  REQUIRE(expected.certificate == Certificate::converged);
  REQUIRE(expected.rounds > 3);
  for (const std::size_t cached : {0, 30, 200})
    for (const std::size_t threads : {1, 3}) {
      const auto [found, computed] = solve_with(true, cached, 0, threads);
      CHECK(found.coefficients == expected.coefficients);
      CHECK(found.bias == expected.bias);
      CHECK(found.rounds == expected.rounds);
      const std::size_t fetched_anew = solve_with(false, cached, 0, threads).second;
      if (cached == 0) CHECK(computed < fetched_anew);
    }
  CHECK(solve_with(true, 200, std::nullopt, 2).first.coefficients == expected.coefficients);
}

TEST_CASE("values between members need no rows, and rows of free variables are stored") {
  const auto [expected, fetched] = solve_with(true, 0, 0, 1);
  for (const std::size_t cached : {0, 5, 200}) {
    const auto [found, stored] = solve_with(true, cached, 0, 3, true);
    CHECK(found.coefficients == expected.coefficients);
    CHECK(found.bias == expected.bias);
    CHECK(found.rounds == expected.rounds);
    CHECK(stored < fetched);
    CHECK((stored > 0) == (cached > 0));
  }
}

}  // namespace
}  // namespace semblance::numerics::long_rows_test
