// SPDX-License-Identifier: MIT
#include "latent/weighting.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace weighting_test {

using namespace semblance;
using namespace semblance::ml3;

namespace {

constexpr double exponents[] = {1, 1.2, 4.0 / 3, 1.5, 1.7, 2, 10, 1000};
constexpr std::size_t classes = 7;

std::vector<float> products(std::size_t models, double scale, Random& random) {
  std::vector<float> z(classes * models);
  for (float& v : z) v = static_cast<float>(scale * random.normal());
  return z;
}

}  // namespace

TEST_CASE("judge finds the best rival wherever there may be a loss") {
  Random random(7);
  for (const double p : exponents)
    for (const std::size_t models : {1U, 5U, 16U, 54U})
      for (const double scale : {1e-30, 1e-3, 0.1, 1.0, 1e4, 1e30}) {
        CAPTURE(p);
        CAPTURE(models);
        CAPTURE(scale);
        const std::vector<std::int32_t> labels{2, 5};
        Problem problem{{}, labels, classes, models, 1, {}};
        problem.rows.rows = 2;
        const PowerBall ball(p);
        FloatMatrix own(2, models);
        const double weight = std::pow(double(models), -1 / p);  // on the ball's surface
        std::fill(own.values.begin(), own.values.end(), static_cast<float>(weight));
        LatentWeighting weighting(problem, ball, own);
        for (int trial = 0; trial < 20; ++trial) {
          std::vector<float> z = products(models, scale, random);
          const std::size_t label = trial % 2 == 0 ? 2 : 5;
          // Own products that leave a loss, none, and just about none.
          const double shift = trial % 5 * 0.7 / (weight * double(models));
          for (std::size_t j = 0; j < models; ++j)
            z[label * models + j] += static_cast<float>(shift);
          // Equally good rivals: the first counts.
          if (trial % 3 == 0) std::copy_n(z.begin(), models, z.end() - std::ptrdiff_t(models));

          float best = -1;
          std::size_t rival = 0;
          for (std::size_t y = 0; y < classes; ++y) {
            const float score = ball.score(std::span(z).subspan(y * models, models));
            if (y == label || score <= best) continue;
            best = score;
            rival = y;
          }
          const float own_score = ball.score(std::span(z).subspan(label * models, models));
          const Sample sample{label == 2 ? 0U : 1U, 0, label, own.view().row_span(0)};
          const Judgement judged = weighting.judge(sample, z);
          if (1 - (double{judged.own_linear} - double{best}) > 0) {
            CHECK(judged.rival == rival);
            CHECK(judged.rival_score == best);
          } else {
            CHECK(double{judged.own_linear} - double{judged.rival_score} >= 1);
          }
          if (double{own_score} - double{best} < 1) CHECK(judged.own_score == own_score);
          CHECK((judged.own_score > judged.rival_score) == (own_score > best));
        }
      }
}

}  // namespace weighting_test
