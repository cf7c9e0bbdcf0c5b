// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "convergence_testing.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::pairwise_newton_test {
namespace {

using namespace testing;

struct Case {
  std::string name;
  std::function<std::unique_ptr<PairKernel>()> kernel;
};

std::vector<Case> kernels() {
  const auto two = std::int64_t{2}, one = std::int64_t{1};
  return {
      {"SD", [] { return pair_kernel("pair_kernel/symmetric_direct_sum"); }},
      {"ML", [] { return pair_kernel("pair_kernel/metric_learning"); }},
      {"TL", [] { return pair_kernel("pair_kernel/tensor_learning"); }},
      {"DS", [] { return pair_kernel("pair_kernel/direct_sum"); }},
      {"TM", [] { return pair_kernel("pair_kernel/tensor_metric_learning"); }},
      {"PS",
       [=] {
         return pair_kernel("pair_kernel/polynomial_direct_sum", {{"r", 0.5}, {"p", one}});
       }},
      {"PS of p 2",
       [=] {
         return pair_kernel("pair_kernel/polynomial_direct_sum", {{"r", 0.5}, {"p", two}});
       }},
      {"PS of p 2, r 0",
       [=] {
         return pair_kernel("pair_kernel/polynomial_direct_sum", {{"p", two}});
       }},
      {"PT",
       [=] {
         return pair_kernel("pair_kernel/polynomial_tensor", {{"r", 0.5}, {"p", one}});
       }},
      {"PT of p 2, r 0",
       [=] {
         return pair_kernel("pair_kernel/polynomial_tensor", {{"p", two}});
       }},
      {"PT of p 2",
       [=] {
         return pair_kernel("pair_kernel/polynomial_tensor", {{"r", 0.5}, {"p", two}});
       }},
      {"TM on a polynomial",
       [] {
         return pair_kernel_on("pair_kernel/tensor_metric_learning", "similarity/polynomial");
       }},
      {"ML on a Gaussian",
       [] {
         return pair_kernel_on("pair_kernel/metric_learning", "similarity/rbf", {{"gamma", 0.2}});
       }},
  };
}

PairSet some_pairs(const Examples& data) {
  std::vector<Pair> pairs;
  for (std::int32_t i = 0; i < std::int32_t(data.values.rows); ++i)
    for (std::int32_t j = 0; j <= i; ++j) {
      const bool same = data.classes[std::size_t(i)] == data.classes[std::size_t(j)];
      if (!same && (i * 7 + j * 3) % 2 != 0) continue;
      pairs.push_back((i + j) % 3 ? Pair{i, j, same ? 1 : -1} : Pair{j, i, same ? 1 : -1});
    }
  return PairSet::listed(std::move(pairs));
}

void check_close(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  double largest = 1;
  for (const float f : a) largest = std::max(largest, double(std::abs(f)));
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) <= tolerance * largest);
}

// At the optimum w = sum gamma_p Phi_p with gamma_p = 2 (2C) y_p max(0, 1 - y_p f_p), and the
// gammas sum to 0. With the pair kernel's matrix both sides can be computed without weights.
void check_optimality(const std::string& products, double same, double different,
                      double tolerance = 1e-8) {
  const Examples data = clouds(24, 4, 4);
  const PairSet pairs = some_pairs(data);
  const double cost = 0.02;
  for (const Case& c : kernels()) {
    CAPTURE(c.name);
    CAPTURE(products);
    auto newton =
        solver("solver/pairwise_newton", c.kernel(),
               {{"C", cost},
                {"tolerance", tolerance},
                {"products", products},
                {"class_weights", NamedValues{{"same", same}, {"different", different}}}});
    TestContext context;
    const MemoryReport report = train(*newton, data.values, pairs, context);
    CHECK(report.texts.at("certificate") == "converged");
    const std::vector<float> f = scores(*newton, data.values, pairs);

    const auto kernel = c.kernel();
    const FloatMatrix k = standard_values(*kernel, data.values);
    const std::size_t n = pairs.size();
    std::vector<double> gamma(n), expected(n, report.numbers.at("bias"));
    double sum = 0, losses = 0, square = 0, absolute = 0;
    for (std::size_t p = 0; p < n; ++p) {
      const double y = pairs.list()[p].label, slack = std::max(0.0, 1 - y * f[p]);
      const double u = y > 0 ? same : different;
      gamma[p] = 2 * (2 * cost) * u * y * slack;
      losses += 2 * cost * u * slack * slack;
      sum += gamma[p];
      absolute += std::abs(gamma[p]);
    }
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) {
        const Pair &a = pairs.list()[p], &b = pairs.list()[q];
        const double value = (kernel_value(*kernel, data.values, k, a, b) +
                              kernel_value(*kernel, data.values, k, {a.second, a.first, 0}, b)) /
                             2;
        expected[p] += gamma[q] * value;
        square += gamma[p] * gamma[q] * value;
      }
    CHECK(std::abs(sum) < 1e-4 * absolute);
    // A constant in the kernel only moves the bias.
    const double shift = expected[0] - f[0];
    double worst = 0, largest = 1;
    for (std::size_t p = 0; p < n; ++p) {
      worst = std::max(worst, std::abs(expected[p] - shift - f[p]));
      largest = std::max(largest, std::abs(double(f[p])));
    }
    CHECK(worst < (tolerance > 1e-8 ? 1e-2 : 2e-3) * largest);
    CHECK(report.numbers.at("objective") == doctest::Approx(square / 2 + losses).epsilon(1e-3));
  }
}

