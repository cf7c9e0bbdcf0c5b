// SPDX-License-Identifier: MIT
// The promise of every kind: the same seed gives the same bits, in all circumstances.
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/checks.hpp"

namespace semblance::conformance {
namespace {

/// The time limit for honouring a stop request, with a margin for a busy machine.
constexpr double stop_seconds = 2;

/// The trials of a component. That with the default setting is the one that the others are compared
/// with, and is made once for all checks.
class Trials {
 public:
  Trials(const Subject& subject, Trial trial) : subject_(subject), trial_(std::move(trial)) {}

  const Subject& subject() const { return subject_; }
  Outcome run(const ComponentConfig& config, const Setting& setting) const {
    return trial_(subject_, config, setting);
  }
  Outcome run(const Setting& setting) const { return run(subject_.config(), setting); }

  const Outcome& usual() {
    if (!usual_) {
      Setting setting;
      setting.memory_asked = &memory_asked_;
      usual_ = run(setting);
    }
    return *usual_;
  }
  /// Whether usual() asked for its memory.
  bool memory_asked() const { return memory_asked_; }

 private:
  const Subject& subject_;
  Trial trial_;
  std::optional<Outcome> usual_;
  std::atomic<bool> memory_asked_ = false;
};

void same(const Outcome& one, const Outcome& other, const std::string& circumstance) {
  const std::string what = difference(one, other);
  require(what.empty(), circumstance + ": " + what);
}

void twice(Trials& trials) {
  const Outcome& usual = trials.usual();
  same(usual, trials.run({}), "the same again");
}

void any_threads(Trials& trials) {
  static_assert(Setting{}.threads == 2);
  Setting one, five;
  one.threads = 1, five.threads = 5;
  const Outcome alone = trials.run(one);
  same(alone, trials.usual(), "2 threads instead of 1");
  same(alone, trials.run(five), "5 threads instead of 1");
}

/// The memory may be too little, and the component may say so; but the result never differs. Who
/// never asks for its memory cannot depend on it, so that one trial is enough.
void any_memory(Trials& trials) {
  const Outcome& usual = trials.usual();
  for (const std::size_t kibibytes : {4 << 20, 8 << 10, 2 << 10, 1 << 10, 512, 256, 128, 64, 16}) {
    std::atomic<bool> asked = false;
    Setting other;
    other.memory = kibibytes << 10;
    other.memory_asked = &asked;
    try {
      same(usual, trials.run(other),
           std::to_string(kibibytes) + " KiB of memory instead of 256 MiB");
    } catch (const Error&) {
    }
    if (!asked && !trials.memory_asked()) return;
  }
}

void seed_matters_only_where_declared(Trials& trials) {
  if (trials.subject().info().random)
    throw NotApplicable("it is declared random(): its result may depend on the seed");
  Setting other;
  other.seed = 2;
  const Outcome& usual = trials.usual();
  same(usual, trials.run(other), "another seed, without .random() in the declaration");
}

void reload(Trials& trials) {
  Setting reloaded;
  reloaded.reloaded = true;
  const Outcome& usual = trials.usual();
  same(usual, trials.run(reloaded), "saved and loaded");
}

void limits(Trials& trials) {
  for (const Variation& variation : trials.subject().variations()) {
    try {
      if (variation.heavy)
        trials.subject().create(variation.config);
      else
        trials.run(variation.config, {});
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

void stop(Trials& trials) {
  using Clock = std::chrono::steady_clock;
  const auto plain = Clock::now();
  trials.run({});
  const double usual = std::chrono::duration<double>(Clock::now() - plain).count();
  for (const StopReason reason : {StopReason::cancelled, StopReason::deadline}) {
    Setting stopped;
    stopped.stop = reason;
    const auto start = Clock::now();
    try {
      trials.run(stopped);
    } catch (const Cancelled&) {
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    require(seconds < stop_seconds + usual,
            "it continued for " + to_text(Value(seconds)) + " s after it was asked to stop");
  }
}

std::shared_ptr<Trials> add_checks_of_bits(std::vector<Check>& checks, const Subject& subject,
                                           const Trial& trial) {
  const auto trials = std::make_shared<Trials>(subject, trial);
  const auto add = [&](const char* name, void (*check)(Trials&)) {
    checks.push_back({name, [trials, check] { check(*trials); }});
  };
  add("same bits when repeated", twice);
  add("same bits with any number of threads", any_threads);
  add("same bits with any memory budget", any_memory);
  add("the seed matters only if declared", seed_matters_only_where_declared);
  add("parameters at their limits", limits);
  add("stop request is honoured", stop);
  return trials;
}

}  // namespace

void add_repetition_checks(std::vector<Check>& checks, const Subject& subject, const Trial& trial) {
  add_checks_of_bits(checks, subject, trial);
}

void add_repetition_and_reload_checks(std::vector<Check>& checks, const Subject& subject,
                                      const Trial& trial) {
  const auto trials = add_checks_of_bits(checks, subject, trial);
  checks.push_back({"saved and loaded, the same bits", [trials] { reload(*trials); }});
}

}  // namespace semblance::conformance
