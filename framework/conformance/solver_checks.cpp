// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/solver.hpp"
#include "semblance/testing.hpp"

namespace semblance::conformance {
namespace {

/// Counts the stop polls on one thread, and requests a stop after a given number.
class CountingContext final : public Context {
 public:
  static constexpr std::int64_t never = INT64_MAX;

  /// Requests a stop after `polls` polls.
  explicit CountingContext(std::int64_t polls = never) : limit_(polls) {}

  std::int64_t polls() const noexcept { return polls_; }

  void log(LogLevel level, std::string_view message) override { context_.log(level, message); }
  Random random() const override { return context_.random(); }
  StopReason stop_requested() const noexcept override {
    return polls_++ >= limit_ ? StopReason::cancelled : StopReason::none;
  }
  void progress(double, double) override {}
  std::size_t memory_budget() const noexcept override { return context_.memory_budget(); }
  std::size_t threads() const noexcept override { return context_.threads(); }
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
    context_.parallel_for(count, body);
  }

 private:
  testing::TestContext context_{1};
  std::int64_t limit_;
  mutable std::atomic<std::int64_t> polls_{0};
};

RecordedReport trained_report(const Subject& subject, Solver& solver, const SampleSet& samples,
                              Context& context) {
  const SampleTraining training(samples);
  solver.bind(samples.layout);
  RecordedReport report = subject.report(subject.config());
  solver.train(training.set(), report, context);
  return report;
}

bool is_certificate(const std::string& text) {
  for (const Certificate c :
       {Certificate::converged, Certificate::passes_made, Certificate::iteration_limit,
        Certificate::deadline, Certificate::cancelled})
    if (text == name(c)) return true;
  return false;
}

void certificate(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  testing::TestContext context;
  auto solver = subject.create_as<Solver>();
  const RecordedReport report = trained_report(subject, *solver, samples, context);
  require(is_certificate(report.text_of("certificate")),
          "it reports the certificate '" + report.text_of("certificate") +
              "', which is not one of converged, all passes made, iteration limit, deadline, "
              "cancelled");
  require(report.has("objective"), "it does not report its objective");
}

/// When asked to stop before its first step, a solver has its best possible model, or reports with
/// Cancelled that it has none.
void solver_keeps_its_model(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  for (const StopReason reason : {StopReason::cancelled, StopReason::deadline}) {
    testing::TestContext context;
    ReadyTransform ready{subject.create_as<Solver>(), Layout::vector(sample_classes), ""};
    context.stop = reason;
    RecordedReport report = subject.report(subject.config());
    try {
      report = trained_report(subject, dynamic_cast<Solver&>(*ready.transform), samples, context);
    } catch (const Cancelled&) {
      continue;
    }
    require(is_certificate(report.text_of("certificate")),
            "it reports the certificate '" + report.text_of("certificate") + "' when stopped");
    context.stop = StopReason::none;
    require(ready.transform->bind(samples.layout) == ready.output,
            "it neither has a model nor throws Cancelled");
    mapped(ready, samples.values.view(), context);
  }
}

/// When stopped at half of its polls, its model is used like any other.
void stopped_half_way(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  CountingContext undisturbed;
  trained_report(subject, *subject.create_as<Solver>(), samples, undisturbed);
  if (undisturbed.polls() < 2)
    throw NotApplicable("these samples are learned too fast for this check");
  CountingContext stopping(undisturbed.polls() / 2);
  ReadyTransform ready{subject.create_as<Solver>(), Layout::vector(sample_classes), ""};
  try {
    trained_report(subject, dynamic_cast<Solver&>(*ready.transform), samples, stopping);
  } catch (const Cancelled&) {
    throw NotApplicable("it has no model half-way and says so with Cancelled");
  }
  testing::TestContext context;
  require(ready.transform->bind(samples.layout) == ready.output,
          "it neither has a model nor throws Cancelled");
  for (const float score : mapped(ready, samples.values.view(), context).values)
    require(std::isfinite(score), "its scores are then not finite");
}

/// The classes are far apart: guessing gets two thirds wrong.
void learns(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  const FloatMatrix scores = mapped(ready, samples.values.view(), context);
  std::size_t right = 0;
  for (std::size_t i = 0; i < scores.rows; ++i)
    right += predicted_class(scores.view().row_span(i)) == samples.labels[i];
  require(right * 3 > scores.rows * 2, "only " + std::to_string(right) + " of " +
                                           std::to_string(scores.rows) +
                                           " training rows of three well-separated classes get the "
                                           "largest score for the right class");
}

void probabilities(const Subject& subject) {
  if (!subject.create_as<Solver>()->gives_probabilities())
    throw NotApplicable("it does not say that its scores are probabilities");
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  testing::TestContext context;
  const FloatMatrix scores = mapped(ready, samples.values.view(), context);
  for (std::size_t i = 0; i < scores.rows; ++i) {
    double sum = 0;
    for (const float score : scores.view().row_span(i)) {
      require(score >= 0, "row " + std::to_string(i) + " has a score of " + std::to_string(score));
      sum += double{score};
    }
    require(std::abs(sum - 1) < 1e-5,
            "the scores of row " + std::to_string(i) + " add up to " + std::to_string(sum));
  }
}

void one_class(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.labels, 0);
  testing::TestContext context;
  auto solver = subject.create_as<Solver>();
  try {
    trained_report(subject, *solver, samples, context);
  } catch (const Error&) {
  }
}

}  // namespace

void add_solver_checks(std::vector<Check>& checks, const Subject& subject) {
  const auto add = [&](const char* name, void (*check)(const Subject&)) {
    checks.push_back({name, [&subject, check] { check(subject); }});
  };
  add("certificate and objective are reported", certificate);
  add("stopped before its first step", solver_keeps_its_model);
  add("stopped half-way", stopped_half_way);
  add("separates classes that are far apart", learns);
  add("probabilities, if it says so, that add up to 1", probabilities);
  add("training rows of a single class", one_class);
}

}  // namespace semblance::conformance
