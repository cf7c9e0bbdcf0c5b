// SPDX-License-Identifier: MIT
// Problems that need exact steps and wait for each other, since memory holds only a few Hessians.
#include <doctest/doctest.h>

#include <bit>

#include "linear_testing.hpp"
#include "newton/exact_hessian.hpp"
#include "newton/newton.hpp"

namespace waiting_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::linear::testing;

namespace {

constexpr std::size_t classes = 5;

/// Solves with memory for `hessians` Hessians; 0: all.
Solution solve(const Rows& rows, const Data& data, std::size_t hessians, Context& context,
               std::vector<double> costs = {10}) {
  std::vector<std::int32_t> positives(classes);
  for (std::size_t c = 0; c < classes; ++c) positives[c] = static_cast<std::int32_t>(c);
  SquaredLosses problem({rows, HingeLosses(data.labels, positives), costs.back(), 1}, context);
  NewtonOptions options{1e-7};
  options.exact_bytes = hessians * ExactHessian::bytes(data.labels.size(), problem.dimension());
  return std::move(minimise(problem, costs, options, context).back());
}

std::string bits_of(const Solution& solution) {
  std::string text = std::to_string(solution.iterations) + ' ';
  for (std::size_t c = 0; c < solution.weights.count(); ++c)
    for (std::size_t j = 0; j < solution.weights.cols(); ++j)
      text += std::to_string(std::bit_cast<std::uint64_t>(solution.weights.row(c)[j])) + ' ';
  return text;
}

std::size_t said(const TestContext& context, const std::string& what) {
  return static_cast<std::size_t>(std::ranges::count_if(
      context.lines,
      [&](const std::string& line) { return line.find(what) != std::string::npos; }));
}

/// Requests a stop once this line is logged.
class StopsAtLine final : public TestContext {
 public:
  explicit StopsAtLine(std::string what) : what_(std::move(what)) {}

  void log(LogLevel, std::string_view message) override {
    if (message.find(what_) != std::string_view::npos) stop = StopReason::deadline;
  }

 private:
  std::string what_;
};

/// Data for both forms: many rows with few columns, and few active rows with many columns.
std::vector<Data> both_forms() {
  Data separable = clouds(500, 260, classes);
  for (std::size_t i = 0; i < separable.values.values.size(); ++i)
    separable.values.values[i] *= std::pow(10.0F, static_cast<float>(i % 260 % 4));
  return {stiff(1500, 40, classes), separable};
}

}  // namespace

TEST_CASE("problems without room for a Hessian wait, and end at the optimum of the others") {
  for (const Data& data : both_forms()) {
    const MemoryRows rows(data.values);
    TestContext together, waiting;
    const Solution all = solve(rows, data, 0, together), few = solve(rows, data, 2, waiting);
    REQUIRE(said(together, "continues with exact steps") == classes);
    CHECK(said(waiting, "continues with exact steps") == classes);
    CHECK(few.certificate == Certificate::converged);
    CHECK(few.iterations > all.iterations);
    for (std::size_t c = 0; c < classes; ++c) {
      CHECK(few.outcomes[c].primal == doctest::Approx(all.outcomes[c].primal).epsilon(3e-7));
      CHECK(proved(few.outcomes[c], 1e-7));
    }
  }
}

TEST_CASE("without memory for one Hessian none is made") {
  const Data data = both_forms().front();
  const MemoryRows rows(data.values);
  TestContext context;
  std::vector<std::int32_t> positives{0};
  SquaredLosses problem({rows, HingeLosses(data.labels, positives), 10, 1}, context);
  NewtonOptions options{1e-7};
  options.exact_bytes = 1;
  minimise(problem, std::vector<double>{10}, options, context);
  CHECK(said(context, "continues with exact steps") == 0);
}

TEST_CASE("waiting gives the same bits on any number of threads and ranks, also along a path") {
  for (const Data& data : both_forms())
    for (const std::vector<double>& costs : {std::vector<double>{10}, {1, 10}})
      check_same_on_ranks(data.values, {1, 2, 3}, [&](const Rows& rows, Context& context) {
        return bits_of(solve(rows, data, 2, context, costs));
      });
}

TEST_CASE("a stop while problems wait leaves the best weights of all problems") {
  const Data data = both_forms().front();
  const MemoryRows rows(data.values);
  // By then other problems have waited.
  StopsAtLine context("problem 2 continues with exact steps");
  const Solution stopped = solve(rows, data, 1, context);
  CHECK(stopped.certificate == Certificate::deadline);
  for (const Outcome& outcome : stopped.outcomes) {
    CHECK(outcome.primal < 10 * double(data.labels.size()));
    CHECK(outcome.dual <= outcome.primal * (1 + 1e-12));
  }
}

}  // namespace waiting_test