TEST_CASE("the solution satisfies the optimality conditions on the whole pair kernel matrix") {
  check_optimality("cheaper", 1, 1);
}

// If no w is better than 0, all slacks of a label are 1 - y b with b the mean label, which float32
// cannot represent exactly: uncorrected, an error of 10^-7 of the objective.
TEST_CASE("the objective and its bound are exact where slacks are rounded alike") {
  const Examples data = clouds(24, 4, 4);
  const PairSet pairs = some_pairs(data);
  const double cost = 0.02;
  double mean = 0;
  for (const Pair& pair : pairs.list()) mean += pair.label / double(pairs.size());
  std::size_t tried = 0;
  for (const Case& c : kernels()) {
    auto newton = solver("solver/pairwise_newton", c.kernel(),
                         {{"C", cost}, {"tolerance", 1e-8}, {"products", std::string("cheaper")}});
    TestContext context;
    const MemoryReport report = train(*newton, data.values, pairs, context);
    if (std::abs(report.numbers.at("bias") - mean) > 1e-6) continue;  // w is not 0
    CAPTURE(c.name);
    tried += 1;
    const double exact = 2 * cost * double(pairs.size()) * (1 - mean * mean);
    CHECK(std::abs(report.numbers.at("objective") - exact) <= 1e-11 * exact);
    CHECK(std::abs(report.numbers.at("duality_gap")) <= 1e-11);
  }
  CHECK(tried >= 2);
}

TEST_CASE("with weights of pairs it satisfies them as well, by weights and by pairs") {
  check_optimality("factor", 3, 0.4, 1e-7);
  check_optimality("pairs", 3, 0.4, 1e-7);
  check_optimality("cheaper", 0.2, 1, 1e-7);
}

TEST_CASE("all pairs and their list, examples and a Cholesky factor give one solution") {
  const Examples data = clouds(90, 6, 9);
  const PairSet all = data.all_pairs(), list = PairSet::listed(all.expanded());
  const Parameters parameters{{"C", 0.05}, {"tolerance", 1e-6}};
  TestContext context;
  const auto by_rows = [&] { return pair_kernel("pair_kernel/tensor_metric_learning"); };
  const auto by_factor = [&] {
    return pair_kernel_on("pair_kernel/tensor_metric_learning", "similarity/polynomial",
                          {{"degree", std::int64_t{1}}, {"offset", 0.0}});
  };
  auto reference = solver("solver/pairwise_newton", by_rows(), parameters);
  const MemoryReport report = train(*reference, data.values, all, context);
  CHECK(report.integers.at("rank") == 6);
  const std::vector<float> f = scores(*reference, data.values, all);
  check_close(f, scores(*reference, data.values, list), 1e-6);

  auto listed = solver("solver/pairwise_newton", by_rows(), parameters);
  CHECK(train(*listed, data.values, list, context).numbers.at("objective") ==
        doctest::Approx(report.numbers.at("objective")).epsilon(1e-6));
  check_close(f, scores(*listed, data.values, all), 1e-4);

  auto factored = solver("solver/pairwise_newton", by_factor(), parameters);
  const MemoryReport of_factor = train(*factored, data.values, all, context);
  CHECK(of_factor.integers.at("rank") == 6);
  CHECK(of_factor.numbers.at("objective") ==
        doctest::Approx(report.numbers.at("objective")).epsilon(1e-5));
  check_close(f, scores(*factored, data.values, all), 2e-3);
}

