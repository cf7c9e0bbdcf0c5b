// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <sstream>
#include <vector>

#include "program.hpp"
#include "semblance/random.hpp"

namespace folds_of_studies_test {

using namespace semblance::testing;

// Variants that are compared by cross-validation.

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

const std::string slots =
    "  metric: test.error_rate\n"
    "  baseline: {scale: z}\n"
    "  slots:\n"
    "    scale:\n"
    "      z: {}\n"
    "      none: {bypass: x}\n";

const std::string nodes =
    "nodes:\n"
    "  s: {is: source/csv, path: data.csv}\n"
    "  x: {is: normalizer/zscore, from: s}\n"
    "  bases: {is: basis/index, per_class: 4, from: s}\n"
    "  map: {is: similarity/rbf, gamma: 1, from: x, bases: bases}\n"
    "  svm: {is: solver/linear_svm, C: 1, from: map}\n"
    "  test: {is: evaluator/classification, from: svm}\n";

std::vector<double> values(const nlohmann::json& study, std::size_t method) {
  std::vector<double> all;
  for (const auto& measured : study.at("methods").at(method).at("measurements"))
    all.push_back(measured.at("value"));
  return all;
}

nlohmann::json study_of(const Workplace& work, const std::string& out) {
  return nlohmann::json::parse(work.content(out + "/study.json"));
}

/// The same without the normalizer.
std::string raw_nodes() {
  std::string text = nodes;
  text.erase(text.find("  x: {"), std::string("  x: {is: normalizer/zscore, from: s}\n").size());
  return text.replace(text.find("from: x"), 7, "from: s");
}

/// The figures of a run's own folds.
std::vector<double> folds_of_run(const Workplace& work, const std::string& seed,
                                 const std::string& pipeline) {
  work.file("run.yaml", "name: r\n" + pipeline + "select: {metric: test.error_rate, folds: 5}\n");
  work.succeed("run run.yaml --data . --out run --seed " + seed);
  return work.metrics("run").at("selection").at("trials").at(0).at("folds");
}

}  // namespace

TEST_CASE("folds as repeats: each variant's figures are those of its own cross-validation") {
  const Workplace work;
  work.file("data.csv", table(90));
  work.file("s.yaml", "name: s\nseed: 4\nstudy:\n" + slots + "  repeats: {folds: 5}\n" + nodes);
  const auto outcome = work.succeed("ablate s.yaml --data . --out out");
  CHECK(contains(outcome, "corrected resampled t-test"));
  const auto study = study_of(work, "out");
  CHECK(study.at("blocks").size() == 5);
  CHECK(study.at("blocks").at(4) == "fold=5");
  CHECK(study.at("comparison").at("blocks_are") == "overlapping");
  const auto scaled = values(study, 0), raw = values(study, 1);
  CHECK(scaled == folds_of_run(work, "4", nodes));
  CHECK(raw == folds_of_run(work, "4", raw_nodes()));
  CHECK(scaled != raw);

  // Nadeau and Bengio's test: the variance of the mean of J differences is s^2 (1 / J + n2 / n1).
  double mean = 0, squares = 0;
  for (std::size_t f = 0; f < 5; ++f) mean += (raw[f] - scaled[f]) / 5;
  for (std::size_t f = 0; f < 5; ++f) squares += std::pow(raw[f] - scaled[f] - mean, 2) / 4;
  const double t = std::abs(mean) / std::sqrt(squares * (1 / 5.0 + 18 / 72.0));
  const double p = 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(4), t));
  CHECK(study.at("comparison").at("methods").at(1).at("tests").at("t").at("p").get<double>() ==
        doctest::Approx(p));

  // A variant's file makes all of its folds, and the model.
  work.succeed("run 'out/variants/scale=z,fold=2/pipeline.yaml' --out model");
  CHECK(work.metrics("model").at("selection").at("trials").at(0).at("folds") == scaled);
}

