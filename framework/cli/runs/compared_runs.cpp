// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/runs/compared_table.hpp"
#include "cli/verb.hpp"
#include "registry/figures.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::cli {
namespace {

/// The runs of one method, by seed.
struct Group {
  std::string name;
  std::vector<const FinishedRun*> runs;
};

std::string folder_name(const FinishedRun& run) {
  const auto path = std::filesystem::absolute(run.folder()).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

/// Every run is a method, named by its folder; where names repeat, by the full path.
std::vector<Group> one_by_one(const std::vector<FinishedRun>& runs) {
  std::map<std::string, int> count;
  for (const auto& run : runs) ++count[folder_name(run)];
  std::vector<Group> groups;
  for (const auto& run : runs) {
    const std::string name = folder_name(run);
    groups.push_back({count[name] > 1 ? run.folder().string() : name, {&run}});
  }
  return groups;
}

/// Runs of one pipeline form a method, named by the pipeline; where names repeat, by a folder.
std::vector<Group> by_pipeline(const std::vector<FinishedRun>& runs) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> places;
  for (const auto& run : runs) {
    const auto [place, is_new] = places.try_emplace(run.configuration(), groups.size());
    if (is_new) groups.push_back({run.pipeline(), {}});
    groups[place->second].runs.push_back(&run);
  }
  std::map<std::string, int> count;
  for (const auto& group : groups) ++count[group.name];
  for (auto& group : groups)
    if (count[group.name] > 1) group.name += " (" + folder_name(*group.runs.front()) + " ...)";
  return groups;
}

std::vector<Group> grouped(const std::vector<FinishedRun>& runs) {
  std::map<std::pair<std::string, std::uint64_t>, const FinishedRun*> seen;
  std::set<std::string> pipelines;
  for (const auto& run : runs) {
    pipelines.insert(run.configuration());
    const auto [same, is_new] = seen.try_emplace({run.configuration(), run.seed()}, &run);
    if (is_new) continue;
    fmt::print(stderr,
               "note: '{}' and '{}' are the same pipeline with the same seed; each folder counts "
               "as a separate method\n",
               same->second->folder().string(), run.folder().string());
    return one_by_one(runs);
  }
  return pipelines.size() == runs.size() ? one_by_one(runs) : by_pipeline(runs);
}

/// Seeds as blocks, where a method has several.
std::vector<std::uint64_t> seeds_of(const std::vector<Group>& groups) {
  std::set<std::uint64_t> seeds;
  const bool repeated =
      std::ranges::any_of(groups, [](const Group& group) { return group.runs.size() > 1; });
  if (repeated)
    for (const auto& group : groups)
      for (const auto* run : group.runs) seeds.insert(run->seed());
  return {seeds.begin(), seeds.end()};
}

/// The nodes to compare. These are the named one; or the evaluators that have the figure; or, if no
/// figure is named, those with a headline figure that has a better direction. A node that draws or
/// describes a model evaluates nothing. All evaluators if no node remains.
std::vector<std::string> judges(const FinishedRun& run, const ComparedFigure& compared) {
  if (!compared.node.empty()) return {compared.node};
  std::vector<std::string> judging = run.evaluators();
  std::erase_if(judging,
                [&](const std::string& node) { return !run.judges(node, compared.figure); });
  return judging.empty() ? run.evaluators() : judging;
}

/// The figures of evaluators, or of a node, each once.
std::vector<ReportedFigure> figures_there(const std::vector<FinishedRun>& runs,
                                          const std::string& node) {
  std::vector<ReportedFigure> found;
  for (const auto& run : runs)
    for (const auto& name : node.empty() ? run.evaluators() : std::vector{node})
      for (const auto& figure : run.figures(name))
        if (std::ranges::none_of(found, [&](const ReportedFigure& other) {
              return other.node == figure.node && other.figure == figure.figure;
            }))
          found.push_back(figure);
  return found;
}

/// Whether all compared nodes that reported anything report this figure, and at least one does.
bool is_reported(const std::vector<FinishedRun>& runs, const ComparedFigure& compared,
                 const std::string& figure) {
  bool found = false;
  for (const auto& run : runs)
    for (const auto& name : judges(run, compared)) {
      if (!run.has_node(name)) return false;
      const bool here = run.figure(name, figure) != nullptr;
      if (!here && !run.figures(name).empty()) return false;
      found = found || here;
    }
  return found;
}

/// The headline figures of the first node that reported any; those for which lower is better come
/// first.
std::vector<std::string> usual_figures(const std::vector<FinishedRun>& runs,
                                       const ComparedFigure& compared) {
  std::vector<std::string> lower, higher;
  for (const auto& run : runs)
    for (const auto& name : judges(run, compared)) {
      for (const auto& figure : run.figures(name)) {
        if (figure.headline && figure.better == Better::lower) lower.push_back(figure.figure);
        if (figure.headline && figure.better == Better::higher) higher.push_back(figure.figure);
      }
      if (!lower.empty() || !higher.empty()) {
        lower.insert(lower.end(), higher.begin(), higher.end());
        return lower;
      }
    }
  return {};
}

std::string chosen_figure(const std::vector<FinishedRun>& runs, const ComparedFigure& compared) {
  const auto& [node, figure, better] = compared;
  if (!figure.empty() && is_reported(runs, compared, figure)) return figure;
  if (figure.empty())
    for (const std::string& usual : usual_figures(runs, compared))
      if (is_reported(runs, compared, usual)) return usual;
  const std::string problem = figure.empty() ? "no headline figure is reported by every evaluator"
                                             : fmt::format("'{}{}{}' is not reported in every run",
                                                           node, node.empty() ? "" : ".", figure);
  // Only names that all runs know, with or without a node, and of which one value is better.
  std::string text;
  std::vector<std::string> names, taken;
  for (const ReportedFigure& there : figures_there(runs, node)) {
    const std::string &name = there.node, &known = there.figure;
    const auto directed = [&](const FinishedRun& run) {
      const ReportedFigure* const reported = run.figure(name, known);
      return reported && reported->better != Better::none;
    };
    if (better == Better::none && std::ranges::none_of(runs, directed)) continue;
    const bool by_node = is_reported(runs, {name, known, better}, known);
    if (!by_node && (!node.empty() || !is_reported(runs, {"", known, better}, known))) continue;
    const std::string takes = by_node ? name + "." + known : known;
    if (std::ranges::find(taken, takes) != taken.end()) continue;
    taken.push_back(takes);
    names.push_back(known);
    text += "\n  " + takes;
  }
  if (text.empty())
    throw UsageError(problem +
                     "; there is none that all of them report, so they cannot be compared with "
                     "each other");
  const std::string suggestion = did_you_mean(figure, names);
  throw UsageError(problem + "; " + (suggestion.empty() ? "" : suggestion + " ") +
                   (suggestion.empty() ? "choose" : "Choose") + " with --metric from:" + text);
}

Measurement measure(const Group& group, const std::string& node, const std::string& figure,
                    const std::uint64_t* seed) {
  for (const auto* run : group.runs)
    if (!seed || run->seed() == *seed) return run->measure(node, figure);
  Measurement missing;
  missing.error = "no run with this seed";
  return missing;
}

}  // namespace

