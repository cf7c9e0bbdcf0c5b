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

/// The words of the progress display, separate from when and where they are written.
namespace semblance::progress_text {

enum class NodeState { waiting, running, done, cached };

struct NodeStatus {
  /// `own` is the node's name in the graph.
  explicit NodeStatus(std::string_view own);

  std::string name;
  std::string like;  ///< "svm[10]" of svm[10,fold=2]: the same on another fold or with another seed
  std::string kind;  ///< "svm"
  NodeState state = NodeState::waiting;
  double started = 0;   ///< on the display's clock
  double fraction = 0;  ///< done, 0..1; 0: unknown
  double busy = 0;      ///< when done: the seconds that threads spent on it, all together
  double wall = 0;  ///< its part of the elapsed time: of the nodes worked on at once, equal ones
  bool worked_on = true;  ///< a running node that threads work on, not one that waits for others
};

/// The work in seconds of elapsed time.
struct Work {
  double done = 0;
  double left = 0;       ///< of nodes that run, and of those whose like, or kind, has run
  bool complete = true;  ///< no others are left
  double share = 0;      ///< that is done
};
/// A waiting node takes the busy time of its like, else the mean of its kind, and as much elapsed
/// time for it as its kind did.
Work work(const std::vector<NodeStatus>& nodes);

/// "25 %, 2 of 8 nodes done, 12 s, about 30 s left"; without `counts` "25 %, 12 s, about 30 s
/// left".
std::string summary(const std::vector<NodeStatus>& nodes, double now, bool counts = true);

/// "25 %, 2 of 8 nodes done, 12 s, about 30 s left: hog 40 %, rbf".
std::string plain_line(const std::vector<NodeStatus>& nodes, double now);

/// One line per node that is worked on, at most `height` - 1 of them, and the summary; none longer
/// than `width` characters. With `unicode` the bars are drawn with box characters.
std::vector<std::string> live_lines(const std::vector<NodeStatus>& nodes, double now,
                                    std::size_t width, std::size_t height, bool unicode);

/// Without what would move a terminal's cursor: control characters become '?', tabs spaces.
std::string printable(std::string_view text);

/// Characters of UTF-8 text.
std::size_t length(std::string_view text);

}  // namespace semblance::progress_text

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
