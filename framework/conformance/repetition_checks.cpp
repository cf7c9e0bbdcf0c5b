// SPDX-License-Identifier: MIT
// The promise of every kind: the same seed gives the same bits, in all circumstances.
#include <chrono>

#include "conformance/checks.hpp"

namespace semblance::conformance {
namespace {

/// The time limit for honouring a stop request, with a margin for a busy machine.
constexpr double stop_seconds = 2;

void same(const Outcome& one, const Outcome& other, const std::string& circumstance) {
  const std::string what = difference(one, other);
  require(what.empty(), circumstance + ": " + what);
}

void twice(const Subject& subject, const Trial& trial) {
  const ComponentConfig config = subject.config();
  same(trial(subject, config, {}), trial(subject, config, {}), "the same again");
}

void any_threads(const Subject& subject, const Trial& trial) {
  const ComponentConfig config = subject.config();
  Setting one, two, five;
  one.threads = 1, two.threads = 2, five.threads = 5;
  const Outcome alone = trial(subject, config, one);
  same(alone, trial(subject, config, two), "2 threads instead of 1");
  same(alone, trial(subject, config, five), "5 threads instead of 1");
}

/// The memory may be too little, and the component may say so; but the result never differs.
void any_memory(const Subject& subject, const Trial& trial) {
  const ComponentConfig config = subject.config();
  const Outcome usual = trial(subject, config, {});
  for (const std::size_t kibibytes : {4 << 20, 8 << 10, 2 << 10, 1 << 10, 512, 256, 128, 64, 16}) {
    Setting other;
    other.memory = kibibytes << 10;
    try {
      same(usual, trial(subject, config, other),
           std::to_string(kibibytes) + " KiB of memory instead of 256 MiB");
    } catch (const Error&) {
    }
  }
}

void seed_matters_only_where_declared(const Subject& subject, const Trial& trial) {
  if (subject.info().random)
    throw NotApplicable("it is declared random(): its result may depend on the seed");
  const ComponentConfig config = subject.config();
  Setting other;
  other.seed = 2;
  same(trial(subject, config, {}), trial(subject, config, other),
       "another seed, without .random() in the declaration");
}

void reload(const Subject& subject, const Trial& trial) {
  const ComponentConfig config = subject.config();
  Setting reloaded;
  reloaded.reloaded = true;
  same(trial(subject, config, {}), trial(subject, config, reloaded), "saved and loaded");
}

void limits(const Subject& subject, const Trial& trial) {
  for (const Variation& variation : subject.variations()) {
    try {
      if (variation.heavy)
        subject.create(variation.config);
      else
        trial(subject, variation.config, {});
    } catch (const Error&) {
      // It may refuse this together with its other parameters or the samples.
    } catch (const NotApplicable&) {
    } catch (const Failed& failure) {
      if (std::string(failure.what()).find("it accepts none of the samples") == std::string::npos)
        throw Failed("with " + variation.name + ": " + failure.what());
    } catch (const std::exception& other) {
      throw Failed("with " + variation.name +
                   " it threw an exception that is not a semblance::Error: " + other.what());
    }
  }
}

void stop(const Subject& subject, const Trial& trial) {
  using Clock = std::chrono::steady_clock;
  const ComponentConfig config = subject.config();
  const auto plain = Clock::now();
  trial(subject, config, {});
  const double usual = std::chrono::duration<double>(Clock::now() - plain).count();
  for (const StopReason reason : {StopReason::cancelled, StopReason::deadline}) {
    Setting stopped;
    stopped.stop = reason;
    const auto start = Clock::now();
    try {
      trial(subject, config, stopped);
    } catch (const Cancelled&) {
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    require(seconds < stop_seconds + usual,
            "it continued for " + to_text(Value(seconds)) + " s after it was asked to stop");
  }
}

}  // namespace

void add_repetition_checks(std::vector<Check>& checks, const Subject& subject, const Trial& trial) {
  const auto add = [&](const char* name, void (*check)(const Subject&, const Trial&)) {
    checks.push_back({name, [&subject, trial, check] { check(subject, trial); }});
  };
  add("same bits when repeated", twice);
  add("same bits with any number of threads", any_threads);
  add("same bits with any memory budget", any_memory);
  add("the seed matters only if declared", seed_matters_only_where_declared);
  add("parameters at their limits", limits);
  add("stop request is honoured", stop);
}

void add_reload_check(std::vector<Check>& checks, const Subject& subject, const Trial& trial) {
  checks.push_back(
      {"saved and loaded, the same bits", [&subject, trial] { reload(subject, trial); }});
}

}  // namespace semblance::conformance
