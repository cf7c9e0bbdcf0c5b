// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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
  double started = 0;     ///< on the display's clock
  double fraction = 0;    ///< done, 0..1; 0: unknown
  double busy = 0;        ///< when done: the seconds that threads spent on it, all together
  double wall = 0;        ///< its part of the elapsed time: of the nodes worked on at once, equal ones
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