TEST_CASE("several seeds divide the rows anew, and the test knows how they overlap") {
  const Workplace work;
  work.file("data.csv", table(90));
  work.file("s.yaml",
            "name: s\nseed: 4\nstudy:\n" + slots + "  repeats: {folds: 5, seeds: 3}\n" + nodes);
  work.succeed("ablate s.yaml --data . --out out");
  const auto study = study_of(work, "out");
  CHECK(study.at("blocks").size() == 15);
  CHECK(study.at("comparison").at("blocks_are") == "overlapping");
  const auto scaled = values(study, 0);
  for (const std::size_t seed : {0, 2})
    CHECK(std::vector<double>(scaled.begin() + static_cast<std::ptrdiff_t>(5 * seed),
                              scaled.begin() + static_cast<std::ptrdiff_t>(5 * seed + 5)) ==
          folds_of_run(work, std::to_string(4 + seed), nodes));
  work.succeed("ablate s.yaml --data . --join shared --quiet");
  CHECK(work.content("shared/table.csv") == work.content("out/table.csv"));
}

TEST_CASE("a pipeline that is only cross-validated is compared on its folds in a study") {
  const Workplace work;
  work.file("data.csv", table(90));
  const std::string end = nodes + "select: {metric: test.error_rate, folds: ";
  work.file("folds.yaml", "name: s\nseed: 4\nstudy:\n" + slots + "  repeats: {folds: 5}\n" + nodes);
  work.file("select.yaml", "name: s\nseed: 4\nstudy:\n" + slots + end + "5}\n");
  work.succeed("ablate folds.yaml --data . --out folds");
  work.succeed("ablate select.yaml --data . --out select");
  CHECK(work.content("select/table.csv") == work.content("folds/table.csv"));
  const auto planned = work.succeed("plan select.yaml --data .");
  CHECK(contains(planned, "10 variants with "));

  // A choice of parameters on all rows has seen the rows that it would be judged on.
  work.file("chosen.yaml", "name: s\nseed: 4\nstudy:\n" + slots + end +
                               "5, parameters: {C: {path: nodes.svm.C, values: [1, 10]}}}\n");
  work.expect("ablate chosen.yaml --data . --out chosen", 1,
              "variant 'scale=z' has no test rows to be judged on, and the figures of the folds on "
              "which its 'select' chooses parameters are those of the best choice, hence too good; "
              "write repeats: {folds: 5} in the study");
  work.file("nested.yaml", "name: s\nseed: 4\nstudy:\n" + slots + "  repeats: {folds: 3}\n" + end +
                               "5, parameters: {C: {path: nodes.svm.C, values: [0.001, 10]}}}\n");
  work.succeed("ablate nested.yaml --data . --out nested");
  const auto metrics = work.metrics("nested/variants/scale=z,fold=1");
  CHECK(metrics.at("selection").at("trials").size() == 2);
  CHECK(metrics.at("selection").at("trials").at(0).at("folds").size() == 5);
}

TEST_CASE("leaving out each row on its own compares two variants by McNemar's test") {
  const Workplace work;
  work.file("data.csv", table(60));
  const std::string neighbours =
      "name: s\nstudy:\n  metric: test.error_rate\n  baseline: {g: 1}\n"
      "  slots: {g: {path: nodes.svm.k, values: [1, 5]}}\n"
      "nodes:\n"
      "  s: {is: source/csv, path: data.csv}\n"
      "  all: {is: basis/all, from: s}\n"
      "  map: {is: similarity/linear, from: s, bases: all}\n"
      "  svm: {is: solver/nearest_neighbour, from: map}\n"
      "  test: {is: evaluator/classification, from: svm}\n"
      "select: {metric: test.error_rate, folds: leave_one_out}\n";
  work.file("s.yaml", neighbours);
  work.succeed("ablate s.yaml --data . --out out");
  const auto study = study_of(work, "out");
  CHECK(study.at("blocks").size() == 1);
  CHECK(
      study.at("methods").at(0).at("measurements").at(0).at("correct").get<std::string>().size() ==
      60);
  CHECK(study.at("comparison").at("methods").at(1).at("tests").contains("mcnemar"));
}

}  // namespace folds_of_studies_test
