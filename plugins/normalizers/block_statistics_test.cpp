// SPDX-License-Identifier: MIT
#include "block_statistics.hpp"

#include <limits>
#include <tuple>

#include "normalizer_testing.hpp"
#include "semblance/collectives_testing.hpp"

namespace block_statistics_test {

using namespace semblance;
using namespace semblance::normalizers;
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

TEST_CASE("the same bits on any number of ranks and threads") {
  for (const std::size_t count : {std::size_t{3}, block_rows * 11 + 3}) {
    const FloatMatrix m = sample_rows(count, 5);
    const MemoryRows rows(m);
    const auto statistics = [](const Rows& of, Context& context) {
      const auto means = column_means(of, context);
      const ColumnRange range = column_ranges(of, context);
      return std::tuple(means, column_deviations(of, means, context), range.low, range.high,
                        mean_centred_norm(of, means, context));
    };
    TestContext alone;
    const auto expected = statistics(rows, alone);
    for (const std::size_t ranks : {2U, 3U, 8U, 20U})
      on_ranks(ranks, [&](RankContext& context) {
        if (statistics(OwnRows(rows, context.collectives()), context) != expected)
          throw Error("other bits on " + std::to_string(ranks) + " ranks");
      });
  }
}

TEST_CASE("a value that is not finite is named, whoever has it") {
  FloatMatrix m = sample_rows(block_rows * 9, 5);
  m.view().row(1500)[2] = std::numeric_limits<float>::quiet_NaN();
  const MemoryRows rows(m);
  TestContext alone;
  std::string message;
  try {
    column_ranges(rows, alone);
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(message.find("1500") != std::string::npos);
  CHECK_THROWS_WITH(on_ranks(4,
                             [&](RankContext& context) {
                               column_ranges(OwnRows(rows, context.collectives()), context);
                             }),
                    message.c_str());
}

}  // namespace block_statistics_test
