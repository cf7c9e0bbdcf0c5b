// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "runtime/trained/trained.hpp"
#include "runtime/trained/trained_testing.hpp"
#include "semblance/error.hpp"

namespace explain_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr std::size_t columns = 10;

/// Samples of three classes, and a number to predict, on ten columns that are not negative.
class Samples {
 public:
  explicit Samples(std::size_t rows, bool numbers = false) : rows_(rows), numbers_(numbers) {
    Random random(5);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto label = static_cast<std::int32_t>(i % 3);
      labels_.push_back(label);
      for (std::size_t k = 0; k < columns; ++k)
        values_->push_back(static_cast<float>(random.uniform(0, 1) + (k % 3 == i % 3 ? 0.8 : 0.1)));
      targets_.push_back(std::sin(3 * double{view().row(i)[0]}) + double{view().row(i)[4]});
    }
  }
  MatrixView view() const { return {values_->data(), values_->size() / columns, columns, columns}; }
  MatrixView some(std::size_t first, std::size_t count) const {
    return view().rows_range(first, count);
  }
  std::shared_ptr<const Dataset> data() const {
    BorrowedData data{Layout::vector(columns), view()};
    data.owner = values_;
    if (numbers_) {
      data.targets = targets_;
      data.target_names = {"y"};
    } else {
      data.labels = labels_;
      data.classes = {"a", "b", "c"};
    }
    for (std::size_t k = 0; k < columns; ++k) data.columns.push_back("x" + std::to_string(k));
    return std::make_shared<BorrowedRows>(data);
  }

 private:
  std::size_t rows_;
  bool numbers_;
  std::shared_ptr<std::vector<float>> values_ = std::make_shared<std::vector<float>>();
  std::vector<std::int32_t> labels_;
  std::vector<double> targets_;
};

std::unique_ptr<Trained> trained_by(const Samples& samples, const std::string& nodes) {
  const HandedOver given("samples", samples.data());
  return trained_on("name: explained\nnodes:\n  rows: {is: source/array, data: samples}\n" + nodes);
}

/// The machine's number by its own scores; of pairs of classes, by its decision values.
double value_of(const Trained& model, const Explanation& made, std::span<const float> row) {
  const MatrixView view{row.data(), 1, columns, columns};
  const auto& classes = model.classes("svm");
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(classes, name) - classes.begin());
  };
  if (classes.empty()) {
    const std::vector<float> given = model.apply("svm", view).values;
    return given[given.size() == 3 ? 1 : 0];  // the estimate of an interval
  }
  const std::size_t own = place(made.explained), other = place(made.against);
  if (made.difference) {
    const FloatMatrix scores = model.apply("svm", view);
    return double{scores.values[own]} - double{scores.values[other]};
  }
  const std::vector<double> pairs = model.decisions("svm", view);  // ab, ac, bc
  const double value = pairs[own + other - 1];
  return own < other ? value : -value;
}

/// Shapley values by their definition, over all subsets of the columns.
std::vector<double> by_subsets(const Trained& model, const Explanation& made,
                               std::span<const float> row, MatrixView background) {
  std::vector<double> shares(columns);
  std::vector<float> mixed(columns);
  for (std::size_t set = 0; set < std::size_t{1} << columns; ++set) {
    const auto size = static_cast<double>(std::popcount(set));
    double value = 0;
    for (std::size_t r = 0; r < background.rows; ++r) {
      for (std::size_t k = 0; k < columns; ++k)
        mixed[k] = set >> k & 1 ? row[k] : background.row(r)[k];
      value += value_of(model, made, mixed) / static_cast<double>(background.rows);
    }
    for (std::size_t k = 0; k < columns; ++k) {
      const bool in = set >> k & 1;
      const double others = in ? size - 1 : size;
      const double weight = std::exp(std::lgamma(others + 1) + std::lgamma(columns - others) -
                                     std::lgamma(columns + 1.0));
      shares[k] += in ? weight * value : -weight * value;
    }
  }
  return shares;
}

