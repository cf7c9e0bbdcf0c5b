// SPDX-License-Identifier: MIT
// What solvers and calibrators give.
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/solver.hpp"

namespace semblance::conformance {
namespace {

bool is_calibrator(const Subject& subject) { return subject.info().kind() == "calibrator"; }

struct Given {
  FloatMatrix in, out;
  std::string where;
};

/// What it gives for the samples; a calibrator also for scores far outside of those that it learned
/// from, where the ends of intervals stay in order.
std::vector<Given> given(const Subject& subject) {
  const Prepared p(subject);
  std::vector<Given> all = {{p.samples.values, p.all, ""}};
  if (!is_calibrator(subject)) return all;
  const bool intervals = subject.info().inputs.front().type == PortType::intervals;
  testing::TestContext context;
  for (const float factor : {1e4F, -1e4F}) {
    FloatMatrix in = p.samples.values;
    for (float& value : in.values) value *= factor;
    for (std::size_t k = 0; intervals && factor < 0 && k < in.values.size(); k += 3)
      std::swap(in.values[k], in.values[k + 2]);
    FloatMatrix out = mapped(p.ready, std::as_const(in).view(), context);
    all.push_back({std::move(in), std::move(out), ", for scores that are far outside"});
  }
  return all;
}

void probabilities(const Subject& subject) {
  const bool claimed = is_calibrator(subject)
                           ? subject.create_as<Calibrator>()->gives_probabilities()
                           : subject.create_as<Solver>()->gives_probabilities();
  if (!claimed) throw NotApplicable("it does not say that its scores are probabilities");
  for (const Given& one : given(subject))
    for (std::size_t i = 0; i < one.out.rows; ++i) {
      const std::string row = "row " + std::to_string(i);
      double sum = 0;
      for (const float score : one.out.view().row_span(i)) {
        require(score >= 0, row + " has a score of " + std::to_string(score) + one.where);
        sum += double{score};
      }
      require(std::abs(sum - 1) < 1e-5,
              "the scores of " + row + " add up to " + std::to_string(sum) + one.where);
    }
}

/// Infinite ends are in order, too.
void ordered_ends(const Subject& subject) {
  const bool of_intervals = subject.info().inputs.front().type == PortType::intervals;
  for (const Given& one : given(subject))
    for (std::size_t k = 0; 3 * k < one.out.values.size(); ++k) {
      const float* const ends = one.out.values.data() + 3 * k;
      require(!is_calibrator(subject) || ends[1] == one.in.values[of_intervals ? 3 * k + 1 : k],
              "the value in the middle is not the estimate");
      require(ends[0] <= ends[1] && ends[1] <= ends[2],
              "an interval from " + std::to_string(ends[0]) + " to " + std::to_string(ends[2]) +
                  " does not contain the estimate " + std::to_string(ends[1]) + one.where);
    }
}

void some_numbers_covered(const Subject& subject) {
  const Prepared p(subject);
  std::size_t covered = 0;
  for (std::size_t k = 0; k < p.samples.targets.size(); ++k) {
    const float* const ends = p.all.values.data() + 3 * k;
    covered += double{ends[0]} <= p.samples.targets[k] && p.samples.targets[k] <= double{ends[2]};
  }
  require(covered > 0, "no interval of a sample that it learned from contains its number");
}

void reports_something(const Subject& subject) {
  require(!Prepared(subject).ready.report.empty(), "it does not report what it has learned");
}

/// What is more usual stays so.
void same_order(const Subject& subject) {
  const Prepared p(subject);
  const std::vector<float>&before = p.samples.values.values, &after = p.all.values;
  for (std::size_t i = 0; i < after.size(); ++i)
    for (std::size_t j = 0; j < after.size(); ++j)
      require(before[i] > before[j] || after[i] <= after[j],
              "a sample with a smaller score than another gets a larger one");
}

constexpr const char* not_finite = "what it gives is then not finite";

/// A small class may be like this: all samples have the right class, by a wide margin.
void all_rows_right(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  for (std::size_t i = 0; i < samples.values.rows; ++i)
    for (std::size_t c = 0; c < samples.values.cols; ++c)
      samples.values.view().row(i)[c] =
          static_cast<std::size_t>(samples.labels[i]) == c ? 100.0F : -100.0F;
  require_finite(Prepared(subject, samples).all.values, not_finite);
}

/// The scores of a solver that learns nothing.
void equal_scores(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.values.values, 0.0F);
  require_finite(Prepared(subject, samples).all.values, not_finite);
}

}  // namespace

