// SPDX-License-Identifier: MIT
#include "runtime/services/run_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pipeline/graph_drawing.hpp"
#include "pipeline/resolved.hpp"
#include "runtime/services/chosen_device.hpp"
#include "runtime/services/crash_report.hpp"
#include "runtime/services/processor.hpp"
#include "runtime/services/run_context.hpp"
#include "support/utc_time.hpp"

namespace semblance {
namespace {

/// The plugins that the components come from, each once.
std::vector<std::pair<std::string, std::string>> plugins_of(const Pipeline& pipeline) {
  std::map<std::string, std::string> plugins;
  for (const PipelineNode& node : pipeline.nodes)
    plugins[node.entry->plugin->name + " " + node.entry->plugin->version] =
        node.entry->plugin->hash;
  return {plugins.begin(), plugins.end()};
}

RunRecord first_page(const Pipeline& pipeline, const RunOptions& options) {
  RunRecord record;
  record.pipeline = pipeline.name;
  record.description = pipeline.description;
  record.seed = pipeline.seed;
  record.command = options.command;
  record.version = SEMBLANCE_VERSION;
  record.started = utc_now();
  record.plugins = plugins_of(pipeline);
  record.threads = options.threads;
  if (const Device* device = chosen_device()) record.device = device->name();
  record.memory_budget = options.memory;
  if (!options.out.empty()) record.resolved_pipeline = resolved_yaml(pipeline);
  return record;
}

/// Says at once that a signal was received: tasks end at their next occasion.
std::string stopping_notice() {
  const int signal = StopSwitch::signal();
  return signal == 0 ? "" : stopping_text(signal);
}

}  // namespace

RunJournal::RunJournal(const Pipeline& pipeline, const RunOptions& options)
    : quiet_(options.quiet),
      same_processor_(options.same_processor),
      on_progress_(options.on_progress),
      on_log_(options.on_log),
      trace_(pipeline.name, options.out.empty() ? 0 : Trace::default_spans_per_thread),
      record_(first_page(pipeline, options)),
      out_(options.out),
      log_(
          options.out, options.log,
          on_log_ ? std::function<void(const std::string&)>()
                  : [this](const std::string& line) { show(line); }) {
  const bool has_text = !options.out.empty() && options.log.format != LogFormat::json;
  append_crashes_to(has_text ? options.out / "run.log" : std::filesystem::path());
}

void RunJournal::fall_silent() {
  close_display();
  display_.reset();
  followed_.reset();
  on_progress_ = nullptr;
  on_log_ = nullptr;
  silent_ = true;
}

std::vector<std::string> RunJournal::later_warnings() {
  const std::lock_guard lock(warnings_mutex_);
  const auto begin = later_.begin() + static_cast<std::ptrdiff_t>(later_told_);
  later_told_ = later_.size();
  return {begin, later_.end()};
}

void RunJournal::log(LogLevel level, const std::string& line) {
  if (silent_) {
    constexpr std::size_t most = 100;
    if (level != LogLevel::warning) return;
    const std::lock_guard lock(warnings_mutex_);
    if (later_.size() < most && std::ranges::find(later_, line) == later_.end())
      later_.push_back(line);
    return;
  }
  if (level == LogLevel::warning) {
    const std::lock_guard lock(warnings_mutex_);
    // Data are read once for their outline and then again: warnings about them appear once.
    if (std::ranges::find(record_.warnings, line) != record_.warnings.end()) return;
    record_.warnings.push_back(line);
  }
  log_.write(level, line);
  if (on_log_) on_log_(level, line);
}

void RunJournal::show(const std::string& line) const {
  if (display_)
    display_->message(line);
  else
    fmt::print(stderr, "{}\n", line);
}

void RunJournal::open_display(const std::vector<std::string>& nodes) {
  if (!out_.empty())
    followed_ = std::make_unique<ProgressFile>(out_, record_, nodes.size(), trace_, words_);
  if (on_log_ || on_progress_) return;  // the program decides what to show
  std::vector<Progress::Node> shown;
  shown.reserve(nodes.size());
  for (const auto& node : nodes) {
    const auto words = words_.find(node);
    shown.push_back({node, words == words_.end() ? std::string() : words->second});
  }
  ProgressOptions options;
  options.notice = stopping_notice;
  options.worked_on = [this] {
    std::vector<std::string> nodes;
    for (Trace::Work& work : trace_.work()) nodes.push_back(std::move(work.node));
    return nodes;
  };
  options.quiet = quiet_;
  display_ = std::make_unique<Progress>(shown, options);
}

void RunJournal::close_display() {
  if (display_) display_->finish();
  for (const std::string& line : log_.not_shown()) show(line);
}

void RunJournal::show_results(std::function<std::string(const NodeRecord&)> of) {
  const std::lock_guard lock(results_mutex_);
  result_of_ = std::move(of);
}

void RunJournal::node_started(const std::string& node) {
  if (display_) display_->node_started(node);
  if (followed_) followed_->node_started(node);
  if (on_progress_) on_progress_(node, 0, 0);
  log(LogLevel::info, node + ": started");
}

void RunJournal::node_progress(const std::string& node, double done, double total) {
  if (display_) display_->node_progress(node, done, total);
  if (followed_) followed_->node_progress(node, done, total);
  if (on_progress_) on_progress_(node, done, total);
}

void RunJournal::node_finished(const NodeRecord& node) {
  if (followed_) followed_->node_finished(node);
  if (display_) {
    const std::lock_guard lock(results_mutex_);
    display_->node_finished(node.name, node.cached, node.seconds,
                            result_of_ ? result_of_(node) : std::string());
  }
  if (on_progress_) on_progress_(node.name, 1, 1);
  log(LogLevel::info, node.name + (node.cached ? ": from the store" : ": finished"));
}

void RunJournal::node_settled(const std::string& node, const std::string& why) {
  if (display_) display_->node_finished(node, false, 0);
  if (followed_) followed_->node_settled(node);
  if (on_progress_) on_progress_(node, 1, 1);
  log(LogLevel::info, node + ": " + why);
}

double RunJournal::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void RunJournal::draw(std::span<const Pipeline* const> variants) {
  try {
    record_.graph_svg = merged_svg_text(variants);
  } catch (const Error& problem) {
    log(LogLevel::warning,
        std::string("the report has no picture of the pipeline: ") + problem.what());
  }
}

Measured RunJournal::measured_now() const {
  return {record_.started, record_.threads, processor_kind()};
}

void RunJournal::taken_from_store(const std::string& node, const Measured& made) {
  if (made.processor == processor_kind()) return;
  if (same_processor_)
    throw Error(
        fmt::format("the stored result of '{}' was computed on another kind of processor ({}; this "
                    "one is {}), and --require-same-cpu refuses that: use another store (--cache "
                    "DIR) or none (--no-cache), or run on a machine of that kind",
                    node, made.processor, processor_kind()));
  const auto known =
      std::ranges::find(other_processors_, node, [](const auto& p) { return p.first; });
  if (known == other_processors_.end()) other_processors_.emplace_back(node, made.processor);
}

void RunJournal::report_processors(std::size_t nodes) {
  if (other_processors_.empty()) return;
  const auto& [first, processor] = other_processors_.front();
  log(LogLevel::warning,
      fmt::format("{} of {} nodes, first '{}', come from the store, computed on another kind of "
                  "processor ({}; this one is {}): the last digits of results can differ from "
                  "those of a run that computes everything here, which --no-cache does",
                  other_processors_.size(), nodes, first, processor, processor_kind()));
}

}  // namespace semblance
