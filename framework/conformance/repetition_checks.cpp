// SPDX-License-Identifier: MIT
// The promise of every kind: the same seed gives the same bits, in all circumstances.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "conformance/checks.hpp"
#include "registry/python_door.hpp"

namespace semblance::conformance {
namespace {

/// The bytes that are allocated and not freed; 0: the allocator does not report them.
std::size_t live_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// What each use of a component leaves, by live_bytes() after each of them; 0: nothing.
std::size_t left_behind(std::span<const std::size_t> live) {
  std::vector<std::size_t> more;
  for (std::size_t i = 1; i < live.size(); ++i) {
    if (live[i] <= live[i - 1]) return 0;
    more.push_back(live[i] - live[i - 1]);
  }
  if (more.empty()) return 0;
  std::ranges::sort(more);
  // What is left is alike at most uses; at some of them a list of it may grow as well.
  return more[more.size() / 2] <= 2 * more.front() ? more.front() : 0;
}

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

void any_order(Trials& trials) {
  const Outcome& usual = trials.usual();
  for (const auto& [order, circumstance] :
       {std::pair(WorkOrder::reversed, "parallel work in reversed order"),
        std::pair(WorkOrder::shuffled, "parallel work in random order"),
        std::pair(WorkOrder::delayed, "parallel work on 2 threads that wait now and then")}) {
    Setting setting;
    setting.order = order;
    same(usual, trials.run(setting), circumstance);
  }
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

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void stop(Trials& trials) {
  const auto plain = Clock::now();
  trials.run({});
  const double usual = seconds_since(plain);
  for (const StopReason reason : {StopReason::cancelled, StopReason::deadline}) {
    Setting stopped;
    stopped.stop = reason;
    const auto start = Clock::now();
    try {
      trials.run(stopped);
    } catch (const Cancelled&) {
    }
    const double seconds = seconds_since(start);
    require(seconds < stop_seconds + usual,
            "it continued for " + to_text(Value(seconds)) + " s after it was asked to stop");
  }
}

bool written_in_python(const Subject& subject) {
  const Catalogue::Entry* entry = subject.catalogue().find(subject.info().id);
  return entry && entry->plugin && is_python_file(entry->plugin->library);
}

/// live_bytes() after each of up to ten uses, as many as are made in two seconds.
std::vector<std::size_t> live_after_uses(Trials& trials, Setting& setting) {
  constexpr double most_seconds = 2;
  constexpr std::size_t most_uses = 10;
  std::vector<std::size_t> live;
  live.reserve(most_uses);
  const auto start = Clock::now();
  while (live.size() < most_uses && (live.size() < 2 || seconds_since(start) < most_seconds)) {
    try {
      trials.run(setting);
    } catch (const Failed&) {
      if (!setting.reloaded) throw;
      setting.reloaded = false;  // another check says that its state cannot be loaded
      live.clear();
      continue;
    }
    live.push_back(live_bytes());
  }
  return live;
}

/// On one thread, because threads have memory of their own. The first uses may fill caches.
void nothing_left_behind(Trials& trials) {
  constexpr std::size_t first = 2, fewest = 6;
  if (written_in_python(trials.subject()))
    throw NotApplicable("Python frees objects that refer to each other when it likes");
  if (live_bytes() == 0) throw NotApplicable("the allocator does not report what is in use");
  Setting alone;
  alone.threads = 1;
  alone.reloaded = true;
  std::size_t left = 0;
  for (int times = 0; times < 2; ++times) {
    const std::vector<std::size_t> live = live_after_uses(trials, alone);
    if (live.size() < fewest)
      throw NotApplicable("it takes too long to be used " + std::to_string(fewest) + " times");
    left = left_behind(std::span(live).subspan(first));
    if (left == 0) return;  // at the second time it may be a cache that was full only then
  }
  throw Failed("every use leaves " + std::to_string(left) + " bytes that are never freed");
}

std::shared_ptr<Trials> add_checks_of_bits(std::vector<Check>& checks, const Subject& subject,
                                           const Trial& trial) {
  const auto trials = std::make_shared<Trials>(subject, trial);
  const auto add = [&](const char* name, void (*check)(Trials&)) {
    checks.push_back({name, [trials, check] { check(*trials); }});
  };
  add("same bits when repeated", twice);
  add("same bits with any number of threads", any_threads);
  add("same bits in any order of parallel work", any_order);
  add("same bits with any memory budget", any_memory);
  add("the seed matters only if declared", seed_matters_only_where_declared);
  add("parameters at their limits", limits);
  add("stop request is honoured", stop);
  add("no memory is left behind", nothing_left_behind);
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
