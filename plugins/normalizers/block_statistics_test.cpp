// SPDX-License-Identifier: MIT
#include "block_statistics.hpp"

#include "normalizer_testing.hpp"

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("column statistics equal plain sums in double") {
  const FloatMatrix m = sample_rows(777, 13);
  const MemoryRows rows(m);
  TestContext context;
  const auto means = column_means(rows, context);
  const auto deviations = column_deviations(rows, means, context);
  const ColumnRange range = column_ranges(rows, context);
  for (std::size_t c = 0; c < 13; ++c) {
    double sum = 0, squares = 0, low = m.values[c], high = m.values[c];
    for (std::size_t i = 0; i < 777; ++i) {
      const double x = m.view().row(i)[c];
      sum += x, low = std::min(low, x), high = std::max(high, x);
    }
    for (std::size_t i = 0; i < 777; ++i) squares += std::pow(m.view().row(i)[c] - sum / 777, 2);
    CHECK(means[c] == doctest::Approx(sum / 777).epsilon(1e-12));
    CHECK(deviations[c] == doctest::Approx(std::sqrt(squares / 777)).epsilon(1e-12));
    CHECK(range.low[c] == low);
    CHECK(range.high[c] == high);
  }
}

TEST_CASE("batches of blocks give the same bits as all at once") {
  const FloatMatrix m = sample_rows(block_rows * 5 + 3, 4);
  const MemoryRows rows(m);
  TestContext context;
  const auto sum = [&](std::size_t width) {  // a huge width forces small batches
    double total = 0;
    reduce_blocks(
        rows, context, width,
        [](MatrixView view, std::span<double> out) {
          for (std::size_t i = 0; i < view.rows; ++i) out[0] += view.row(i)[0] * 1e-3;
        },
        [&](std::span<const double> out) { total += out[0]; });
    return total;
  };
  CHECK(sum(1) == sum(std::size_t{4} << 20));
}
