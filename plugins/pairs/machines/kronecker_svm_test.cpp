// SPDX-License-Identifier: MIT
#include "convergence_testing.hpp"
#include "newton/vec_trick.hpp"
#include "semblance/solver.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::kronecker_svm_test {

using namespace testing;

const Parts gaussians = {{"first", part("similarity/rbf", {{"gamma", 0.5}})},
                         {"second", part("similarity/rbf", {{"gamma", 0.25}})}};

/// The kernel of two pairs, in double.
double kernel(const MadePairs& pairs, std::size_t i, std::size_t j) {
  return gaussian(pairs.sample(0, i), pairs.sample(0, j), 0.5) *
         gaussian(pairs.sample(1, i), pairs.sample(1, j), 0.25);
}

struct Trained {
  std::unique_ptr<Solver> machine;
  MemoryReport report;
  FloatMatrix scores;
};

Trained trained(const MadePairs& pairs, const std::vector<std::int32_t>& labels,
                const std::vector<std::string>& classes, const Parameters& parameters,
                std::size_t threads = 2) {
  TestContext context(threads);
  Trained made{make_component<Solver>("solver/kronecker_svm", parameters, gaussians), {}, {}};
  const MatrixRows rows(std::as_const(pairs.rows).view());
  made.machine->bind(pairs.layout);
  made.machine->train({rows, pairs.layout, labels, classes}, made.report, context);
  made.scores = FloatMatrix(pairs.count(), classes.size());
  made.machine->apply(std::as_const(pairs.rows).view(), made.scores.view(), context);
  return made;
}

/// The kernel of all pairs, by its definition.
class WholeMatrix final : public PairMatrix {
 public:
  explicit WholeMatrix(const MadePairs& pairs) : pairs_(pairs) {}

  bool add(std::span<const std::uint32_t> chosen, std::span<const double> factors,
           std::span<double> sums, Context&) override {
    for (std::size_t i = 0; i < sums.size(); ++i)
      for (std::size_t k = 0; k < chosen.size(); ++k)
        sums[i] += factors[k] * kernel(pairs_, i, chosen[k]);
    return true;
  }
  void choose(std::span<const std::uint32_t> chosen) override {
    chosen_.assign(chosen.begin(), chosen.end());
  }
  void multiply(const std::vector<double>& v, std::vector<double>& out, Context&) override {
    out.assign(v.size(), 0);
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t j = 0; j < v.size(); ++j)
        out[i] += v[j] * kernel(pairs_, chosen_[i], chosen_[j]);
  }

 private:
  const MadePairs& pairs_;
  std::vector<std::uint32_t> chosen_;
};

TEST_CASE("Newton's method finds where the optimality conditions hold") {
  const MadePairs made = made_pairs(12, 10, 3, 2, 80);
  const std::size_t n = made.count();
  LabelledPairs pairs;
  std::vector<std::size_t> starts;
  Random random(4);
  for (std::size_t i = 0; i < n; ++i) {
    starts.push_back(i);
    pairs.labels.push_back(
        made.sample(0, i)[0] * made.sample(1, i)[0] + 0.5 * random.normal() > 0.2 ? 1 : -1);
  }
  starts.push_back(n);
  pairs.table = PairTable(std::move(starts), std::vector<std::uint32_t>(n));
  for (const double cost : {0.01, 1.0, 1000.0}) {
    CAPTURE(cost);
    NewtonOptions options;
    options.cost = cost;
    options.tolerance = 1e-7;
    options.most_products = 2000;
    TestContext context;
    WholeMatrix matrix(made);
    const NewtonSolution fit = minimise_by_pairs(matrix, pairs, options, context);
    CHECK(fit.certificate == Certificate::converged);
    CHECK(fit.objective >= fit.dual * (1 - 1e-12));
    double sum = 0, worst = 0, square = 0, losses = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double f = fit.bias;
      for (std::size_t j = 0; j < n; ++j) f += kernel(made, i, j) * fit.coefficients[j];
      const double y = pairs.labels[i], loss = std::max(0.0, 1 - y * f);
      worst = std::max(worst, std::abs(fit.coefficients[i] - 2 * cost * y * loss));
      sum += fit.coefficients[i];
      square += fit.coefficients[i] * (f - fit.bias);
      losses += loss * loss;
    }
    CHECK(worst < 1e-3 * std::max(1.0, cost));
    CHECK(fit.objective == doctest::Approx(square / 2 + cost * losses).epsilon(1e-10));
    CHECK(fit.objective - fit.dual <= 1.001e-7 * fit.objective);
    CHECK(std::abs(sum) < 1e-8 * std::max(1.0, cost));
  }
}

