// SPDX-License-Identifier: MIT
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/solver.hpp"
#include "semblance/testing.hpp"

// The checks of all solvers of samples, whatever they learn from, and of classifiers and novelty
// detectors.
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
  require_finite(mapped(ready, samples.values.view(), context).values,
                 "the values that it gives are then not finite");
}

void single_row(const Subject& subject) {
  if (subject.info().columns_are_rows)
    throw NotApplicable("each value of its samples belongs to a training row");
  const SampleSet samples = samples_for(subject, subject.config());
  std::vector<double> first(samples.labels.size());
  first.front() = 1;
  learns_or_refuses(subject, repeated(samples, first));
}

/// The classes are far apart: guessing gets two thirds wrong.
void learns(const Subject& subject) {
  const Prepared p(subject);
  const FloatMatrix& scores = p.all;
  std::size_t right = 0;
  for (std::size_t i = 0; i < scores.rows; ++i)
    right += predicted_class(scores.view().row_span(i)) == p.samples.labels[i];
  require(right * 3 > scores.rows * 2, "only " + std::to_string(right) + " of " +
                                           std::to_string(scores.rows) +
                                           " training rows of three well-separated classes get the "
                                           "largest score for the right class");
}

void one_class(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.labels, 0);
  learns_or_refuses(subject, samples);
}

struct Judged {
  std::vector<float> usual;  ///< scores of the samples that it learned from
  std::vector<float> novel;  ///< scores of the samples of other classes
};

/// It learns from the samples of one class; the others are novel.
Judged judged(const Subject& subject) {
  if (!subject.create_as<NoveltyDetector>()->uses_rows())
    throw NotApplicable("it learns nothing from the values of its rows");
  if (subject.info().columns_are_rows)
    throw NotApplicable("each value of its samples belongs to a training row");
  const SampleSet samples = samples_for(subject, subject.config());
  std::vector<double> first_class;
  for (const std::int32_t label : samples.labels) first_class.push_back(label == 0 ? 1 : 0);
  Prepared p(subject, repeated(samples, first_class));
  const FloatMatrix scores = mapped(p.ready, samples.values.view(), p.context);
  Judged found;
  for (std::size_t i = 0; i < scores.rows; ++i)
    (samples.labels[i] == 0 ? found.usual : found.novel).push_back(scores.view().row(i)[0]);
  return found;
}

/// The probability that a usual sample has a larger score than a novel one; by chance, one half.
void recognizes(const Subject& subject) {
  const Judged found = judged(subject);
  double right = 0;
  for (const float usual : found.usual)
    for (const float novel : found.novel) right += usual > novel ? 1 : usual == novel ? 0.5 : 0;
  right /= static_cast<double>(found.usual.size() * found.novel.size());
  require(3 * right > 2,
          "a sample of the class that it has learned has a larger score than one of "
          "another, well-separated class with a probability of only " +
              to_text(Value(right)));
}

/// By a parameter, a share of the training samples may be novel, but not most of them.
void threshold(const Subject& subject) {
  const Judged found = judged(subject);
  std::size_t usual = 0;
  for (const float score : found.usual) usual += score >= 0;
  require(4 * usual >= found.usual.size(),
          "only " + std::to_string(usual) + " of the " + std::to_string(found.usual.size()) +
              " samples that it learned from have a score of at least 0, which means usual");
}

}  // namespace

void add_learner_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"certificate and objective are reported", certificate},
       {"stopped before its first step", stopped_at_once},
       {"stopped half-way", stopped_half_way},
       {"a single training row", single_row}});
  const PortType output = subject.info().output->type;
  if (output == PortType::scores)
    add(checks, subject,
        {{"separates classes that are far apart", learns},
         {"training rows of a single class", one_class}});
  if (output == PortType::estimates || output == PortType::intervals)
    add_regressor_checks(checks, subject);
  if (output != PortType::novelty) return;
  add(checks, subject,
      {{"novel samples have smaller scores", recognizes},
       {"its training samples are usual", threshold}});
  add_target_checks(checks, subject);
}

}  // namespace semblance::conformance

