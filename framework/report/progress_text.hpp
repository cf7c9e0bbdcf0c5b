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
  std::string name;
  double estimate = 0;  ///< seconds it was planned to take; 0: unknown
  NodeState state = NodeState::waiting;
  double started = 0;     ///< on the display's clock
  double fraction = 0;    ///< done, 0..1; 0: unknown
  std::string kind = {};  ///< nodes of one kind take a similar time: "svm" of svm[10,fold=2]
  double seconds = 0;     ///< that it took, when done
  bool worked_on = true;  ///< a running node that threads work on, not one that waits for others
};

/// The remaining time, as planned or by what finished nodes of the same kind took; a lower bound if
/// a node's is unknown. Waiting nodes are taken to run as many at a time as are worked on now.
struct Remaining {
  double seconds = 0;
  bool complete = true;
};
Remaining remaining(const std::vector<NodeStatus>& nodes, double now);

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