ReportedFigure common_meaning(const std::vector<ReportedBy>& all, const std::string& figure,
                              Better wanted) {
  ReportedFigure common{.node = {}, .figure = figure};
  std::string declared_by;
  for (const auto& [run, node] : all) {
    const ReportedFigure* const found = run->figure(node, figure);
    if (!found) continue;
    if (declared_by.empty()) common.unit = found->unit;
    if (found->better == Better::none) continue;
    if (!declared_by.empty() && found->better != common.better)
      throw UsageError(
          fmt::format("of '{}', {} is better in {} and {} in {}: these cannot be compared", figure,
                      name(common.better), declared_by, name(found->better), run->component(node)));
    common = *found;
    declared_by = run->component(node);
  }
  if (!declared_by.empty() && wanted != Better::none && wanted != common.better)
    throw UsageError(
        fmt::format("--better: {1} is better for '{0}', as {2} declares; omit --better", figure,
                    name(common.better), declared_by));
  if (wanted != Better::none) common.better = wanted;
  if (common.better == Better::none)
    throw UsageError(
        fmt::format("it is unknown which of two values of '{}' is better; add --better lower or "
                    "--better higher",
                    figure));
  return common;
}

ResultTable table_of_runs(const std::vector<FinishedRun>& runs, const ComparedFigure& compared) {
  const std::string& node = compared.node;
  for (const auto& run : runs) {
    if (node.empty() && run.evaluators().empty())
      throw Error("'" + run.folder().string() +
                  "' has no evaluator; choose what to compare with --metric NODE.FIGURE");
    if (!node.empty() && !run.has_node(node))
      throw UsageError("--metric: unknown node '" + node + "' in '" + run.folder().string() + "'");
  }
  const std::string figure = chosen_figure(runs, compared);
  std::vector<ReportedBy> judging;
  for (const auto& run : runs)
    for (const std::string& name : judges(run, compared)) judging.push_back({&run, name});
  const ReportedFigure meaning = common_meaning(judging, figure, compared.better);
  ResultTable table;
  table.metric = figure;
  table.unit = meaning.unit;
  table.higher_is_better = meaning.better == Better::higher;
  table.baseline = 0;
  const auto groups = grouped(runs);
  const auto seeds = seeds_of(groups);
  for (const auto seed : seeds) table.blocks.push_back("seed " + std::to_string(seed));
  if (seeds.empty()) table.blocks.emplace_back();
  for (const auto& group : groups) {
    const auto nodes = judges(*group.runs.front(), compared);
    for (const auto& name : nodes) {
      Method method{nodes.size() > 1 ? group.name + ":" + name : group.name, {}, {}};
      if (seeds.empty())
        method.measurements.push_back(measure(group, name, figure, nullptr));
      else
        for (const auto& seed : seeds)
          method.measurements.push_back(measure(group, name, figure, &seed));
      table.methods.push_back(std::move(method));
    }
  }
  return table;
}

}  // namespace semblance::cli
