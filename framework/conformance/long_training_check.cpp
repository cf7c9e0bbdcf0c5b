// SPDX-License-Identifier: MIT
// Whether a training that takes long asks if it should stop. A few samples are learned in
// milliseconds, in which nobody notices; so more and more are given. Processor time is measured: it
// is the same on a busy machine.
#include <time.h>

#include <atomic>
#include <cmath>
#include <string>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/testing.hpp"

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