TEST_CASE("products of pairs and of a Cholesky factor give one solution") {
  const Examples data = clouds(60, 6, 7);
  const PairSet all = data.all_pairs();
  const auto polynomial = [](const std::string& id) {
    return [=] { return pair_kernel_on("pair_kernel/" + id, "similarity/polynomial"); };
  };
  const std::vector<Case> cases = {
      {"SD", polynomial("symmetric_direct_sum")},   {"ML", polynomial("metric_learning")},
      {"TL", polynomial("tensor_learning")},        {"DS", polynomial("direct_sum")},
      {"TM", polynomial("tensor_metric_learning")},
  };
  for (const Case& c : cases)
    for (const PairSet& pairs : {all, some_pairs(data)}) {
      CAPTURE(c.name);
      CAPTURE(pairs.size());
      const auto with = [&](const char* products) {
        return solver("solver/pairwise_newton", c.kernel(),
                      {{"C", 0.01}, {"tolerance", 1e-6}, {"products", std::string(products)}});
      };
      auto factor = with("factor"), by_pairs = with("pairs"), threads = with("pairs");
      TestContext one(1), four(4);
      const MemoryReport a = train(*factor, data.values, pairs, one);
      const MemoryReport b = train(*by_pairs, data.values, pairs, one);
      train(*threads, data.values, pairs, four);
      CHECK(b.texts.at("certificate") == "converged");
      CHECK(a.numbers.at("objective") == doctest::Approx(b.numbers.at("objective")).epsilon(3e-6));
      const std::vector<float> f = scores(*by_pairs, data.values, pairs);
      check_close(scores(*factor, data.values, pairs), f, 5e-3);
      CHECK(scores(*threads, data.values, pairs) == f);
    }
}

TEST_CASE("products are of a factor where its rank is low, else of pairs") {
  for (const std::size_t dimension : {2, 20}) {
    const Examples data = clouds(60, dimension, 7);
    std::vector<std::vector<float>> f;
    for (const char* products : {"cheaper", "factor", "pairs"}) {
      auto newton = solver("solver/pairwise_newton",
                           pair_kernel_on("pair_kernel/tensor_learning", "similarity/polynomial"),
                           {{"C", 0.01}, {"products", std::string(products)}});
      TestContext context;
      // An iterate of the factor's has no pair with a loss.
      const MemoryReport report = train(*newton, data.values, data.all_pairs(), context);
      CHECK(std::isfinite(report.numbers.at("objective")));
      f.push_back(scores(*newton, data.values, data.all_pairs()));
      for (const float score : f.back()) REQUIRE(std::isfinite(score));
    }
    CHECK((f[0] == f[1]) == (dimension == 2));
    CHECK((f[0] == f[2]) == (dimension == 20));
  }
}

TEST_CASE("a stop request ends products of pairs with the last iterate") {
  const Examples data = clouds(60, 6, 7);
  auto newton = solver("solver/pairwise_newton",
                       pair_kernel_on("pair_kernel/tensor_learning", "similarity/polynomial"),
                       {{"products", std::string("pairs")}});
  TestContext context;
  context.stop = StopReason::deadline;
  CHECK(train(*newton, data.values, data.all_pairs(), context).texts.at("certificate") ==
        "deadline");
}

TEST_CASE("pairs without (i, i), and rows in any order, are the listed ones") {
  const Examples data = clouds(30, 4, 5);
  std::vector<std::int32_t> rows = data.rows(), classes = data.classes;
  std::reverse(rows.begin(), rows.end());
  std::reverse(classes.begin(), classes.end());
  rows.resize(20);
  classes.resize(20);
  const PairSet some = PairSet::all_of(rows, classes, false);
  const PairSet list = PairSet::listed(some.expanded());
  TestContext context;
  std::vector<std::vector<float>> found;
  for (const PairSet* set : {&some, &list}) {
    auto newton = solver("solver/pairwise_newton", pair_kernel("pair_kernel/tensor_learning"),
                         {{"tolerance", 1e-6}});
    train(*newton, data.values, *set, context);
    found.push_back(scores(*newton, data.values, list));
    check_close(found.back(), scores(*newton, data.values, some), 1e-6);
  }
  check_close(found[0], found[1], 1e-4);
}