TEST_CASE("two classes have opposite scores, and the bits do not depend on threads") {
  const MadePairs pairs = made_pairs(12, 10, 3, 2, 80);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < pairs.count(); ++i)
    labels.push_back(pairs.sample(0, i)[0] * pairs.sample(1, i)[0] > 0);
  const Trained one = trained(pairs, labels, {"no", "yes"}, {{"C", 100.0}}, 1);
  const Trained many = trained(pairs, labels, {"no", "yes"}, {{"C", 100.0}}, 3);
  CHECK(one.scores.values == many.scores.values);
  std::size_t right = 0;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const float* const scores = one.scores.view().row(i);
    CHECK(scores[0] == -scores[1]);
    right += (scores[1] > 0) == (labels[i] == 1);
  }
  CHECK(right == pairs.count());
  CHECK(one.report.texts.at("certificate") == "converged");
  CHECK(one.report.numbers.at("duality_gap") < 1e-4);
  common::testing::check_convergence(one.report, "Newton_step", 1e-4,
                                     one.report.numbers.at("duality_gap"));
}

TEST_CASE("several classes have a function each, and a state keeps their bits") {
  const MadePairs pairs = made_pairs(12, 10, 3, 2, 80);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < pairs.count(); ++i)
    labels.push_back(pairs.sample(0, i)[0] > 0.3 ? 2 : pairs.sample(1, i)[0] > 0);
  const Trained made = trained(pairs, labels, {"a", "b", "c"}, {{"C", 100.0}});
  std::size_t right = 0;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const auto scores = made.scores.view().row_span(i);
    right += std::ranges::max_element(scores) - scores.begin() == labels[i];
  }
  CHECK(right == pairs.count());
  MemoryState state;
  made.machine->save(state);
  TestContext context;
  const auto loaded = make_component<Solver>("solver/kronecker_svm", {{"C", 100.0}}, gaussians);
  CHECK(loaded->bind(pairs.layout).depth != 3);
  loaded->load(state, context);
  FloatMatrix scores(1, 3);
  loaded->apply(std::as_const(pairs.rows).view().rows_range(7, 1), scores.view(), context);
  CHECK(std::equal(scores.values.begin(), scores.values.end(), made.scores.view().row(7)));
}

TEST_CASE("a stop request keeps a model and says so") {
  const MadePairs pairs = made_pairs(12, 10, 3, 2, 80);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < pairs.count(); ++i) labels.push_back(pairs.sample(0, i)[0] > 0);
  const MatrixRows rows(std::as_const(pairs.rows).view());
  const std::vector<std::string> classes = {"no", "yes"};
  std::unique_ptr<Solver> machine;
  MemoryReport report;
  stop_early([&](Context& stopping) {
    machine = make_component<Solver>("solver/kronecker_svm", {{"C", 1e4}}, gaussians);
    machine->bind(pairs.layout);
    machine->train({rows, pairs.layout, labels, classes}, report, stopping);
  });
  CHECK(report.texts.at("certificate") == "deadline");
  TestContext context;
  FloatMatrix scores(pairs.count(), 2);
  machine->apply(std::as_const(pairs.rows).view(), scores.view(), context);
  CHECK(std::isfinite(scores.values[0]));
}

}  // namespace semblance::pairs::kronecker_svm_test