void check_sums(const Explanation& made, bool examples) {
  double sum = made.bias, shares = 0;
  for (const ExampleTerm& term : made.examples) {
    CHECK(term.contribution == doctest::Approx(term.weight * term.similarity));
    sum += term.contribution;
  }
  if (examples) CHECK(sum == doctest::Approx(made.value).epsilon(1e-9));
  for (const PartShare& share : made.shares) shares += share.share;
  CHECK(shares == doctest::Approx(made.value - made.expected).epsilon(1e-4));
}

void check_against_definition(const Trained& model, const Samples& samples, ShareMethod method,
                              bool examples = true) {
  const MatrixView rows = samples.some(0, 2), background = samples.some(30, 3);
  const auto made = model.explain("", rows, background, {});
  REQUIRE(made.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(made[i].method == method);
    CHECK(made[i].value == doctest::Approx(value_of(model, made[i], rows.row_span(i))));
    check_sums(made[i], examples);
    const auto expected = by_subsets(model, made[i], rows.row_span(i), background);
    REQUIRE(made[i].shares.size() == columns);
    for (std::size_t k = 0; k < columns; ++k) {
      CHECK(made[i].shares[k].name == "x" + std::to_string(k));
      CHECK(*made[i].shares[k].value == double{rows.row(i)[k]});
      const double allowed = method == ShareMethod::exact ? 1e-4 : 5 * made[i].shares[k].error;
      CHECK(std::abs(made[i].shares[k].share - expected[k]) <= allowed + 1e-6);
    }
  }
}

}  // namespace

TEST_CASE("shares of kernel machines are those of all 1,024 subsets of ten columns") {
  const Samples samples(60);
  for (const std::string kernel :
       {"{is: similarity/rbf, gamma: 0.7}", "{is: similarity/laplacian, gamma: 0.3}",
        "{is: similarity/linear}", "{is: similarity/intersection}",
        "{is: similarity/chi_square, form: additive}", "{is: similarity/chi_square, gamma: 0.4}"}) {
    INFO(kernel);
    const auto model =
        trained_by(samples, "  svm: {is: solver/kernel_svm, kernel: " + kernel + ", from: rows}\n");
    check_against_definition(*model, samples, ShareMethod::exact);
  }
}

TEST_CASE("normalizers of columns, several maps and one-against-rest are part of the sum") {
  const Samples samples(60);
  const auto maps = trained_by(samples, R"(  x:   {is: normalizer/zscore, from: rows}
  b:   {is: basis/random, count: 15, from: rows}
  rbf: {is: similarity/rbf, gamma: 0.05, from: x, bases: b}
  lap: {is: similarity/laplacian, gamma: 0.1, from: x, bases: b}
  phi: {is: normalizer/zscore, from: [rbf, lap]}
  svm: {is: solver/linear_svm, from: phi}
)");
  check_against_definition(*maps, samples, ShareMethod::exact);
  const auto made = maps->explain("svm", samples.some(0, 1), samples.some(5, 2), {}).front();
  CHECK(made.examples.size() == 30);
  const auto chosen = maps->bases("rbf");
  for (const ExampleTerm& term : made.examples) CHECK(*term.row == chosen[term.basis]);
  const auto rest =
      trained_by(samples, R"(  svm: {is: solver/kernel_svm, multiclass: one_versus_rest,
        kernel: {is: similarity/rbf, gamma: 0.7}, from: rows}
)");
  check_against_definition(*rest, samples, ShareMethod::exact);
  const auto columns_alone = trained_by(samples, R"(  x:   {is: normalizer/zscore, from: rows}
  svm: {is: solver/linear_svm, from: x}
)");
  check_against_definition(*columns_alone, samples, ShareMethod::exact, false);
}

TEST_CASE("regressors are explained by the same sums") {
  const Samples samples(60, true);
  for (const std::string solver : {"kernel_svr", "kernel_ridge"}) {
    const auto model = trained_by(samples, "  svm: {is: solver/" + solver +
                                               ", kernel: {is: similarity/rbf, gamma: 0.7}, from: "
                                               "rows}\n");
    check_against_definition(*model, samples, ShareMethod::exact);
    CHECK(model->explain("", samples.some(0, 1), {}, {}).front().explained == "y");
  }
}

