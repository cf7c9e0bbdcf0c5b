// SPDX-License-Identifier: MIT
// The checks of all solvers of samples, whatever they learn from.
#include <atomic>
#include <cmath>
#include <cstdint>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
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
  auto learner = subject.create_as<Learner>();
  const RecordedReport report = train(subject, subject.config(), *learner, samples, context);
  require(is_certificate(report.text_of("certificate")),
          "it reports the certificate '" + report.text_of("certificate") +
              "', which is not one of converged, all passes made, iteration limit, deadline, "
              "cancelled");
  require(report.has("objective"), "it does not report its objective");
}

/// When asked to stop before its first step, a solver has its best possible model, or reports with
/// Cancelled that it has none.
void stopped_at_once(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  for (const StopReason reason : {StopReason::cancelled, StopReason::deadline}) {
    testing::TestContext context;
    ReadyTransform ready{subject.create_as<Learner>(), learned_output(subject.info(), samples), ""};
    context.stop = reason;
    try {
      const RecordedReport report = train(
          subject, subject.config(), dynamic_cast<Learner&>(*ready.transform), samples, context);
      require(is_certificate(report.text_of("certificate")),
              "it reports the certificate '" + report.text_of("certificate") + "' when stopped");
    } catch (const Cancelled&) {
      continue;
    }
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
  train(subject, subject.config(), *subject.create_as<Learner>(), samples, undisturbed);
  if (undisturbed.polls() < 2)
    throw NotApplicable("these samples are learned too fast for this check");
  CountingContext stopping(undisturbed.polls() / 2);
  ReadyTransform ready{subject.create_as<Learner>(), learned_output(subject.info(), samples), ""};
  try {
    train(subject, subject.config(), dynamic_cast<Learner&>(*ready.transform), samples, stopping);
  } catch (const Cancelled&) {
    throw NotApplicable("it has no model half-way and says so with Cancelled");
  }
  testing::TestContext context;
  require(ready.transform->bind(samples.layout) == ready.output,
          "it neither has a model nor throws Cancelled");
  for (const float value : mapped(ready, samples.values.view(), context).values)
    require(std::isfinite(value), "the values that it gives are then not finite");
}

void single_row(const Subject& subject) {
  if (subject.info().columns_are_rows)
    throw NotApplicable("each value of its samples belongs to a training row");
  const SampleSet samples = samples_for(subject, subject.config());
  std::vector<double> first(samples.labels.size());
  first.front() = 1;
  learns_or_refuses(subject, repeated(samples, first));
}

}  // namespace

void add_learner_checks(std::vector<Check>& checks, const Subject& subject) {
  const auto add = [&](const char* name, void (*check)(const Subject&)) {
    checks.push_back({name, [&subject, check] { check(subject); }});
  };
  add("certificate and objective are reported", certificate);
  add("stopped before its first step", stopped_at_once);
  add("stopped half-way", stopped_half_way);
  add("a single training row", single_row);
}

}  // namespace semblance::conformance
