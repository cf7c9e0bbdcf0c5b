// SPDX-License-Identifier: MIT
#include "report/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "support/number_text.hpp"
#include "support/terminal.hpp"

namespace semblance {
namespace {

using progress_text::NodeState;
using progress_text::NodeStatus;
using progress_text::printable;

constexpr double redraw_interval = 0.1;
// Lines of a log become rarer with time: the interval is a twentieth of the elapsed time.
constexpr double plain_share = 0.05;
constexpr double longest_plain_interval = 60;
constexpr std::size_t most_live_lines = 8;
// A node is shown this long after it was last worked on, so that lines do not flicker.
constexpr double shown_after_work = 1;
// The nodes of larger graphs are not announced when they are done: their results are. Nor are
// those that took less than this.
constexpr std::size_t most_announced = 40;
constexpr double least_announced_seconds = 1;

std::function<double()> steady_clock() {
  using Clock = std::chrono::steady_clock;
  return [start = Clock::now()] {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
}

bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (!value || !*value) continue;
    std::string name(value);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
  }
  return false;
}

std::string printable_lines(std::string_view text) {
  std::string lines;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find('\n');
    lines += printable(text.substr(0, end)) + '\n';
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

Progress::Progress(const std::vector<Node>& nodes, ProgressOptions options)
    : options_(std::move(options)),
      terminal_(options_.terminal.value_or(can_redraw(options_.descriptor))),
      unicode_(options_.unicode.value_or(locale_is_utf8())),
      clock_(options_.clock ? options_.clock : steady_clock()) {
  for (const Node& planned : nodes) {
    NodeStatus& status = node(planned.name);
    if (!planned.words.empty()) status.name = printable(planned.words);
  }
  if (terminal_ && !options_.quiet) ++live_;
  if (options_.ticking && !options_.quiet)
    ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

Progress::~Progress() { finish(); }

void Progress::node_started(std::string_view name) {
  const std::lock_guard lock(mutex_);
  share_time();
  NodeStatus& status = node(name);
  status.state = NodeState::running;
  status.started = clock_();
  status.fraction = 0;
}

void Progress::node_progress(std::string_view name, double done, double total) {
  const double fraction = done / total;
  const std::lock_guard lock(mutex_);
  // False for a NaN too, the result of 0 of 0.
  node(name).fraction = fraction > 0 ? std::min(fraction, 1.0) : 0.0;
}

void Progress::node_finished(std::string_view name, bool cached, double seconds,
                             std::string_view result) {
  const std::lock_guard lock(mutex_);
  share_time();
  NodeStatus& status = node(name);
  status.state = cached ? NodeState::cached : NodeState::done;
  status.busy = seconds;
  if (!result.empty()) return write_lines(printable_lines(result));
  if (cached || seconds < least_announced_seconds || nodes_.size() > most_announced) return;
  write_lines(terminal_ ? fmt::format("  done    {}  {}\n", status.name, seconds_text(seconds))
                        : fmt::format("{}: done, {}\n", status.name, seconds_text(seconds)));
}

void Progress::message(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const std::string lines = printable_lines(text);
  if (drawn_.empty())
    send(lines);
  else
    draw(lines);
}

void Progress::finish() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    wake_.notify_all();
    ticker_.join();
  }
  const std::lock_guard lock(mutex_);
  if (!std::exchange(finished_, true)) {
    send(erase_sequence());
    if (terminal_ && !options_.quiet) --live_;
  }
  drawn_.clear();
}

void Progress::refresh() {
  note_work();
  const std::lock_guard lock(mutex_);
  const bool running =
      std::ranges::any_of(nodes_, [](const auto& n) { return n.state == NodeState::running; });
  const double now = clock_();
  const double interval = terminal_ ? redraw_interval
                                    : std::max(options_.plain_interval,
                                               std::min(now * plain_share, longest_plain_interval));
  if (finished_ || options_.quiet || !running || now - last_ < interval) return;
  if (terminal_)
    draw("");
  else
    write_lines(progress_text::plain_line(nodes_, now) + '\n');
}

NodeStatus& Progress::node(std::string_view name) {
  const auto known = index_.find(name);
  if (known != index_.end()) return nodes_[known->second];
  index_.emplace(name, nodes_.size());
  return nodes_.emplace_back(name);
}

void Progress::write_lines(const std::string& lines) {
  if (finished_ || options_.quiet) return;
  if (terminal_) {
    draw(lines);
  } else {
    send(lines);
    last_ = clock_();
  }
}

/// Writes `above` over the live lines and these below it, in one piece.
void Progress::draw(const std::string& above) {
  const TerminalSize size = terminal_size(options_.descriptor);
  const double now = clock_();
  // The last column stays free: some terminals wrap as soon as it is written.
  std::vector<std::string> lines = progress_text::live_lines(
      nodes_, now, std::max<std::size_t>(size.columns, 2) - 1,
      std::min(most_live_lines, std::max<std::size_t>(size.rows, 2) - 1), unicode_);
  last_ = now;
  if (above.empty() && lines == drawn_) return;
  std::string text = erase_sequence() + above;
  for (const std::string& line : lines) text += line + '\n';
  drawn_ = std::move(lines);
  send(text);
}

/// Moves the cursor up to the first live line and clears from there.
std::string Progress::erase_sequence() const {
  if (drawn_.empty()) return "";
  // A terminal made narrower since has wrapped them.
  const std::size_t columns = terminal_size(options_.descriptor).columns;
  std::size_t rows = 0;
  for (const std::string& line : drawn_)
    rows += std::max<std::size_t>(1, (progress_text::length(line) + columns - 1) / columns);
  return fmt::format("\r\x1b[{}A\x1b[J", rows);
}

void Progress::send(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(options_.descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the output has no reader
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Progress::show_notice() {
  if (!options_.notice) return;
  std::string text = options_.notice();
  if (text.empty() || text == noticed_) return;
  noticed_ = std::move(text);
  message(noticed_);
}

/// Shares the time since the last call among the nodes that threads were working on then; without
/// `worked_on`, among all that run.
void Progress::share_time() {
  const double now = clock_(), passed = now - std::exchange(shared_until_, now);
  std::vector<std::size_t> nodes = at_work_;
  if (!options_.worked_on)
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes.push_back(i);
  std::erase_if(nodes, [this](std::size_t i) { return nodes_[i].state != NodeState::running; });
  for (const std::size_t i : nodes) nodes_[i].wall += passed / static_cast<double>(nodes.size());
}

void Progress::note_work() {
  std::vector<std::string> names;
  if (options_.worked_on) names = options_.worked_on();
  const std::lock_guard lock(mutex_);
  share_time();
  if (!options_.worked_on) return;
  const double now = clock_();
  if (!names.empty()) at_work_.clear();
  for (const std::string& name : names)
    if (const auto known = index_.find(name); known != index_.end()) {
      worked_[known->second] = now;
      at_work_.push_back(known->second);
    }
  std::erase_if(worked_, [&](const auto& node) { return now - node.second > shown_after_work; });
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].worked_on = worked_.contains(i);
}

void Progress::tick(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, std::chrono::duration<double>(redraw_interval),
                     [] { return false; });
    }
    if (stop.stop_requested()) return;
    show_notice();
    refresh();
  }
}

}  // namespace semblance
