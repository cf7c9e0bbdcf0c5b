// SPDX-License-Identifier: MIT
#include "report/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/number_text.hpp"
#include "support/safe_text.hpp"

namespace semblance::progress_text {
namespace {

// The fraction of a node's work below which it says nothing about the remaining time.
constexpr double least_telling_fraction = 0.01;
constexpr std::size_t most_named = 4;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string shortened(std::string text, std::size_t width) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (characters++ == width) return text.substr(0, i);
  }
  return text;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t now = length(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

std::string bar(double fraction, std::size_t width, bool unicode) {
  const auto full = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(width)));
  std::string text = unicode ? "" : "[";
  for (std::size_t i = 0; i < width; ++i)
    text += unicode ? (i < full ? "━" : "╌") : (i < full ? "=" : " ");
  return text += unicode ? "" : "]";
}

std::string node_line(const NodeStatus& node, double now, std::size_t name_width, std::size_t width,
                      bool unicode) {
  std::string line = "  " + padded(shortened(node.name, name_width), name_width) + "  ";
  const std::string spent = seconds_text(now - node.started);
  if (node.fraction <= 0) return shortened(line + spent, width);
  const std::size_t tail = 22;  // "[]  100 %  12 min 34 s"
  if (width >= length(line) + tail + 10)
    line +=
        bar(node.fraction, std::min<std::size_t>(32, width - length(line) - tail), unicode) + "  ";
  line += fmt::format("{:3.0f} %  {}", std::floor(100 * node.fraction), spent);
  return shortened(line, width);
}

std::size_t count(const std::vector<NodeStatus>& nodes, NodeState state) {
  return static_cast<std::size_t>(std::ranges::count(nodes, state, &NodeStatus::state));
}

std::vector<const NodeStatus*> worked_on(const std::vector<NodeStatus>& nodes) {
  std::vector<const NodeStatus*> found;
  for (const NodeStatus& node : nodes)
    if (node.state == NodeState::running && node.worked_on) found.push_back(&node);
  return found;
}

}  // namespace

namespace {

/// The mean time of the nodes of each kind that were computed; those from the store took none.
std::map<std::string_view, double> usual_seconds(const std::vector<NodeStatus>& nodes) {
  std::map<std::string_view, std::pair<double, double>> sums;
  for (const NodeStatus& node : nodes)
    if (node.state == NodeState::done) {
      auto& [sum, number] = sums[node.kind];
      sum += node.seconds;
      ++number;
    }
  std::map<std::string_view, double> means;
  for (const auto& [kind, sum] : sums) means[kind] = sum.first / sum.second;
  return means;
}

}  // namespace

Remaining remaining(const std::vector<NodeStatus>& nodes, double now) {
  // Nodes that run side by side end together with the slowest; waiting ones follow them.
  const auto usual = usual_seconds(nodes);
  Remaining left;
  double running = 0;
  for (const NodeStatus& node : nodes) {
    const auto known = usual.find(node.kind);
    const double estimate = node.estimate > 0      ? node.estimate
                            : known == usual.end() ? 0
                                                   : known->second;
    if (node.state == NodeState::waiting) {
      left.seconds += estimate;
      left.complete &= node.estimate > 0 || known != usual.end();
    } else if (node.state == NodeState::running && !node.worked_on) {
      left.seconds += (1 - node.fraction) * estimate;
      left.complete &= node.fraction >= 1 || estimate > 0;
    } else if (node.state == NodeState::running) {
      const double spent = now - node.started;
      if (node.fraction >= least_telling_fraction)
        running = std::max(running, spent * (1 - node.fraction) / node.fraction);
      else if (estimate > spent)
        running = std::max(running, estimate - spent);
      else
        left.complete = false;
    }
  }
  left.seconds /= static_cast<double>(std::max<std::size_t>(worked_on(nodes).size(), 1));
  left.seconds += running;
  return left;
}

std::string summary(const std::vector<NodeStatus>& nodes, double now, bool counts) {
  const std::size_t finished = count(nodes, NodeState::done) + count(nodes, NodeState::cached);
  double share = static_cast<double>(finished);
  for (const NodeStatus& node : nodes)
    if (node.state == NodeState::running) share += node.fraction;
  share /= static_cast<double>(std::max<std::size_t>(nodes.size(), 1));
  std::string text = fmt::format("{:.0f} %, ", std::floor(100 * share));
  if (counts)
    text +=
        fmt::format("{} of {} node{} done, ", finished, nodes.size(), nodes.size() == 1 ? "" : "s");
  text += seconds_text(now);
  const Remaining left = remaining(nodes, now);
  if (left.seconds >= 0.5)
    text += fmt::format(", {} {} left", left.complete ? "about" : "at least",
                        seconds_text(std::round(left.seconds)));
  return text;
}

std::string plain_line(const std::vector<NodeStatus>& nodes, double now) {
  std::string line = summary(nodes, now);
  const auto running = worked_on(nodes);
  for (std::size_t i = 0; i < std::min(running.size(), most_named); ++i) {
    line += (i == 0 ? ": " : "; ") + running[i]->name;
    if (running[i]->fraction > 0)
      line += fmt::format(" {:.0f} %", std::floor(100 * running[i]->fraction));
  }
  if (running.size() > most_named)
    line += fmt::format("; and {} more", running.size() - most_named);
  return line;
}

std::vector<std::string> live_lines(const std::vector<NodeStatus>& nodes, double now,
                                    std::size_t width, std::size_t height, bool unicode) {
  std::size_t name_width = 0;
  for (const NodeStatus& node : nodes) name_width = std::max(name_width, length(node.name));
  // "  100 %  12 min 34 s" follows the name.
  const std::size_t room_for_name = std::min(width / 2, width - std::min<std::size_t>(width, 24));
  name_width = std::min(name_width, std::max<std::size_t>(room_for_name, 8));

  const auto running = worked_on(nodes);
  const std::size_t room = height > 1 ? height - 1 : 0;
  const std::size_t shown =
      running.size() <= room ? running.size() : room - std::min<std::size_t>(room, 1);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < shown; ++i)
    lines.push_back(node_line(*running[i], now, name_width, width, unicode));
  if (shown < running.size() && room > 0)
    lines.push_back(shortened(fmt::format("  and {} more", running.size() - shown), width));
  const std::string whole = "  " + summary(nodes, now);
  lines.push_back(length(whole) <= width ? whole
                                         : shortened("  " + summary(nodes, now, false), width));
  return lines;
}

std::string printable(std::string_view text) {
  std::string clean = safe_text(text);
  std::ranges::replace(clean, '\t', ' ');
  std::ranges::replace(clean, '\n', '?');
  return clean;
}

std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

}  // namespace semblance::progress_text