TEST_CASE("of intervals the estimates are explained, also before a calibrator") {
  const Samples samples(60, true);
  for (const std::string method : {"gaussian", "jackknife_plus"}) {
    const auto model =
        trained_by(samples, "  svm: {is: solver/kernel_intervals, method: " + method +
                                ", kernel: {is: similarity/rbf, gamma: 0.7}, from: rows}\n");
    check_against_definition(*model, samples, ShareMethod::exact);
    const auto made = model->explain("", samples.some(0, 1), {}, {.target = "y"}).front();
    CHECK(made.examples.size() == 60);
    CHECK(made.examples[0].row);
  }
  // The ends of its intervals are not linear in the columns, as they do not cross the median.
  for (const std::string after :
       {"", "  range: {is: calibrator/conformal_quantiles, folds: 3, from: svm}\n"}) {
    const auto model =
        trained_by(samples, "  svm: {is: solver/quantile_regression, C: 10, from: rows}\n" + after);
    check_against_definition(*model, samples, ShareMethod::exact, false);
  }
  const auto map = trained_by(samples, R"(  bases: {is: basis/random, count: 9, from: rows}
  map:   {is: similarity/rbf, gamma: 0.7, from: rows, bases: bases}
  svm:   {is: solver/quantile_regression, C: 10, from: map}
)");
  check_against_definition(*map, samples, ShareMethod::exact);
}

TEST_CASE("other machines have sampled shares, near those of the definition") {
  const Samples samples(60);
  const auto cosine = trained_by(
      samples, "  svm: {is: solver/kernel_svm, kernel: {is: similarity/cosine}, from: rows}\n");
  check_against_definition(*cosine, samples, ShareMethod::sampled);
  const auto lengths = trained_by(samples, R"(  x:   {is: normalizer/unit_length, from: rows}
  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 2}, from: x}
)");
  check_against_definition(*lengths, samples, ShareMethod::sampled);
}

TEST_CASE("any class can be explained, and vectors of a machine know class and sample") {
  const Samples samples(60);
  const auto model = trained_by(
      samples,
      "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.7}, from: rows}\n");
  const auto made = model->explain("", samples.some(0, 1), {}, {.of_class = "b"}).front();
  CHECK(made.predicted == "a");
  CHECK(made.explained == "b");
  CHECK(made.against == "a");
  CHECK(made.value < 0);
  CHECK(made.method == ShareMethod::none);
  CHECK(made.no_shares == "there are no other samples to compare with");
  for (const ExampleTerm& term : made.examples)
    CHECK(term.of_class == std::string(1, "abc"[*term.row % 3]));
  for (std::size_t t = 1; t < made.examples.size(); ++t)
    CHECK(std::abs(made.examples[t - 1].contribution) >= std::abs(made.examples[t].contribution));
}

TEST_CASE("the same bits on any number of threads, in any company, and after loading") {
  const Samples samples(60);
  const std::string nodes =
      "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 0.7}, from: rows}\n";
  const auto model = trained_by(samples, nodes);
  const auto loaded = Trained::load(
      Folder(std::make_shared<Folder::Contents>(model->files()), "model"), shipped(), in_memory(1));
  const auto all = model->explain("", samples.some(0, 20), samples.some(30, 7), {});
  const auto one = loaded->explain("", samples.some(4, 1), samples.some(30, 7), {}).front();
  CHECK(one.value == all[4].value);
  REQUIRE(one.examples.size() == all[4].examples.size());
  for (std::size_t t = 0; t < one.examples.size(); ++t) {
    REQUIRE(one.examples[t].row);
    CHECK(one.examples[t].row == all[4].examples[t].row);
  }
  for (std::size_t k = 0; k < columns; ++k) CHECK(one.shares[k].share == all[4].shares[k].share);
}

TEST_CASE("what cannot be explained is refused in one sentence") {
  const Samples samples(60);
  const auto model = trained_by(
      samples, "  svm: {is: solver/kernel_svm, kernel: {is: similarity/rbf}, from: rows}\n");
  CHECK_THROWS_WITH_AS(model->explain("", samples.some(0, 1), {}, {.of_class = "bb"}),
                       "the model has no class 'bb'; it has a, b and c", Error);
  CHECK_THROWS_WITH_AS(model->explain("", samples.some(0, 1), {}, {.target = "y"}),
                       "node 'svm' (solver/kernel_svm) predicts no numbers, so there is no target "
                       "'y' to explain",
                       Error);
}

}  // namespace explain_test