TEST_CASE("both orders of a pair have the same bits; threads and saving change none") {
  const Examples data = clouds(70, 5, 7), fresh = clouds(9, 5, 7, 2);
  const PairSet pairs = data.all_pairs();
  std::vector<Pair> straight, crossed;
  for (std::int32_t i = 0; i < 9; ++i)
    for (std::int32_t j = i; j < 9; ++j) {
      straight.push_back({i, j, 0});
      crossed.push_back({j, i, 0});
    }
  for (const Case& c : kernels()) {
    CAPTURE(c.name);
    auto newton = solver("solver/pairwise_newton", c.kernel(), {{"C", 0.05}});
    TestContext one(1), four(4);
    train(*newton, data.values, pairs, one);
    const auto f = scores(*newton, fresh.values, PairSet::listed(straight));
    CHECK(f == scores(*newton, fresh.values, PairSet::listed(crossed)));
    auto again = solver("solver/pairwise_newton", c.kernel(), {{"C", 0.05}});
    train(*again, data.values, pairs, four);
    CHECK(f == scores(*again, fresh.values, PairSet::listed(straight)));
    MemoryState state;
    newton->save(state);
    auto loaded = solver("solver/pairwise_newton", c.kernel());
    loaded->bind(Layout::vector(5));
    loaded->load(state, one);
    CHECK(f == scores(*loaded, fresh.values, PairSet::listed(straight)));
  }
}

TEST_CASE("the objective falls at every iteration, and its distance to the minimum is bounded") {
  const Examples data = unit_length(double_interval(120, 40, 5));
  TestContext context;
  auto newton =
      solver("solver/pairwise_newton", pair_kernel("pair_kernel/tensor_learning"), {{"C", 10.0}});
  const MemoryReport loose = train(*newton, data.values, data.all_pairs(), context);
  const std::vector<double>& objectives = loose.curves.at("objectives").y;
  REQUIRE(objectives.size() > 3);
  for (std::size_t i = 1; i < objectives.size(); ++i) CHECK(objectives[i] < objectives[i - 1]);
  common::testing::check_convergence(loose, "iteration", 1e-3, loose.numbers.at("duality_gap"));
  auto exact = solver("solver/pairwise_newton", pair_kernel("pair_kernel/tensor_learning"),
                      {{"C", 10.0}, {"tolerance", 1e-6}});
  const MemoryReport tight = train(*exact, data.values, data.all_pairs(), context);
  const double objective = loose.numbers.at("objective");
  CHECK(objective - tight.numbers.at("objective") <=
        loose.numbers.at("duality_gap") * objective * (1 + 1e-6));
  CHECK(tight.numbers.at("duality_gap") <= 1e-6);
  CHECK(tight.numbers.at("gradient_norm") < loose.numbers.at("gradient_norm"));
}

TEST_CASE("kernels whose sums are no matrix products are refused") {
  const auto message = [](std::unique_ptr<PairKernel> kernel) -> std::string {
    auto newton = solver("solver/pairwise_newton", std::move(kernel));
    try {
      newton->bind(Layout::vector(3));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(pair_kernel("pair_kernel/asymmetric_tensor")).find("solver/pairwise_svm") !=
        std::string::npos);
  CHECK(message(pair_kernel("pair_kernel/polynomial_tensor", {{"p", std::int64_t{3}}})) != "");
  CHECK(message(pair_kernel("pair_kernel/ordered_representation")) != "");
  CHECK(message(pair_kernel("pair_kernel/tensor_learning")) == "");
}

TEST_CASE("bad input ends in one message that says what is wrong") {
  Examples data = clouds(10, 3, 2);
  auto newton = solver("solver/pairwise_newton", pair_kernel("pair_kernel/tensor_learning"));
  CHECK(training_error(*newton, data.values, PairSet::listed({{0, 1, 1}, {2, 10, -1}}))
            .find("out of range") != std::string::npos);
  CHECK(training_error(*newton, data.values, PairSet::all_of({0, 1, 2}, {4, 4, 4}, true)) ==
        "all 6 training pairs are positive; a classifier needs pairs of the same class and of "
        "different classes");
  CHECK(training_error(*newton, data.values, data.all_pairs(), 1000).find("MiB") !=
        std::string::npos);
  data.values.values[4] = std::nanf("");
  CHECK(training_error(*newton, data.values, data.all_pairs()).find("NaN") != std::string::npos);
}

TEST_CASE("a stop request keeps a model and says so") {
  const Examples data = clouds(20, 4, 4);
  auto newton = solver("solver/pairwise_newton",
                       pair_kernel_on("pair_kernel/tensor_learning", "similarity/rbf"));
  TestContext context;
  context.stop = StopReason::cancelled;
  const MemoryReport report = train(*newton, data.values, data.all_pairs(), context);
  CHECK(report.texts.at("certificate") == "cancelled");
  CHECK(scores(*newton, data.values, data.all_pairs()).size() == 210);
}

TEST_CASE("no extreme of C or size is called converged that is not") {
  check_extremes("solver/pairwise_newton", 1e-3, 50);
}

}  // namespace
}  // namespace semblance::pairs::pairwise_newton_test
