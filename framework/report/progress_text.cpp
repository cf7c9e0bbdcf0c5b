// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "report/progress.hpp"
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

/// What nodes of one kind, or like one, took.
struct Usual {
  double busy = 0, wall = 0;  ///< of the finished ones
  double finished = 0;
  double begun = 0;     ///< running ones that tell how far they are
  double expected = 0;  ///< wall seconds of these, as a whole

  double mean_busy() const { return busy / finished; }
};

/// By `like` and by `kind`; kinds have no bracket, so that both fit into one table.
std::map<std::string_view, Usual> usual(const std::vector<NodeStatus>& nodes) {
  std::map<std::string_view, Usual> found;
  for (const NodeStatus& node : nodes) {
    const bool tells = node.state == NodeState::running && node.fraction >= least_telling_fraction;
    if (node.state != NodeState::done && !tells) continue;
    for (const std::string_view key : {std::string_view(node.like), std::string_view(node.kind)}) {
      Usual& of = found[key];
      if (tells) {
        of.expected += node.wall / node.fraction;
        ++of.begun;
      } else {
        of.busy += node.busy;
        of.wall += node.wall;
        ++of.finished;
      }
      if (node.like == node.kind) break;
    }
  }
  return found;
}

/// The elapsed seconds that the node is expected to take; nothing if neither its like nor its kind
/// has run.
std::optional<double> expected(const NodeStatus& node,
                               const std::map<std::string_view, Usual>& usual) {
  const auto like = usual.find(node.like), kind = usual.find(node.kind);
  if (kind == usual.end()) return std::nullopt;
  const Usual& all = kind->second;
  if (all.finished > 0) {
    const bool known = like != usual.end() && like->second.finished > 0;
    const double part = known && all.busy > 0 ? like->second.mean_busy() / all.mean_busy() : 1;
    return all.wall / all.finished * part;
  }
  const Usual& begun = like != usual.end() ? like->second : all;
  return begun.expected / begun.begun;
}

}  // namespace

NodeStatus::NodeStatus(std::string_view own)
    : name(printable(own)), kind(own.substr(0, own.find('['))) {
  const std::size_t open = own.find('[');
  like = kind;
  if (open == std::string_view::npos) return;
  std::string parts;
  std::string_view rest = own.substr(open + 1, own.rfind(']') - open - 1);
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = rest.find(',');
    const std::string_view part = rest.substr(0, end);
    if (!part.starts_with("seed=") && !part.starts_with("fold="))
      parts += (parts.empty() ? "" : ",") + std::string(part);
    if (end != std::string_view::npos) rest.remove_prefix(end + 1);
  }
  if (!parts.empty()) like += "[" + parts + "]";
}

Work work(const std::vector<NodeStatus>& nodes) {
  const auto before = usual(nodes);
  Work all;
  double counted = 0, unknown = 0;
  for (const NodeStatus& node : nodes) {
    if (node.state == NodeState::cached) continue;
    all.done += node.wall;
    const bool running = node.state == NodeState::running;
    const auto whole = expected(node, before);
    if (running && node.fraction >= least_telling_fraction)
      all.left += node.wall * (1 - node.fraction) / node.fraction;
    else if (running)
      all.left += whole ? std::max(0.0, *whole - node.wall) : 0;
    else if (node.state == NodeState::waiting && whole)
      all.left += *whole;
    const bool guessed =
        !whole || (running && node.fraction < least_telling_fraction && *whole <= node.wall);
    if (node.state != NodeState::done && guessed)
      ++unknown;
    else
      ++counted;
  }
  all.complete = unknown == 0;
  const double known_work = all.done + all.left;
  const std::size_t finished = count(nodes, NodeState::done) + count(nodes, NodeState::cached);
  // Nodes of unknown kinds are taken as the mean of the others.
  all.share = counted > 0 && known_work > 0
                  ? all.done / (known_work + unknown * known_work / counted)
                  : static_cast<double>(finished) /
                        static_cast<double>(std::max<std::size_t>(nodes.size(), 1));
  return all;
}

std::string summary(const std::vector<NodeStatus>& nodes, double now, bool counts) {
  const std::size_t finished = count(nodes, NodeState::done) + count(nodes, NodeState::cached);
  const Work known = work(nodes);
  std::string text = fmt::format("{:.0f} %, ", std::floor(100 * known.share + 1e-9));
  if (counts)
    text +=
        fmt::format("{} of {} node{} done, ", finished, nodes.size(), nodes.size() == 1 ? "" : "s");
  text += seconds_text(now);
  if (known.left >= 0.5)
    text += fmt::format(", {} {} left", known.complete ? "about" : "at least",
                        seconds_text(std::round(known.left)));
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
