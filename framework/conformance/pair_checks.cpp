// SPDX-License-Identifier: MIT
// What takes or gives pairs of samples.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/recorded.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/pairs.hpp"

namespace semblance::conformance {
namespace {

constexpr std::size_t classes_in_all = 12;
constexpr std::size_t rows_of_a_class = 20;

/// Samples that alternate between 12 classes; the last four of each class are for testing.
struct Examples {
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::size_t train_rows = classes_in_all * (rows_of_a_class - 4);

  Examples() {
    for (std::size_t i = 0; i < classes_in_all * rows_of_a_class; ++i)
      labels.push_back(static_cast<std::int32_t>(i % classes_in_all));
    for (std::size_t c = 0; c < classes_in_all; ++c) classes.push_back(std::to_string(c));
  }
  PairExamples view() const { return {labels, train_rows, classes}; }
  PairExamples new_data() const { return {std::span(labels).subspan(train_rows), 0, classes}; }
};

void check_pairs(const PairSet& set, const PairExamples& examples, std::size_t rows,
                 const std::string& purpose) {
  for (const Pair& pair : set.expanded()) {
    const std::string place = "the pair (" + std::to_string(pair.first) + ", " +
                              std::to_string(pair.second) + ") to " + purpose;
    const auto row = [&](std::int32_t r) {
      require(r >= 0 && static_cast<std::size_t>(r) < rows,
              place + " on is not one of the " + std::to_string(rows) + " rows for it");
      return examples.labels[static_cast<std::size_t>(r)];
    };
    const std::int32_t right = row(pair.first) == row(pair.second) ? 1 : -1;
    require(pair.label == right, place + " on has the label " + std::to_string(pair.label) +
                                     ", not " + std::to_string(right));
  }
}

std::string text_of(const PairSet& set) {
  std::string text;
  for (const Pair& pair : set.expanded())
    text += std::to_string(pair.first) + " " + std::to_string(pair.second) + " " +
            std::to_string(pair.label) + "\n";
  return text;
}

Outcome pairs_trial(const Subject& subject, const ComponentConfig& config, const Setting& setting) {
  const Examples examples;
  TrialContext context(setting);
  const auto chosen = subject.create_as<Pairs>(config)->select(examples.view(), context);
  check_pairs(chosen.train, examples.view(), examples.train_rows, "train");
  check_pairs(chosen.test, examples.view(), examples.labels.size(), "test");
  return {{}, text_of(chosen.train) + "test:\n" + text_of(chosen.test)};
}

void new_data(const Subject& subject) {
  const Examples examples;
  testing::TestContext context;
  const auto chosen = subject.create_as<Pairs>()->select(examples.new_data(), context);
  require(chosen.train.size() == 0, "it gives training pairs although there are no training rows");
  check_pairs(chosen.test, examples.new_data(), examples.new_data().labels.size(), "test");
}

}  // namespace

void add_pairs_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"pairs of the right rows with the right labels",
                    [&subject] { pairs_trial(subject, subject.config(), {}); }});
  add(checks, subject, {{"test pairs of new data", new_data}});
  add_repetition_checks(checks, subject, pairs_trial);
}

namespace {

using Point = std::array<double, 5>;

double product(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

StandardKernelValues values_of(const Point& a, const Point& b, const Point& c, const Point& d) {
  const auto sign = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  return {product(a, c), product(a, d), product(b, c), product(b, d),
          sign(a[0] - b[0]) * sign(c[0] - d[0])};
}

Point point(Random& random) {
  Point p;
  for (double& x : p) x = random.normal();
  return p;
}

void same(double one, double other, const std::string& what) {
  require(std::abs(one - other) <= 1e-9 * (1 + std::abs(one)),
          what + ": " + to_text(Value(one)) + " and " + to_text(Value(other)));
}

/// evaluate_columns() for one column, which computes in single precision.
double column_value(const PairKernel& kernel, const StandardKernelValues& k) {
  const auto ac = static_cast<float>(k.ac), ad = static_cast<float>(k.ad),
             bc = static_cast<float>(k.bc), bd = static_cast<float>(k.bd),
             order = static_cast<float>(k.order);
  float out = 0;
  kernel.evaluate_columns({&ac, &ad, &bc, &bd, &order, 1}, &out);
  return out;
}

Outcome kernel_trial(const Subject& subject, const ComponentConfig& config, const Setting&) {
  const auto kernel = subject.create_as<PairKernel>(config);
  Random random(31);
  Outcome outcome;
  for (int k = 0; k < 200; ++k) {
    const Point a = point(random), b = point(random), c = point(random), d = point(random);
    const double value = kernel->evaluate(values_of(a, b, c, d));
    require(std::isfinite(value), "its value is not finite");
    require(std::abs(value - column_value(*kernel, values_of(a, b, c, d))) <=
                1e-3 * (1 + std::abs(value)),
            "evaluate_columns() and evaluate() give different values");
    same(value, kernel->evaluate(values_of(b, a, d, c)),
         "K((a, b), (c, d)) is not K((b, a), (d, c)), eq. (9)");
    same(value, kernel->evaluate(values_of(c, d, a, b)),
         "K((a, b), (c, d)) is not K((c, d), (a, b))");
    if (kernel->symmetric())
      same(value, kernel->evaluate(values_of(b, a, c, d)),
           "it claims to be symmetric, but K((a, b), (c, d)) is not K((b, a), (c, d))");
    outcome.text += to_text(Value(value)) + "\n";
  }
  return outcome;
}

}  // namespace

void add_pair_kernel_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"finite, and symmetric as required",
                    [&subject] { kernel_trial(subject, subject.config(), {}); }});
  add_repetition_checks(checks, subject, kernel_trial);
}

