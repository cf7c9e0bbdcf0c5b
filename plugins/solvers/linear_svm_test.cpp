// SPDX-License-Identifier: MIT
#include "linear_svm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "semblance/testing.hpp"

using namespace semblance;
using semblance::solvers::LinearSvm;
using testing::MemoryReport;
using testing::MemoryRows;
using testing::MemoryState;
using testing::TestContext;

namespace {

struct Data {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
};

/// Normally distributed clouds, one a class, that overlap.
Data clouds(std::size_t rows, std::size_t cols, std::size_t classes, std::uint64_t seed = 1) {
  Random random(seed);
  Data data{FloatMatrix(rows, cols), std::vector<std::int32_t>(rows), {}};
  std::vector<double> centres(classes * cols);
  for (double& x : centres) x = 0.5 * random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = i % classes;
    data.labels[i] = static_cast<std::int32_t>(label);
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] =
          static_cast<float>(centres[label * cols + j] + random.normal());
  }
  for (std::size_t c = 0; c < classes; ++c) data.classes.push_back("class " + std::to_string(c));
  return data;
}

/// A component with parameters, as the runtime makes it.
LinearSvm make(const std::vector<std::pair<std::string, Value>>& parameters = {}) {
  LinearSvm svm;
  const ComponentEntry entry = LinearSvm::declare().entry();
  for (const auto& [name, value] : parameters)
    for (std::size_t i = 0; i < entry.info.parameters.size(); ++i)
      if (entry.info.parameters[i].name == name) entry.setters[i].value(svm, value);
  return svm;
}

struct Trained {
  LinearSvm svm;
  MemoryReport report;
};

Trained train(const Data& data, TestContext& context,
              const std::vector<std::pair<std::string, Value>>& parameters = {}) {
  Trained trained{make(parameters), {}};
  const MemoryRows rows(data.values);
  const Layout layout = Layout::vector(data.values.cols);
  trained.svm.bind(layout);
  trained.svm.train({rows, layout, data.labels, data.classes}, trained.report, context);
  return trained;
}

FloatMatrix scores(const LinearSvm& svm, const Data& data) {
  TestContext context;
  FloatMatrix out(data.values.rows, data.classes.size());
  svm.apply(data.values.view(), out.view(), context);
  return out;
}

std::string message_of(const Data& data) {
  TestContext context;
  try {
    train(data, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the objective is certified by a lower bound") {
  TestContext context;
  const Data data = clouds(1000, 30, 5);
  const Trained trained = train(data, context, {{"tolerance", 1e-7}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("duality_gap") <= 1e-7);
  CHECK(trained.report.numbers.at("duality_gap") >= -1e-12);
  CHECK(trained.report.tables.at("objectives").rows.size() == 5);
  CHECK(trained.report.integers.at("parameters") == 5 * 31);
}

TEST_CASE("the reported objective is that of the scores") {
  TestContext context;
  const Data data = clouds(600, 20, 3);
  const Trained trained = train(data, context, {{"C", 0.5}, {"bias", 0.0}});
  MemoryState state;
  trained.svm.save(state);
  double objective = 0;
  for (const double w : state.doubles("weights")) objective += w * w / 2;
  const FloatMatrix f = scores(trained.svm, data);
  for (std::size_t i = 0; i < 600; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double y = static_cast<std::size_t>(data.labels[i]) == c ? 1 : -1;
      objective += 0.5 * std::pow(std::max(0.0, 1 - y * f.values[i * 3 + c]), 2);
    }
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-6));
}

TEST_CASE("one and two threads give the same bits") {
  const Data data = clouds(3000, 70, 10);
  TestContext one(1), two(2);
  CHECK(scores(train(data, one).svm, data).values == scores(train(data, two).svm, data).values);
}

TEST_CASE("the scores of a row do not depend on the rows around it") {
  TestContext context;
  for (const std::size_t classes : {2, 3, 7, 12}) {
    const Data data = clouds(200, 33, classes);
    const Trained trained = train(data, context);
    const FloatMatrix together = scores(trained.svm, data);
    for (std::size_t i = 0; i < 200; ++i) {
      FloatMatrix alone(1, classes);
      trained.svm.apply(data.values.view().rows_range(i, 1), alone.view(), context);
      REQUIRE(std::equal(alone.values.begin(), alone.values.end(),
                         together.values.begin() + static_cast<std::ptrdiff_t>(i * classes)));
    }
  }
}

TEST_CASE("two classes are one problem with opposite scores") {
  TestContext context;
  const Data data = clouds(500, 10, 2);
  const Trained trained = train(data, context);
  CHECK(trained.report.tables.at("objectives").rows == std::vector<std::string>{"class 1"});
  const FloatMatrix f = scores(trained.svm, data);
  std::size_t right = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    REQUIRE(f.values[2 * i] == -f.values[2 * i + 1]);
    right += (f.values[2 * i + 1] > 0) == (data.labels[i] == 1);
  }
  CHECK(right > 400);
}

