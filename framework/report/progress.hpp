// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "report/progress_text.hpp"

namespace semblance {

struct ProgressOptions {
  int descriptor = 2;             ///< the output
  bool quiet = false;             ///< only what message() is given
  std::optional<bool> terminal;   ///< unset: decided by isatty()
  std::optional<bool> unicode;    ///< unset: decided by the locale variables
  double plain_interval = 5;      ///< seconds between status lines without a terminal
  bool ticking = true;            ///< refreshes automatically; a test calls refresh() instead
  std::function<double()> clock;  ///< seconds since the start; unset: the steady clock
  /// Asked ten times a second: the nodes that threads work on; unset: all that are running.
  std::function<std::vector<std::string>()> worked_on = {};
  /// Asked ten times a second: a line to show once, above the live ones; "": none.
  std::function<std::string()> notice = {};
};

/// Shows the progress of a run. On a terminal, a few lines at the bottom are redrawn at most ten
/// times a second; elsewhere there is a plain line every few seconds. Results appear as they come,
/// and nodes of small graphs that took more than a second. Thread-safe; no member throws because of
/// its arguments or because writing fails.
class Progress {
 public:
  struct Node {
    std::string name;
    std::string words = {};  ///< what to show instead of the name: "svm, C = 10, fold 2 of 5"
  };

  /// The nodes in the order of the run.
  explicit Progress(const std::vector<Node>& nodes, ProgressOptions options = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void node_started(std::string_view name);
  /// Cheap enough to call for every block of rows.
  void node_progress(std::string_view name, double done, double total);
  /// `result`: a line to show instead of the node; empty: none.
  void node_finished(std::string_view name, bool cached, double seconds,
                     std::string_view result = {});

  /// Shows one or more lines above the live ones. All other logs to the same terminal go through
  /// here.
  void message(std::string_view text);

  /// Removes the live lines; only messages are shown from then on.
  void finish();

  /// Whether some display redraws lines on a terminal now: what else is written to it would tear
  /// them. Async-signal-safe.
  static bool is_live() noexcept { return live_.load(std::memory_order_relaxed) > 0; }

  /// Updates the display when due.
  void refresh();

 private:
  progress_text::NodeStatus& node(std::string_view name);
  void write_lines(const std::string& lines);
  void draw(const std::string& above);
  std::string erase_sequence() const;
  void send(std::string_view text) const;
  void show_notice();
  void share_time();
  void note_work();
  void tick(const std::stop_token& stop);

  const ProgressOptions options_;
  const bool terminal_;
  const bool unicode_;
  const std::function<double()> clock_;

  std::mutex mutex_;
  std::vector<progress_text::NodeStatus> nodes_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::size_t, double> worked_;  ///< nodes, and when they were last worked on
  std::vector<std::size_t> at_work_;      ///< the nodes of the threads at the last look
  double shared_until_ = 0;               ///< the elapsed time up to here is shared among nodes
  std::vector<std::string> drawn_;        ///< the live lines on the terminal now
  double last_ = 0;                       ///< time of the last redraw or status line
  bool finished_ = false;
  std::string noticed_;  ///< the notice that was shown
  static inline std::atomic<int> live_ = 0;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace semblance
