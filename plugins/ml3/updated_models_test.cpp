// SPDX-License-Identifier: MIT
#include "updated_models.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "centres.hpp"
#include "ml3_testing.hpp"
#include "pegasos.hpp"

namespace updated_models_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

constexpr std::size_t classes = 10, models = 40;

/// The weights of three models of each row, near each other in the order.
FloatMatrix few_weights(std::size_t rows, const std::vector<std::uint32_t>& order) {
  FloatMatrix weights(rows, models);
  Random random(3);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t first = random.below(models - 2);
    for (std::size_t place = first; place < first + 3; ++place)
      weights.view().row(i)[order[place]] = static_cast<float>(random.uniform(0.1, 0.5));
  }
  return weights;
}

std::vector<std::uint32_t> random_order() {
  std::vector<std::uint32_t> order = in_order(models);
  Random(7).shuffle(std::span(order));
  return order;
}

}  // namespace

TEST_CASE("models without a weight are omitted without changing any model") {
  const std::size_t rows = 700;
  const std::vector<std::uint32_t> order = random_order();
  const FloatMatrix weights = few_weights(rows, order);
  for (const bool background : {false, true}) {
    CAPTURE(background);
    const Points points =
        background ? points_on_background(rows, 90, classes) : random_points(rows, 90, classes);
    Problem problem = problem_of(points, classes, models);
    if (background) problem = on_background(problem);
    // The second lambda is so small that the scale is multiplied in.
    for (const double lambda : {1e-3, 1e-7}) {
      PegasosOptions options{lambda, 3, 64};
      const PegasosResult all = pegasos(problem, weights, options, Random(1), plain_surroundings());
      options.order = order;
      semblance::testing::TestContext two(2);
      for (const Surroundings& surroundings : {plain_surroundings(), Surroundings{two}}) {
        const PegasosResult few = pegasos(problem, weights, options, Random(1), surroundings);
        CHECK(doubles(few.w) == doubles(all.w));
        CHECK(few.epochs.back().losses == all.epochs.back().losses);
        CHECK(few.epochs.back().updates == all.epochs.back().updates);
      }
    }
  }
}

TEST_CASE("a chunk of models is multiplied with the samples that have a weight for one of them") {
  const std::vector<std::uint32_t> order = random_order();
  const Points points = random_points(64, 20, classes);
  const Problem problem = problem_of(points, classes, models);
  const FloatMatrix weights = few_weights(64, order);
  const FixedWeighting weighting(problem, weights, order);
  const std::vector<std::uint32_t> samples = in_order(64);
  MiniBatches batches(problem, weighting, 64, 1, false);
  batches.begin(samples, 0);
  MiniBatch& batch = batches.present().batch();
  const ModelMatrix w = random_models(problem, 5);
  UpdatedModels updated(problem, w, false, order, plain_surroundings());

  std::size_t used = 0;
  for (std::size_t chunk = 0; chunk < updated.v().chunks(); ++chunk)
    used += updated.users(chunk, batch).size();
  // Five chunks of 64 rows, 6.4 models of ten classes, and one with the rest; three models are in
  // one or two.
  CHECK(updated.v().chunks() == 6);
  CHECK(updated.v().chunk(5).rows() == problem.model_rows() - 5 * 64);
  CHECK(used >= 64);
  CHECK(used <= 2 * 64);

  ModelMatrix z(64, problem.model_rows());
  updated.update_and_multiply(Updates(classes), batch.rows(), batch, z.view());
  const Doubles wanted = doubles(w);
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t y = 0; y < classes; ++y) {
      const std::vector<float> exact = products(problem, wanted, y, sample(problem, i));
      for (std::size_t j = 0; j < models; ++j) {
        const bool has_weight = weights.view().row(i)[j] != 0;
        CHECK(z.row(i)[y * models + j] ==
              doctest::Approx(has_weight ? double{exact[j]} : 0.0).epsilon(1e-4));
      }
    }
  CHECK(doubles(updated.v_as_given()) == wanted);
}

TEST_CASE("a chain of centres follows a line from its end") {
  FloatMatrix centres(9, 1);
  for (std::size_t i = 0; i < 9; ++i) centres.values[i] = static_cast<float>(i * 4 % 9);
  const std::vector<std::uint32_t> chain = chain_of(centres);
  for (std::size_t i = 0; i < 9; ++i) CHECK(centres.values[chain[i]] == static_cast<float>(i));
}

}  // namespace updated_models_test
