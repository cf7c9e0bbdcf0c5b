// SPDX-License-Identifier: MIT
#include "runtime/run/run_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "report/figure_line.hpp"
#include "report/metrics.hpp"
#include "report/over_slot.hpp"
#include "report/page/html_report.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "runtime/loop/run_loop.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/results/unconverged.hpp"
#include "runtime/run/cross_validated.hpp"
#include "runtime/run/selecting.hpp"
#include "runtime/run/shared_study.hpp"
#include "runtime/run/study_session.hpp"
#include "runtime/run/variant_results.hpp"
#include "runtime/workers/shared_run.hpp"
#include "semblance/same_figure.hpp"
#include "support/files/atomic_file.hpp"
#include "support/files/synced_together.hpp"

namespace semblance {
namespace {

/// The pipelines of all variants.
std::vector<const Pipeline*> pipelines(const Study& study) {
  std::vector<const Pipeline*> all;
  for (const auto& variant : study.variants) all.push_back(&variant.pipeline);
  return all;
}

/// The outcomes of the variants' selections, by variant; no entry where there is none.
using Choices = std::map<std::size_t, SelectionOutcome>;

StudyRecord make_record(const Study& study, const StudySession& open, const Choices& choices) {
  StudyRecord record;
  record.run = open.session->journal().record();
  record.run.resolved_pipeline = study.text;
  record.metric_node = study.metric_node;
  record.nodes_before = open.merged.nodes_before;
  record.nodes_after = open.merged.pipeline.nodes.size();
  record.repeats = study.repeats;
  for (const StudySlot& slot : study.slots) {
    record.slots.push_back({slot.name, slot.alternatives});
    std::erase(record.slots.back().alternatives, "");  // variants that do not have the slot
  }
  for (std::size_t v = 0; v < study.variants.size(); ++v)
    record.variants.push_back(variant_record(study, open, v));
  for (const auto& [v, outcome] : choices) record.variants[v].selection = outcome.record;
  record.results = result_table(study, open, record.variants);
  if (study.over) group_over_slot(record, *study.over);
  record.comparison = compare(record.results);
  return record;
}

void write_variants(const Study& study, const StudySession& open, const StudyRecord& record,
                    const std::filesystem::path& out) {
  RunRecord run = record.run;
  run.nodes.clear();
  SyncedTogether files(out);
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    if (!record.variants[v].finished) continue;
    const auto folder = out / "variants" / study.variants[v].name;
    make_output_folder(folder);
    write_variant(study, open, run, record.variants[v], v, folder);
  }
  files.finish();
}

void write_study(const StudyRecord& record, const std::filesystem::path& out) {
  write_tables(record.results, record.comparison, out);
  write_html_study_report(record, out / "report.html");
  auto json = study_json(record.results, record.comparison, record.run.pipeline);
  if (!record.run.stopped_by.empty()) json["stopped_by"] = record.run.stopped_by;
  write_file_atomically(out / "study.json", readable_json(json));
}

/// Makes all choices that the variants' pipelines leave open, together.
Choices choose_parameters(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                          bool fail_fast) {
  std::vector<std::size_t> variants;
  std::vector<std::shared_ptr<const Selection>> selections;
  std::vector<std::string> names;
  for (std::size_t v = 0; v < study.variants.size(); ++v)
    if (const auto& selection = study.variants[v].pipeline.selection) {
      variants.push_back(v);
      selections.push_back(selection);
      names.push_back(study.variants[v].name);
    }
  Choices choices;
  if (selections.empty()) return choices;
  auto outcomes = choose_parameters(selections, names, catalogue, options);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (fail_fast && !outcomes[i].error.empty()) throw Error(outcomes[i].error);
    choices[variants[i]] = std::move(outcomes[i]);
  }
  return choices;
}

/// The study with the chosen pipelines in place of the open ones.
Study decided(Study study, const Choices& choices) {
  for (const auto& [v, outcome] : choices)
    if (outcome.record) {
      const auto selection = study.variants[v].pipeline.selection;
      study.variants[v].pipeline = {selection->candidates[outcome.record->chosen], nullptr};
    }
  return study;
}

/// Remarks on choices at the edge of what was tried: the best combination, and the choices of the
/// variants themselves, of which the first is named.
void remark_on_edges(StudyRecord& record, RunJournal& journal) {
  std::vector<std::string> remarks;
  if (auto remark = edge_remark(record.results, record.comparison); !remark.empty())
    remarks.push_back(std::move(remark));
  std::string first;
  std::size_t more = 0;
  for (const VariantRecord& variant : record.variants) {
    const std::string remark = variant.selection ? edge_remark(*variant.selection) : "";
    if (remark.empty()) continue;
    if (first.empty())
      first = "variant '" + variant.name + "': " + remark;
    else
      ++more;
  }
  if (!first.empty())
    remarks.push_back(first + (more > 0 ? fmt::format("; the same is true of {} more variant{}",
                                                      more, more == 1 ? "" : "s")
                                        : std::string()));
  for (const std::string& remark : remarks) journal.log(LogLevel::warning, remark);
  record.run.warnings = journal.record().warnings;
}

