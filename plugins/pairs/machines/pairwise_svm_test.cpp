// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "convergence_testing.hpp"
#include "semblance/learns_from_samples.hpp"
#include "testing/libsvm_oracle.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::pairwise_svm_test {
namespace {

using namespace testing;

struct Case {
  std::string name;
  std::function<std::unique_ptr<PairKernel>()> kernel;
};

std::vector<Case> kernels() {
  const auto three = std::int64_t{3};
  return {
      {"PS",
       [=] {
         return pair_kernel("pair_kernel/polynomial_direct_sum", {{"r", 0.5}, {"p", three}});
       }},
      {"PS of p 2",
       [] {
         return pair_kernel("pair_kernel/polynomial_direct_sum", {{"r", 0.5}});
       }},
      {"PT",
       [] {
         return pair_kernel("pair_kernel/polynomial_tensor", {{"r", 0.5}});
       }},
      {"PT of p 2",
       [] {
         return pair_kernel("pair_kernel/polynomial_tensor", {{"r", 0.5}, {"p", std::int64_t{2}}});
       }},
      {"SD", [] { return pair_kernel("pair_kernel/symmetric_direct_sum"); }},
      {"ML", [] { return pair_kernel("pair_kernel/metric_learning"); }},
      {"TL", [] { return pair_kernel("pair_kernel/tensor_learning"); }},
      {"AT", [] { return pair_kernel("pair_kernel/asymmetric_tensor"); }},
      {"DS", [] { return pair_kernel("pair_kernel/direct_sum"); }},
      {"TM", [] { return pair_kernel("pair_kernel/tensor_metric_learning"); }},
      {"TM on a polynomial",
       [] {
         return pair_kernel_on("pair_kernel/tensor_metric_learning", "similarity/polynomial");
       }},
      {"TL on a Gaussian",
       [] {
         return pair_kernel_on("pair_kernel/tensor_learning", "similarity/rbf", {{"gamma", 0.2}});
       }},
      {"Theorem 2",
       [] { return projected(pair_kernel("pair_kernel/polynomial_direct_sum"), "difference"); }},
      {"Remark 3",
       [] {
         return pair_kernel("pair_kernel/ordered_representation", {{"p", std::int64_t{2}}});
       }},
  };
}

/// Some pairs of the examples in mixed order, including reflexive ones.
PairSet some_pairs(const Examples& data, std::size_t skip) {
  std::vector<Pair> pairs;
  for (std::int32_t i = 0; i < std::int32_t(data.values.rows); ++i)
    for (std::int32_t j = 0; j <= i; ++j) {
      const std::int32_t label =
          data.classes[std::size_t(i)] == data.classes[std::size_t(j)] ? 1 : -1;
      if (label < 0 && std::size_t(i * 7 + j * 3) % skip != 0) continue;
      pairs.push_back((i + j) % 3 ? Pair{i, j, label} : Pair{j, i, label});
    }
  return PairSet::listed(std::move(pairs));
}

double approx_scale(const std::vector<float>& values) {
  double largest = 0;
  for (const float f : values) largest = std::max(largest, double(std::abs(f)));
  return largest;
}

void check_close(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  const double scale = approx_scale(a);
  for (std::size_t i = 0; i < a.size(); ++i)
    CHECK(std::abs(a[i] - b[i]) <= tolerance * (1 + scale));
}

TEST_CASE("the dual objective is LIBSVM's on the whole pair kernel matrix, for every kernel") {
  const Examples data = clouds(30, 4, 5);
  const PairSet pairs = some_pairs(data, 2);
  for (const Case& c : kernels()) {
    CAPTURE(c.name);
    const double cost = 0.05;
    auto svm = solver("solver/pairwise_svm", c.kernel(), {{"C", cost}, {"tolerance", 1e-5}});
    TestContext context;
    const MemoryReport report = train(*svm, data.values, pairs, context);
    CHECK(report.texts.at("certificate") == "converged");

    const auto kernel = c.kernel();
    const FloatMatrix k = standard_values(*kernel, data.values);
    std::vector<Pair> all(pairs.list().begin(), pairs.list().end());
    std::vector<double> bounds(all.size(), 2 * cost);
    if (!kernel->symmetric()) {
      const std::size_t count = all.size();
      for (std::size_t p = 0; p < count; ++p) {
        if (all[p].first == all[p].second) continue;
        bounds[p] = cost;
        all.push_back({all[p].second, all[p].first, all[p].label});
        bounds.push_back(cost);
      }
    }
    std::vector<int> labels;
    for (const Pair& p : all) labels.push_back(p.label);
    const OracleSolution oracle = libsvm_objective(
        all.size(),
        [&](std::size_t i, std::size_t j) {
          return kernel_value(*kernel, data.values, k, all[i], all[j]);
        },
        labels, bounds, kernel->symmetric() ? 2 * cost : cost, 1e-5);
    CHECK(report.numbers.at("objective") == doctest::Approx(oracle.objective).epsilon(1e-4));
    CHECK(report.numbers.at("duality_gap") < 1e-2);
  }
}

TEST_CASE("weights of pairs multiply their bounds: LIBSVM's objective where they enter as often") {
  const Examples data = clouds(24, 4, 4);
  const PairSet pairs = some_pairs(data, 2);
  const double cost = 0.05;
  for (const Case& c : kernels()) {
    CAPTURE(c.name);
    auto svm = solver("solver/pairwise_svm", c.kernel(),
                      {{"C", cost},
                       {"tolerance", 1e-5},
                       {"class_weights", NamedValues{{"same", std::int64_t{3}}}}});
    TestContext context;
    const MemoryReport report = train(*svm, data.values, pairs, context);
    const auto kernel = c.kernel();
    const FloatMatrix k = standard_values(*kernel, data.values);
    const double unit = kernel->symmetric() ? 2 * cost : cost;
    std::vector<Pair> all(pairs.list().begin(), pairs.list().end());
    const std::size_t count = all.size();
    std::vector<double> bounds;
    std::vector<int> labels;
    for (std::size_t p = 0; p < count; ++p) {
      const bool both = !kernel->symmetric() && all[p].first != all[p].second;
      bounds.push_back((both ? cost : 2 * cost) * (all[p].label > 0 ? 3 : 1));
    }
    for (std::size_t p = 0; p < count && !kernel->symmetric(); ++p) {
      if (all[p].first == all[p].second) continue;
      all.push_back({all[p].second, all[p].first, all[p].label});
      bounds.push_back(cost * (all[p].label > 0 ? 3 : 1));
    }
    for (const Pair& p : all) labels.push_back(p.label);
    const OracleSolution oracle = libsvm_objective(
        all.size(),
        [&](std::size_t i, std::size_t j) {
          return kernel_value(*kernel, data.values, k, all[i], all[j]);
        },
        labels, bounds, unit, 1e-5);
    CHECK(report.numbers.at("objective") == doctest::Approx(oracle.objective).epsilon(1e-4));
  }
}

TEST_CASE("weights of pairs that are none are refused") {
  const auto refused = [](const NamedValues& weights) {
    try {
      solver("solver/pairwise_svm", pair_kernel("pair_kernel/metric_learning"),
             {{"class_weights", weights}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({{"equal", 2.0}}) ==
        "'class_weights' of a solver of pairs names 'equal'; it may name same and different");
  CHECK(refused({{"same", 0.0}}) ==
        "'class_weights.same' must be a number above 0, got {same: 0.0}");
}

TEST_CASE("decision values are the expansion's, and the same bits for both orders of a pair") {
  const Examples data = clouds(24, 4, 4), fresh = clouds(9, 4, 4, 2);
  const PairSet pairs = some_pairs(data, 2);
  std::vector<Pair> straight, crossed;
  for (std::int32_t i = 0; i < 9; ++i)
    for (std::int32_t j = i; j < 9; ++j) {
      straight.push_back({i, j, 0});
      crossed.push_back({j, i, 0});
    }
  for (const Case& c : kernels()) {
    CAPTURE(c.name);
    auto svm = solver("solver/pairwise_svm", c.kernel(), {{"C", 0.05}, {"tolerance", 1e-6}});
    TestContext context;
    train(*svm, data.values, pairs, context);
    const auto f = scores(*svm, fresh.values, PairSet::listed(straight));
    CHECK(f == scores(*svm, fresh.values, PairSet::listed(crossed)));
    CHECK(f == scores(*svm, fresh.values, PairSet::listed(straight), 1));
    check_close(f, scores(*svm, fresh.values, PairSet::all_of(fresh.rows(), fresh.classes, true)),
                1e-6);

    // Margins: a pair with a coefficient strictly between its bounds has y f = 1.
    const auto on_training = scores(*svm, data.values, pairs);
    std::size_t on_the_margin = 0, right = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const double margin = pairs.list()[p].label * on_training[p];
      on_the_margin += std::abs(margin - 1) < 1e-3;
      right += margin > 0;
    }
    CHECK(on_the_margin > 3);
    CHECK(right > pairs.size() / 2);
  }
}

TEST_CASE("Theorem 11: a symmetric training set gives the symmetric kernel's solution") {
  const Examples data = clouds(24, 5, 4);
  const PairSet pairs = some_pairs(data, 2);
  const Parameters parameters{{"C", 0.02}, {"tolerance", 1e-7}};
  TestContext context;
  const auto compare = [&](std::unique_ptr<PairKernel> ordered, std::unique_ptr<PairKernel> twin) {
    auto a = solver("solver/pairwise_svm", std::move(ordered), parameters);
    auto b = solver("solver/pairwise_svm", std::move(twin), parameters);
    const MemoryReport from_set = train(*a, data.values, pairs, context);
    const MemoryReport from_kernel = train(*b, data.values, pairs, context);
    CHECK(from_set.integers.at("training_pairs") > from_kernel.integers.at("training_pairs"));
    CHECK(from_set.numbers.at("objective") ==
          doctest::Approx(from_kernel.numbers.at("objective")).epsilon(1e-6));
    // The bias may differ where no pair is free; here some are.
    check_close(scores(*a, data.values, pairs), scores(*b, data.values, pairs), 1e-4);
  };
  compare(pair_kernel("pair_kernel/polynomial_direct_sum", {{"p", std::int64_t{1}}}),
          pair_kernel("pair_kernel/symmetric_direct_sum"));
  compare(pair_kernel("pair_kernel/polynomial_tensor"), pair_kernel("pair_kernel/tensor_learning"));
}

TEST_CASE("kernels of differences and of sums see the same wherever the examples lie") {
  const auto of_id = [](const char* id) { return [id] { return pair_kernel(id); }; };
  const std::vector<Case> invariant{
      {"ML", of_id("pair_kernel/metric_learning")},
      {"SD", of_id("pair_kernel/symmetric_direct_sum")},
      {"DS", of_id("pair_kernel/direct_sum")},
      {"PS of p 1",
       [] {
         return pair_kernel("pair_kernel/polynomial_direct_sum", {{"p", std::int64_t{1}}});
       }},
      {"difference",
       [] { return projected(pair_kernel("pair_kernel/polynomial_direct_sum"), "difference"); }}};
  Examples data = clouds(40, 4, 5);
  for (float& x : data.values.values) x = std::round(64 * x) / 64;
  const PairSet pairs = data.all_pairs();
  for (const char* id : {"solver/pairwise_svm", "solver/pairwise_newton"})
    for (const Case& c : invariant) {
      if (id == std::string("solver/pairwise_newton") && c.name == "difference") continue;
      CAPTURE(id);
      CAPTURE(c.name);
      TestContext context;
      const Parameters parameters{{"C", 0.1}, {"tolerance", 1e-5}};
      auto here = solver(id, c.kernel(), parameters);
      const MemoryReport report = train(*here, data.values, pairs, context);
      const std::vector<float> wanted = scores(*here, data.values, pairs);
      for (const float level : {1000.0F, -100000.0F}) {
        FloatMatrix moved = data.values;
        for (std::size_t i = 0; i < moved.values.size(); ++i)
          moved.values[i] += i % 4 < 2 ? level : -level / 8;
        auto there = solver(id, c.kernel(), parameters);
        const MemoryReport found = train(*there, moved, pairs, context);
        CHECK(found.texts.at("certificate") == "converged");
        CHECK(found.numbers.at("objective") ==
              doctest::Approx(report.numbers.at("objective")).epsilon(1e-4));
        check_close(wanted, scores(*there, moved, pairs), 1e-3);
        MemoryState state;
        there->save(state);
        auto loaded = solver(id, c.kernel(), parameters);
        loaded->bind(Layout::vector(4));
        loaded->load(state, context);
        CHECK(scores(*loaded, moved, pairs) == scores(*there, moved, pairs));
      }
    }
  // Where the zero matters, examples stay as they are.
  auto tensor = solver("solver/pairwise_svm", pair_kernel("pair_kernel/tensor_learning"));
  TestContext context;
  train(*tensor, data.values, pairs, context);
  MemoryState state;
  tensor->save(state);
  CHECK(state.integer("inputs") == 4);
}

TEST_CASE("a reflexive pair has the bound 2C in (10)") {
  // One positive reflexive pair against negative ones that it cannot be separated from: its
  // coefficient ends at the bound, and so the negative ones add up to it.
  FloatMatrix values(2, 1);
  values.values = {1, 1};
  const PairSet pairs = PairSet::listed({{0, 0, 1}, {0, 1, -1}});
  auto svm =
      solver("solver/pairwise_svm", pair_kernel("pair_kernel/polynomial_tensor"), {{"C", 0.25}});
  TestContext context;
  const MemoryReport report = train(*svm, values, pairs, context);
  // (0, 0) with 2C = 0.5 against (0, 1) and (1, 0) with C each: all at their bounds, K = 1 cancels.
  CHECK(report.numbers.at("objective") == doctest::Approx(-1.0));
  CHECK(report.integers.at("bounded_support_pairs") == 3);
}

TEST_CASE("a list of all pairs and the set of all pairs are one problem; threads change no bit") {
  const Examples data = clouds(30, 5, 5);
  const PairSet all = data.all_pairs();
  const PairSet listed = PairSet::listed(all.expanded());
  std::vector<std::vector<float>> found;
  for (const auto& [set, threads] :
       {std::pair(&all, 1), std::pair(&listed, 1), std::pair(&all, 4)}) {
    auto svm = solver("solver/pairwise_svm", pair_kernel("pair_kernel/tensor_metric_learning"),
                      {{"C", 0.1}});
    TestContext context(std::size_t(threads), 1);
    train(*svm, data.values, *set, context);
    found.push_back(scores(*svm, data.values, listed));
  }
  CHECK(found[0] == found[1]);
  CHECK(found[0] == found[2]);
}

TEST_CASE("the violation on its way to the tolerance is reported") {
  const Examples data = clouds(60, 5, 5);
  auto svm = solver("solver/pairwise_svm", pair_kernel("pair_kernel/tensor_metric_learning"),
                    {{"C", 0.1}, {"working_set", std::int64_t{64}}});
  TestContext context;
  const MemoryReport report = train(*svm, data.values, data.all_pairs(), context);
  common::testing::check_convergence(report, "working_set", 1e-3, report.numbers.at("violation"));
}

TEST_CASE("a loaded machine gives the same bits") {
  const Examples data = clouds(20, 4, 4);
  const PairSet pairs = data.all_pairs();
  for (const Case& c : kernels()) {
    CAPTURE(c.name);
    auto svm = solver("solver/pairwise_svm", c.kernel(), {{"C", 0.1}});
    TestContext context;
    train(*svm, data.values, pairs, context);
    MemoryState state;
    svm->save(state);
    auto loaded = solver("solver/pairwise_svm", c.kernel(), {{"C", 0.1}});
    loaded->bind(Layout::vector(4));
    loaded->load(state, context);
    CHECK(scores(*svm, data.values, pairs) == scores(*loaded, data.values, pairs));
  }
}

TEST_CASE("the standard kernel learns its scale from all examples, in every solver") {
  const Examples data = clouds(40, 5, 4);
  TestContext context;
  const double gamma = 1 / (5 * variance_of_values(MatrixRows(data.values.view()), {}, context));
  for (const char* id : {"solver/pairwise_svm", "solver/pairwise_newton"}) {
    const auto scored = [&](const Parameters& of_standard) {
      auto svm =
          solver(id, pair_kernel_on("pair_kernel/tensor_learning", "similarity/rbf", of_standard),
                 {{"C", 0.1}});
      train(*svm, data.values, data.all_pairs(), context);
      return scores(*svm, data.values, data.all_pairs());
    };
    CHECK(scored({}) == scored({{"gamma", gamma}}));
  }
}

TEST_CASE("bad input ends in one message that says what is wrong") {
  Examples data = clouds(10, 3, 2);
  auto svm = solver("solver/pairwise_svm", pair_kernel("pair_kernel/tensor_learning"));
  const auto message = [&](std::vector<Pair> pairs) {
    return training_error(*svm, data.values, PairSet::listed(std::move(pairs)));
  };
  CHECK(message({}) == "there are no training pairs");
  CHECK(message({{0, 1, 1}, {2, 10, -1}}) ==
        "pair 1 (counted from 0), of rows 2 and 10, is out of range: there are 10 rows, numbered "
        "from 0");
  CHECK(message({{0, 1, 1}, {-1, 2, -1}}).find("out of range") != std::string::npos);
  CHECK(message({{0, 1, 1}, {2, 3, 0}}) ==
        "training pair 1 (counted from 0), of rows 2 and 3, has the label 0; a pair to learn from "
        "must have +1 (same class) or -1");
  CHECK(message({{0, 1, 1}, {2, 3, 1}}) ==
        "all 2 training pairs are positive; a classifier needs pairs of the same class and of "
        "different classes");
  CHECK(message({{0, 1, 1}, {1, 0, -1}, {1, 2, -1}}) ==
        "the training pair of rows 0 and 1 is listed with both labels, +1 and -1; give it one of "
        "them");
  CHECK(training_error(*svm, data.values, PairSet::all_of({0, 1, 2}, {0, -1, 1}, true)) ==
        "row 1 has no class, so its training pairs have no label; give all rows a class or list "
        "the pairs");
  CHECK(training_error(*svm, data.values, data.all_pairs(), 1000).find("MiB") != std::string::npos);
  data.values.values[4] = std::nanf("");
  CHECK(message({{0, 1, 1}, {2, 3, -1}}) ==
        "training row 1, column 1 (both counted from 0) is NaN; training needs finite values");
}

TEST_CASE("a stop request keeps a model and says so") {
  const Examples data = clouds(20, 4, 4);
  auto svm = solver("solver/pairwise_svm", pair_kernel("pair_kernel/tensor_learning"));
  TestContext context;
  context.stop = StopReason::deadline;
  const MemoryReport report = train(*svm, data.values, data.all_pairs(), context);
  CHECK(report.texts.at("certificate") == "deadline");
  context.stop = StopReason::none;
  CHECK(scores(*svm, data.values, data.all_pairs()).size() == 210);
}

TEST_CASE("no extreme of C or size is called converged that is not") {
  check_extremes("solver/pairwise_svm", 0.5, 20'000);
}

}  // namespace
}  // namespace semblance::pairs::pairwise_svm_test