// Whether a training that takes long asks if it should stop. A few samples are learned in
// milliseconds, in which nobody notices; so more and more are given. Processor time is measured: it
// is the same on a busy machine.
namespace semblance::conformance {
namespace {

/// A stop is requested after this time.
constexpr double requested_after = 0.2;

/// The training must have ended this much later; it should have noticed within a tenth of a second.
constexpr double ended_after = 2;

/// The most samples, and the most values of all of them.
constexpr std::size_t most_samples = 40000, most_sample_values = std::size_t{8} << 20;

/// Seconds of all threads of the process.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Requests a stop after some processor time, and knows whether the component has seen that.
class LateStop final : public testing::TestContext {
 public:
  LateStop() : TestContext(1), start_(processor_seconds()) {}
  StopReason stop_requested() const noexcept override {
    asked_ = true;
    if (spent() < requested_after) return StopReason::none;
    seen_ = true;
    return StopReason::cancelled;
  }
  bool asked() const noexcept { return asked_; }
  double spent() const noexcept { return processor_seconds() - start_; }
  bool seen() const noexcept { return seen_; }

 private:
  double start_;
  mutable std::atomic<bool> asked_ = false, seen_ = false;
};

/// The samples `times` times, one after the other.
SampleSet grown(const SampleSet& samples, std::size_t times) {
  SampleSet all = samples;
  std::vector<std::size_t> sizes;
  for (std::size_t k = 0; k < times; ++k)
    for (std::size_t i = 0; i < samples.values.rows; ++i)
      sizes.push_back(samples.values.view().size(i));
  all.values = room_for(samples.layout, sizes);
  for (std::size_t k = 0; k < times; ++k) {
    copy_rows(samples.values.view(),
              all.values.view().rows_range(k * samples.values.rows, samples.values.rows));
    if (k == 0) continue;
    all.labels.insert(all.labels.end(), samples.labels.begin(), samples.labels.end());
    all.targets.insert(all.targets.end(), samples.targets.begin(), samples.targets.end());
  }
  return all;
}

/// To hundredths.
std::string seconds_text(double seconds) { return to_text(Value(std::round(100 * seconds) / 100)); }

/// Whether the training was long enough to tell. Throws Failed or Remark if it went on too
/// long.
bool is_judged(const Subject& subject, const SampleSet& samples) {
  LateStop context;
  try {
    learn(subject, subject.config(), samples, context);
  } catch (const Cancelled&) {
  }
  const double late = context.spent() - requested_after;
  const std::string training = "training on " + std::to_string(samples.values.rows) + " samples ";
  if (!context.seen()) {
    if (late < ended_after) return false;
    const std::string took =
        training + "took " + seconds_text(context.spent()) + " s of processor time";
    // Some libraries cannot be interrupted: one can only ask before and after.
    if (context.asked()) throw Remark(took + ", in most of which it did not ask whether to stop");
    throw Failed(took +
                 " in which it never asked whether to stop; call context.check_stop() or "
                 "stop_requested() in its loops");
  }
  require(late < ended_after, training + "continued for " + seconds_text(late) +
                                  " s of processor time after a stop request");
  return true;
}

void long_training(const Subject& subject) {
  if (subject.info().columns_are_rows)
    throw NotApplicable("each value of its samples belongs to a training row");
  const SampleSet samples = samples_for(subject, subject.config());
  for (std::size_t times = 1; times * samples.values.rows <= most_samples &&
                              times * samples.values.values.size() <= most_sample_values;
       times *= 2) {
    try {
      if (is_judged(subject, grown(samples, times))) return;
    } catch (const Error&) {
      throw NotApplicable("it refuses many samples");
    }
  }
}

}  // namespace

void add_long_training_check(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back(
      {"a long training asks whether to stop", [&subject] { long_training(subject); }});
}

}  // namespace semblance::conformance