void add_output_checks(std::vector<Check>& checks, const Subject& subject) {
  const PortType output = subject.info().output->type;
  if (output == PortType::intervals)
    add(checks, subject,
        {{"the ends of intervals are in order, with the estimate between them", ordered_ends},
         {"some intervals contain their number", some_numbers_covered}});
  if (output == PortType::scores)
    add(checks, subject, {{"probabilities, if it says so, that add up to 1", probabilities}});
  if (!is_calibrator(subject)) return;
  add(checks, subject, {{"it reports what it has learned", reports_something}});
  if (output == PortType::novelty)
    add(checks, subject, {{"the order of the scores stays the same", same_order}});
  if (output == PortType::scores)
    add(checks, subject, {{"held-out rows that are all right", all_rows_right}});
  if (output != PortType::intervals)
    add(checks, subject, {{"scores that are all equal", equal_scores}});
}

namespace {

/// R^2, the share of the variance of target number t that the estimates explain. The mean of the
/// targets explains nothing.
double explained(const SampleSet& samples, const FloatMatrix& estimates, std::size_t t) {
  const std::size_t rows = estimates.rows, numbers = samples.target_names.size();
  double mean = 0, variance = 0, error = 0;
  for (std::size_t i = 0; i < rows; ++i) mean += samples.targets[i * numbers + t];
  mean /= static_cast<double>(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double target = samples.targets[i * numbers + t];
    variance += (target - mean) * (target - mean);
    const double miss = target - double{estimates.view().row(i)[t]};
    error += miss * miss;
  }
  return 1 - error / variance;
}

FloatMatrix estimates_of(const Subject& subject, const SampleSet& samples) {
  FloatMatrix given = Prepared(subject, samples).all;
  if (subject.info().output->type != PortType::intervals) return given;
  FloatMatrix estimates(given.rows, given.cols / 3);
  for (std::size_t k = 0; k < estimates.values.size(); ++k)
    estimates.values[k] = given.values[3 * k + 1];
  return estimates;
}

constexpr double enough = 0.5;

std::string rounded(double share) { return to_text(Value(std::round(1000 * share) / 1000)); }

void require_explained(const SampleSet& samples, const FloatMatrix& estimates) {
  for (std::size_t t = 0; t < samples.target_names.size(); ++t) {
    const double share = explained(samples, estimates, t);
    require(share > enough, "its estimates of the training samples' '" + samples.target_names[t] +
                                "' have an R^2 of " + rounded(share) +
                                "; their mean has 0, and these samples determine the number "
                                "almost exactly");
  }
}

void learns_numbers(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  require_explained(samples, estimates_of(subject, samples));
}

/// The samples that it accepts, with two numbers each.
SampleSet samples_with_two_numbers(const Subject& subject) {
  const SampleSet taken = samples_for(subject, subject.config());
  const std::vector<LayoutKind> layout = {taken.layout.kind};
  for (SampleSet& samples : sample_sets(layout))
    if (samples.layout == taken.layout) return with_numbers(std::move(samples), 2);
  throw Failed("there are no samples of a " + describe(taken.layout));
}

void two_numbers(const Subject& subject) {
  const SampleSet samples = samples_with_two_numbers(subject);
  FloatMatrix estimates;
  try {
    estimates = estimates_of(subject, samples);
  } catch (const Error& refusal) {
    throw NotApplicable(std::string("it refuses more than one number: ") + refusal.what());
  }
  require_explained(samples, estimates);
}

/// Years or prices are far from zero, compared with their deviation.
void far_from_zero(const Subject& subject) {
  constexpr double shift = 1000;
  SampleSet samples = samples_for(subject, subject.config());
  for (double& target : samples.targets) target += shift;
  const double share = explained(samples, estimates_of(subject, samples), 0);
  if (!(share > enough))
    throw Remark("if all targets are larger by " + to_text(Value(shift)) +
                 ", its estimates have an R^2 of " + rounded(share) +
                 "; subtract the mean of the targets before learning, and add it to the "
                 "estimates");
}

void equal_targets(const Subject& subject) {
  SampleSet samples = samples_for(subject, subject.config());
  std::ranges::fill(samples.targets, 7.0);
  learns_or_refuses(subject, samples);
}

}  // namespace

void add_regressor_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"estimates numbers that the samples determine", learns_numbers},
       {"two target numbers", two_numbers},
       {"target numbers far from zero", far_from_zero},
       {"target numbers that are all equal", equal_targets}});
}

}  // namespace semblance::conformance
