// SPDX-License-Identifier: MIT
// The t-test of variants that are compared on the folds of one cross-validation.
#include <doctest/doctest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace folds_of_studies_test {

using namespace semblance::testing;

namespace {

/// A table without test samples: two noisy classes of different size.
std::string table(std::size_t rows) {
  semblance::Random random(5);
  std::ostringstream text;
  for (std::size_t i = 0; i < rows; ++i) {
    const bool second = i % 3 == 0;
    text << random.normal() + (second ? 1.2 : 0) << "," << random.normal() * 3 << ","
         << (second ? "b" : "a") << "\n";
  }
  return text.str();
}

std::vector<double> values(const nlohmann::json& study, std::size_t method) {
  std::vector<double> all;
  for (const auto& measured : study.at("methods").at(method).at("measurements"))
    all.push_back(measured.at("value"));
  return all;
}

}  // namespace

TEST_CASE("the corrected resampled t-test is that of Nadeau and Bengio") {
  const Workplace work;
  work.file("data.csv", table(90));
  work.file("s.yaml", R"(name: s
seed: 4
study:
  metric: test.error_rate
  baseline: {scale: z}
  slots:
    scale:
      z: {}
      none: {bypass: x}
  repeats: {folds: 5}
nodes:
  s: {is: source/csv, path: data.csv}
  x: {is: normalizer/zscore, from: s}
  bases: {is: basis/index, per_class: 4, from: s}
  map: {is: similarity/rbf, gamma: 1, from: x, bases: bases}
  svm: {is: solver/linear_svm, C: 1, from: map}
  test: {is: evaluator/classification, from: svm}
)");
  work.succeed("ablate s.yaml --data . --out out");
  const auto study = nlohmann::json::parse(work.content("out/study.json"));
  const auto scaled = values(study, 0), raw = values(study, 1);
  REQUIRE(scaled.size() == 5);
  // The variance of the mean of J differences is s^2 (1 / J + n2 / n1).
  double mean = 0, squares = 0;
  for (std::size_t f = 0; f < 5; ++f) mean += (raw[f] - scaled[f]) / 5;
  for (std::size_t f = 0; f < 5; ++f) squares += std::pow(raw[f] - scaled[f] - mean, 2) / 4;
  const double t = std::abs(mean) / std::sqrt(squares * (1 / 5.0 + 18 / 72.0));
  const double p = 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(4), t));
  CHECK(study.at("comparison").at("methods").at(1).at("tests").at("t").at("p").get<double>() ==
        doctest::Approx(p));
}

}  // namespace folds_of_studies_test