namespace {

/// The solver learns from all pairs of these samples.
constexpr std::size_t rows_paired = 45;

std::vector<std::int32_t> first_rows() {
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < rows_paired; ++i) rows.push_back(static_cast<std::int32_t>(i));
  return rows;
}

PairSet all_pairs(const SampleSet& samples) {
  return PairSet::all_of(first_rows(),
                         {samples.labels.begin(), samples.labels.begin() + rows_paired}, true);
}

struct Trained {
  std::unique_ptr<PairSolver> solver;
  SampleSet samples;
  RecordedReport report;
};

/// Trains on the first samples that it accepts.
Trained train(const Subject& subject, const ComponentConfig& config, Context& context) {
  std::string refusals;
  for (SampleSet& samples : sample_sets(subject.info().inputs.at(0).layouts)) {
    Trained trained{subject.create_as<PairSolver>(config), std::move(samples),
                    subject.report(config)};
    try {
      trained.solver->bind(trained.samples.layout);
    } catch (const Error& refusal) {
      refusals += describe(trained.samples.layout) + ": " + refusal.what() + "; ";
      continue;
    }
    const testing::MemoryRows rows(trained.samples.values);
    const PairSet pairs = all_pairs(trained.samples);
    trained.solver->train({rows, trained.samples.layout, pairs}, trained.report, context);
    return trained;
  }
  throw Failed("it accepts none of the samples that were tried: " + refusals);
}

std::vector<float> scores(const PairSolver& solver, const SampleSet& samples, const PairSet& pairs,
                          Context& context) {
  const testing::MemoryRows rows(samples.values);
  std::vector<float> out(pairs.size(), std::numeric_limits<float>::quiet_NaN());
  solver.score(rows, pairs, out, context);
  return out;
}

void reload(const Subject& subject, const ComponentConfig& config, Trained& trained,
            Context& context) {
  auto fresh = subject.create_as<PairSolver>(config);
  fresh->bind(trained.samples.layout);
  pass_state(*trained.solver, *fresh, context);
  trained.solver = std::move(fresh);
}

Outcome pair_solver_trial(const Subject& subject, const ComponentConfig& config,
                          const Setting& setting) {
  TrialContext context(setting);
  Trained trained = train(subject, config, context);
  if (setting.reloaded) reload(subject, config, trained, context);
  return {scores(*trained.solver, trained.samples, all_pairs(trained.samples), context),
          trained.report.text()};
}

void every_score(const Subject& subject) {
  testing::TestContext context;
  const Trained trained = train(subject, subject.config(), context);
  require_finite(scores(*trained.solver, trained.samples, all_pairs(trained.samples), context),
                 "a score is not finite or was not written");
  require(!trained.report.text_of("certificate").empty(), "it does not report its certificate");
  require(trained.report.has("objective"), "it does not report its objective");
}

/// Scores all pairs, the same pairs as a list, and each half of the list; with unknown labels.
void ways_to_ask(const Subject& subject) {
  testing::TestContext context;
  const Trained trained = train(subject, subject.config(), context);
  const PairSet all = all_pairs(trained.samples);
  const std::vector<float> whole = scores(*trained.solver, trained.samples, all, context);
  std::vector<Pair> list = all.expanded();
  for (Pair& pair : list) pair.label = 0;
  const auto same = [&](std::size_t first, std::size_t count) {
    const PairSet part = PairSet::listed(
        {list.begin() + std::ptrdiff_t(first), list.begin() + std::ptrdiff_t(first + count)});
    const std::string what = difference(
        {{whole.begin() + std::ptrdiff_t(first), whole.begin() + std::ptrdiff_t(first + count)},
         ""},
        {scores(*trained.solver, trained.samples, part, context), ""});
    require(what.empty(), "asked for " + std::to_string(count) + " pairs as a list: " + what);
  };
  same(0, list.size());
  same(0, list.size() / 2);
  same(list.size() / 2, list.size() - list.size() / 2);
  same(17, 1);
}

void pair_solver_keeps_its_model(const Subject& subject) {
  testing::TestContext context;
  context.stop = StopReason::cancelled;
  try {
    const Trained trained = train(subject, subject.config(), context);
    context.stop = StopReason::none;
    scores(*trained.solver, trained.samples, all_pairs(trained.samples), context);
  } catch (const Cancelled&) {
    // It has no model yet.
  }
}

}  // namespace

void add_pair_solver_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"every score is written and finite, and reported on", every_score},
       {"same bits however the pairs are requested", ways_to_ask},
       {"stopped before its first step", pair_solver_keeps_its_model}});
  add_repetition_and_reload_checks(checks, subject, pair_solver_trial);
}

}  // namespace semblance::conformance