/// Shows the compared figure of a variant as soon as it is known, if the last was shown more than a
/// second ago, and the mean of a combination that is the best so far as soon as all of its repeats
/// are: those of a few repeats depend on which. Over data sets of their own, and of a single
/// combination, none is. Of many variants at most every twentieth part, and those that are the best
/// without repeats, are shown.
class ResultLines {
 public:
  ResultLines(const Study& study, const StudySession& open)
      : study_(study), sums_(study.combinations) {
    for (std::size_t v = 0; v < study.variants.size(); ++v) {
      const auto& nodes = study.variants[v].pipeline.nodes;
      const auto at = std::ranges::find(nodes, study.metric_node, &PipelineNode::name);
      if (open.merged.places[v].empty() || at == nodes.end()) continue;
      const auto place = open.merged.places[v][static_cast<std::size_t>(at - nodes.begin())];
      variants_[open.merged.pipeline.nodes[place].name].push_back(v);
      ++all_;
    }
  }

  std::string operator()(const NodeRecord& node) {
    const auto found = variants_.find(node.name);
    const auto figure = node.metrics.find(study_.metric);
    if (found == variants_.end() || figure == node.metrics.end() || !figure->is_number()) return "";
    const double value = figure->get<double>();
    std::string lines;
    for (const std::size_t v : found->second) {
      const StudyVariant& variant = study_.variants[v];
      const bool repeated = study_.repeats.size() > 1;
      const std::optional<double> best = best_mean(variant.combination, value);
      ++known_;
      if ((best && !repeated) || is_due())
        lines += fmt::format("  {} of {}  {} {}  {}{}\n", known_, all_, study_.metric,
                             terminal_text(study_.unit, value), variant.name,
                             best && !repeated ? "  (best so far)" : "");
      if (best && repeated)
        lines +=
            fmt::format("  mean of {}  {} {}  {}  (best so far)\n", study_.repeats.size(),
                        study_.metric, terminal_text(study_.unit, *best), without_repeat(variant));
    }
    return lines;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t most_named = 100, parts = 20;
  static constexpr std::chrono::seconds pause{1};

  bool is_due() {
    const bool part = all_ <= most_named || known_ * parts / all_ > (known_ - 1) * parts / all_;
    const Clock::time_point now = Clock::now();
    const bool last = known_ == all_ && study_.combinations > 1;
    if (!part || (now - shown_ < pause && !last)) return false;
    shown_ = now;
    return true;
  }

  struct Sum {
    double sum = 0;
    std::size_t count = 0;
  };

  /// The mean over the combination's repeats, if this is the last of them and no other is better.
  std::optional<double> best_mean(std::size_t combination, double value) {
    Sum& sum = sums_.at(combination);
    sum.sum += value;
    if (++sum.count < study_.repeats.size() || study_.over || study_.combinations < 2)
      return std::nullopt;
    const double mean = sum.sum / static_cast<double>(sum.count);
    if (best_ && !better_figure(mean, *best_, study_.higher_is_better)) return std::nullopt;
    return best_ = mean;
  }

  std::string without_repeat(const StudyVariant& variant) const {
    const std::string end = "," + study_.repeats[variant.repeat];
    return variant.name.ends_with(end) ? variant.name.substr(0, variant.name.size() - end.size())
                                       : variant.name;
  }

  const Study& study_;
  std::map<std::string, std::vector<std::size_t>> variants_;  ///< by the node of the figure
  std::vector<Sum> sums_;                                     ///< by combination
  std::size_t all_ = 0;
  std::size_t known_ = 0;
  Clock::time_point shown_ = Clock::now();
  std::optional<double> best_;
};

/// A study of times compares measured times, not those of stored results.
void warn_of_stored_times(const Study& study, const StudySession& open) {
  if (study.unit != FigureUnit::seconds) return;
  std::size_t stored = 0;
  std::string first;
  for (std::size_t v = 0; v < study.variants.size(); ++v) {
    const auto& nodes = study.variants[v].pipeline.nodes;
    const auto at = std::ranges::find(nodes, study.metric_node, &PipelineNode::name);
    if (open.merged.places[v].empty() || at == nodes.end()) continue;
    const std::size_t place = open.merged.places[v][static_cast<std::size_t>(at - nodes.begin())];
    const auto& measured = open.session->progress().run(place).record.measured;
    if (!measured) continue;
    if (stored++ == 0) first = study.variants[v].name + ": " + measured_text(*measured);
  }
  if (stored == 0) return;
  open.session->journal().log(
      LogLevel::warning,
      fmt::format("{}.{} of {} of {} variants comes from earlier runs ({}); --no-cache "
                  "measures all of them again",
                  study.metric_node, study.metric, stored, study.variants.size(), first));
}

/// Learns and streams; where everything is in the store, loads it instead.
RunEnd computed(Session& session) {
  RunEnd end = RunEnd::done;
  session.execute([&] {
    try {
      compute_plan(session.progress(), session.data());
    } catch (const Cancelled&) {
      end = RunEnd::stopped;
      session.journal().log(LogLevel::warning,
                            "stopped by " + session.stopper() +
                                "; finished work is kept, and the same command continues it");
    }
  });
  return end;
}

/// The result for the variants, all parameters known, as one graph; `spent` are the seconds that
/// choosing took.
StudyResult run_decided(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                        bool fail_fast, const Choices& choices, double spent, bool writes) {
  StudyResult result;
  StudySession open(study, catalogue, options, fail_fast);
  for (const auto& [v, outcome] : choices)
    if (!outcome.error.empty()) open.leave_out(v, outcome.error);
  open.prepare();
  Session& session = *open.session;
  session.journal().show_results(ResultLines(study, open));
  result.end = computed(session);
  warn_of_stored_times(study, open);
  warn_of_unconverged(session.progress());
  complete_record(session.progress(), session.data());
  RunRecord& record = session.journal().record();
  record.wall_seconds += spent;
  record.choosing_seconds = choices.empty() ? 0 : spent;
  session.journal().draw(pipelines(study));
  session.journal().close_display();
  result.record = make_record(study, open, choices);
  remark_on_edges(result.record, session.journal());
  for (const VariantRecord& variant : result.record.variants)
    result.failed += !variant.error.empty();
  if (result.end != RunEnd::done)
    result.record.run.stopped_by = record.stopped_by = session.stopper();
  if (!writes) return result;
  write_variants(study, open, result.record, options.out);
  if (!options.writes_pages) return result;
  write_file_atomically(options.out / "study.yaml", study.text);
  session.journal().trace().write(options.out / "trace.json");
  write_metrics(record, options.out / "metrics.json");
  write_study(result.record, options.out);
  if (session.data().store() && options.cache_limit > 0)
    session.data().store()->trim(options.cache_limit);
  return result;
}

/// The same, computed together with other workers; one of them writes.
StudyResult run_shared(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                       const Choices& choices, double spent, bool wants_record,
                       const StopSwitch& stop) {
  const std::string part = options.part.empty() ? "study" : options.part;
  std::map<std::size_t, std::string> left_out;
  for (const auto& [v, outcome] : choices)
    if (!outcome.error.empty()) left_out[v] = outcome.error;
  work_on_study(study, catalogue, options, part, left_out);
  SharedRun& shared = *options.shared;
  const auto lease = shared.results_lease(part, [&] { return stop.reason() != StopReason::none; });
  StudyResult result;
  if (lease || wants_record) {
    RunOptions own = options;
    std::optional<OutputFolder> folder;
    own.out = lease ? folder.emplace(options).place() : shared.own_folder();
    result = run_decided(study, catalogue, own, false, choices, spent, lease != nullptr);
    if (folder) result.place = settled(*folder, result.end == RunEnd::done, options);
  }
  result.written_elsewhere = lease == nullptr;
  if (lease && result.end == RunEnd::done) shared.results_are_written(part);
  return result;
}

/// The result where the study was stopped before there was anything to compare.
StudyResult stopped_early(const Study& study, const RunOptions& options, const StopSwitch& stop,
                          const std::string& doing) {
  StudyResult result;
  result.end = RunEnd::stopped;
  result.record.run.pipeline = study.name;
  result.record.run.seed = study.seed;
  result.record.run.command = options.command;
  tell(options, LogLevel::warning, stopped_text(stop.stopper(), options, doing));
  return result;
}

StudyResult run_in_place(const Study& study, const Catalogue& catalogue, const RunOptions& options,
                         bool fail_fast, bool wants_record) {
  const auto start = std::chrono::steady_clock::now();
  const StopSwitch stop(options.deadline, options.cancel);
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::string doing = "parameters were being selected";
  try {
    const Choices choices = choose_parameters(study, catalogue, options, fail_fast);
    if (options.shared)
      return run_shared(decided(study, choices), catalogue, after(options, spent()), choices,
                        spent(), wants_record, stop);
    doing = "data were being read";
    const double choosing = spent();
    return run_decided(decided(study, choices), catalogue, after(options, choosing), fail_fast,
                       choices, choosing, true);
  } catch (const Cancelled&) {
    return stopped_early(study, options, stop, doing);
  }
}

}  // namespace

StudyResult run_study(const Study& given, const Catalogue& catalogue, const RunOptions& options,
                      bool fail_fast, bool wants_record) {
  if (!given.steps.empty()) return run_steps(given, catalogue, options, fail_fast);
  const Study study = judged_study(given, catalogue, options);
  if (options.shared) {
    make_output_folder(options.out);
    return run_in_place(study, catalogue, options, fail_fast, wants_record);
  }
  OutputFolder folder(options);
  RunOptions own = options;
  own.out = folder.place();
  write_file_atomically(own.out / "study.yaml", study.text);
  StudyResult result = run_in_place(study, catalogue, own, fail_fast, wants_record);
  result.place = settled(folder, result.end == RunEnd::done, options);
  return result;
}

}  // namespace semblance
