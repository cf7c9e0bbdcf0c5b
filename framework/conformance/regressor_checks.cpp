// SPDX-License-Identifier: MIT
// The checks of regressors. Their samples have numbers that depend on the class of the sample, and
// the classes are far apart (sample_set.hpp).
#include <algorithm>
#include <cmath>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/regressor.hpp"

namespace semblance::conformance {
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