TEST_CASE("a saved model gives the same bits") {
  TestContext context;
  for (const std::size_t classes : {2, 5}) {
    const Data data = clouds(300, 17, classes);
    const Trained trained = train(data, context);
    MemoryState state;
    trained.svm.save(state);
    LinearSvm loaded;
    loaded.bind(Layout::vector(17));
    loaded.load(state, context);
    CHECK(loaded.bind(Layout::vector(17)) == Layout::vector(classes));
    CHECK(scores(loaded, data).values == scores(trained.svm, data).values);
  }
}

TEST_CASE("a stop request leaves a model and says so") {
  const Data data = clouds(500, 10, 3);
  for (const auto& [reason, text] : {std::pair{StopReason::deadline, "deadline"},
                                     std::pair{StopReason::cancelled, "cancelled"}}) {
    TestContext context;
    context.stop = reason;
    const Trained trained = train(data, context);
    CHECK(trained.report.texts.at("certificate") == text);
    CHECK(trained.report.numbers.at("objective") == doctest::Approx(1500));
    CHECK(scores(trained.svm, data).values == std::vector<float>(1500, 0));
  }
}

TEST_CASE("too few iterations are reported as such") {
  TestContext context;
  const Trained trained = train(clouds(500, 10, 3), context,
                                {{"max_iterations", std::int64_t{1}}, {"tolerance", 1e-12}});
  CHECK(trained.report.texts.at("certificate") == "iteration limit");
  CHECK(trained.report.numbers.at("duality_gap") > 1e-12);
}

TEST_CASE("little memory changes the preconditioner and the batches, not the optimum") {
  TestContext large, small;
  small.budget = 300 << 10;
  const Data data = clouds(2000, 50, 6);
  const double objective = train(data, large, {{"tolerance", 1e-7}}).report.numbers.at("objective");
  const Trained tight = train(data, small, {{"tolerance", 1e-7}});
  CHECK(tight.report.texts.at("certificate") == "converged");
  CHECK(tight.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-6));
}

TEST_CASE("unusable training data are named") {
  Data data = clouds(300, 4, 3);
  data.values.values[4 * 270 + 2] = std::nanf("");
  CHECK(message_of(data) ==
        "training row 270, column 2 (both counted from 0) is NaN; only finite values can be "
        "learned from");
  data = clouds(30, 4, 3);
  data.labels[7] = 3;
  CHECK(message_of(data) ==
        "training row 7 (counted from 0) has the label 3; labels must be in [0, 3)");
  data = clouds(30, 4, 3);
  data.classes.push_back("extra");
  CHECK(message_of(data) ==
        "class 'extra' has no training rows; train on more rows or leave the class out");
  data = clouds(30, 4, 1);
  CHECK(message_of(data) == "a classifier needs at least 2 classes, the data have 1");
}
