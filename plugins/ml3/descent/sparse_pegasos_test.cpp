// SPDX-License-Identifier: MIT
#include "descent/sparse_pegasos.hpp"

#include <doctest/doctest.h>

#include "ml3_testing.hpp"

namespace sparse_pegasos_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;
using semblance::testing::TestContext;

namespace {

/// Points with two thirds of the values 0, as a matrix and in sparse form.
struct Both {
  Points dense;
  SparseRows sparse;
};

Both thinned(std::size_t rows, std::size_t cols, std::size_t classes) {
  Both both{random_points(rows, cols, classes), {}};
  Random random(9);
  both.sparse.cols = cols;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < cols; ++k) {
      float& x = both.dense.values.values[i * cols + k];
      if (random.below(3) > 0) x = 0;
      if (x != 0) both.sparse.entries.push_back({static_cast<std::uint32_t>(k), x});
    }
    both.sparse.ends.push_back(both.sparse.entries.size());
  }
  return both;
}

/// Asked a third time, it wants to stop.
class StopsLater final : public TestContext {
 public:
  StopReason stop_requested() const noexcept override {
    return ++asked_ > 2 ? StopReason::cancelled : StopReason::none;
  }

 private:
  mutable std::atomic<int> asked_ = 0;
};

}  // namespace

TEST_CASE("on sparse rows it is the descent on the rows themselves, rounding aside") {
  const Both both = thinned(300, 12, 4);
  const FloatMatrix ones = [] {
    FloatMatrix m(300, 1);
    std::fill(m.values.begin(), m.values.end(), 1.0f);
    return m;
  }();
  std::vector<double> row_weights;
  for (std::size_t i = 0; i < both.dense.labels.size(); ++i)
    row_weights.push_back(double(i % 3) / 2);
  for (const double bias : {0.0, 2.0})
    for (const double lambda : {1e-4, 1e-1}) {
      const PegasosOptions options{lambda, 3, 1};
      Problem problem = problem_of(both.dense, 4, 1, bias);
      if (lambda > 1e-2) problem.weights = row_weights;
      const PegasosResult dense = pegasos(problem, ones, options, Random(3), plain_surroundings());
      FloatMatrix weights;
      const PegasosOutcome sparse =
          sparse_pegasos({both.sparse, both.dense.labels, 4, bias, problem.weights}, options,
                         Random(3), plain_surroundings(), weights);
      REQUIRE(weights.rows == dense.w.cols());
      Doubles turned(4, std::vector<double>(weights.rows));
      for (std::size_t k = 0; k < weights.rows; ++k)
        for (std::size_t y = 0; y < 4; ++y) turned[y][k] = double{weights.values[4 * k + y]};
      CHECK(distance(turned, doubles(dense.w)) < 2e-3);
      REQUIRE(sparse.evaluation.has_value());
      CHECK(sparse.evaluation->objective(lambda) ==
            doctest::Approx(dense.evaluation->objective(lambda)).epsilon(1e-3));
      CHECK(sparse.epochs.size() == 3);
      CHECK(sparse.epochs[0].projections > 0);
      CHECK(sparse.epochs[0].projections == dense.epochs[0].projections);
    }
}

TEST_CASE("a stop leaves no model, or the iterate so far") {
  const Both both = thinned(600, 8, 3);
  TestContext cancelled;
  cancelled.stop = StopReason::cancelled;
  FloatMatrix weights;
  const SparseProblem problem{both.sparse, both.dense.labels, 3, 1};
  const auto stopped = sparse_pegasos(problem, {1e-3, 2, 1}, Random(1), {cancelled}, weights);
  CHECK(stopped.stopped);
  CHECK(weights.values == std::vector<float>(27, 0));
  StopsLater soon;
  const auto later = sparse_pegasos(problem, {1e-3, 2, 1}, Random(1), {soon}, weights);
  CHECK(later.stopped);
  CHECK(later.epochs.empty());
  CHECK(weights.values != std::vector<float>(27, 0));
}

}  // namespace sparse_pegasos_test
