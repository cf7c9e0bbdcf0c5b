// SPDX-License-Identifier: MIT
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "runtime/services/chosen_device.hpp"
#include "runtime/services/process_threads.hpp"
#include "semblance/context.hpp"
#include "semblance/transport.hpp"
#include "semblance/unknown_rows.hpp"

namespace semblance {

/// When to stop: at a signal, which stops all runs of the process (Ctrl-C is SIGINT; its handler
/// calls cancel()), at a request to this run alone, or at the deadline.
class StopSwitch {
 public:
  explicit StopSwitch(std::optional<double> deadline_seconds = {},
                      const std::atomic<bool>* requested = nullptr);
  /// Async-signal-safe. The first signal counts.
  static void cancel(int signal = SIGINT) noexcept {
    int none = 0;
    signal_.compare_exchange_strong(none, signal, std::memory_order_relaxed);
  }
  static void reset() noexcept { signal_.store(0); }
  /// The signal that was received; 0: none. Async-signal-safe.
  static int signal() noexcept { return signal_.load(std::memory_order_relaxed); }
  StopReason reason() const noexcept;
  /// The name of a signal in messages: "Ctrl-C", "SIGTERM", "SIGHUP".
  static std::string name_of(int signal);
  /// The source of the stop request, for messages: a signal, "the program", "the deadline".
  std::string stopper() const;
  /// From now on only a signal can stop anything: the run is over.
  void disarm() noexcept;

 private:
  static inline std::atomic<int> signal_ = 0;  // 0: none
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  const std::atomic<bool>* requested_ = nullptr;
};

/// What is shown as soon as a signal is received. Async-signal-safe.
inline const char* stopping_text(int signal) noexcept {
  return signal == SIGINT ? "stopping (Ctrl-C again ends at once)" : "stopping";
}

/// The resources that the contexts of a run share: this is the only owner of the threads, the stop
/// switch and the log.
struct RunServices {
  const StopSwitch& stop;
  tbb::task_arena& arena;
  std::size_t threads = 1;
  std::function<void(LogLevel, const std::string&)> log;
  std::function<void(const std::string& node, double done, double total)> progress;
  std::function<std::size_t()> free_memory;
  std::size_t blocks = 0;              ///< blocks of rows that may be in progress at once; 0: two
                                       ///< per thread
  std::size_t sharers = 1;             ///< concurrent calls that share the memory
  std::filesystem::path scratch = {};  ///< Context::scratch_folder(); empty: the system's
};

/// The context that a node's component sees.
class NodeContext final : public Context, public NotesUnknownRows {
 public:
  /// `seed` is already mixed with the component's id. `own` bytes are reserved for the node in
  /// addition to free memory. Messages call the node `said_as`, if given: folds of one source are
  /// read as one.
  NodeContext(RunServices& services, std::string node, std::uint64_t seed, std::size_t own = 0,
              std::string said_as = {})
      : services_(services),
        node_(std::move(node)),
        said_as_(said_as.empty() ? node_ : std::move(said_as)),
        seed_(seed),
        own_(own) {}

  void log(LogLevel level, std::string_view message) override;
  void unknown_row(std::size_t row) override {
    if (unknown_row_) unknown_row_(row);
  }
  Random random() const override { return Random(seed_); }
  StopReason stop_requested() const noexcept override {
    if (cancel_ && cancel_->load(std::memory_order_relaxed)) return StopReason::cancelled;
    return together_ ? together_->stop() : services_.stop.reason();
  }
  void progress(double done, double total) override { services_.progress(node_, done, total); }
  std::size_t memory_budget() const noexcept override {
    return services_.free_memory() / services_.sharers + own_;
  }
  std::size_t threads() const noexcept override { return usable_threads(services_.threads); }
  Collectives& collectives() noexcept override;
  Device* device() noexcept override { return chosen_device(); }
  std::filesystem::path scratch_folder() override;
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override;

  /// The component learns together with those of other ranks.
  void learn_with(RankedCollectives* others) noexcept { together_ = others; }

  /// Warnings become information: those of a figure that is only part of another one.
  void log_no_warnings() noexcept { warns_ = false; }

  /// A request to stop this call alone.
  void stop_at(const std::atomic<bool>* cancel) noexcept { cancel_ = cancel; }

  /// Called with each row that unknown_row() notes, from any thread.
  void note_unknown_rows(std::function<void(std::size_t row)> note) {
    unknown_row_ = std::move(note);
  }

 private:
  RunServices& services_;
  std::string node_;
  std::string said_as_;
  std::uint64_t seed_;
  std::size_t own_;
  RankedCollectives* together_ = nullptr;
  const std::atomic<bool>* cancel_ = nullptr;
  bool warns_ = true;
  std::function<void(std::size_t)> unknown_row_;
};

/// A random stream that depends on the seed and on what is computed, not on the node's name.
std::uint64_t mixed_seed(std::uint64_t seed, const std::string& component);

}  // namespace semblance
