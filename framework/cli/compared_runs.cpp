// SPDX-License-Identifier: MIT
#include "cli/compared_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/verb.hpp"

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

/// Every run is a method, called after its folder; where names repeat, by the whole path.
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

/// Runs of one pipeline are a method, called after it; where names repeat, after a folder.
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
               "note: '{}' and '{}' are the same pipeline with the same seed; each folder is taken "
               "as a method of its own\n",
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

std::string figures_there(const std::vector<FinishedRun>& runs, const std::string& node) {
  std::string text;
  std::set<std::string> seen;
  for (const auto& run : runs)
    for (const auto& name : node.empty() ? run.evaluators() : std::vector{node})
      if (run.has_node(name))
        for (const auto& figure : run.figures(name))
          if (seen.insert(name + "." + figure).second) text += "\n  " + name + "." + figure;
  return text.empty() ? " none" : text;
}

/// Whether all nodes that reported anything report this, and one does.
bool is_reported(const std::vector<FinishedRun>& runs, const std::string& node,
                 const std::string& figure) {
  bool found = false;
  for (const auto& run : runs)
    for (const auto& name : node.empty() ? run.evaluators() : std::vector{node}) {
      if (!run.has_node(name)) return false;
      const auto figures = run.figures(name);
      const bool here = std::ranges::find(figures, figure) != figures.end();
      if (!here && !figures.empty()) return false;
      found = found || here;
    }
  return found;
}

std::string chosen_figure(const std::vector<FinishedRun>& runs, const std::string& node,
                          const std::string& figure) {
  if (!figure.empty() && is_reported(runs, node, figure)) return figure;
  if (figure.empty())
    for (const char* usual : {"error_rate", "eer"})
      if (is_reported(runs, node, usual)) return usual;
  const std::string wanted = figure.empty()
                                 ? "error_rate and eer are"
                                 : "'" + (node.empty() ? "" : node + ".") + figure + "' is";
  throw UsageError(wanted + " not reported in every run; choose with --metric NODE.FIGURE out of:" +
                   figures_there(runs, node));
}

Measurement measure(const Group& group, const std::string& node, const std::string& figure,
                    const std::uint64_t* seed) {
  for (const auto* run : group.runs)
    if (!seed || run->seed() == *seed) return run->measure(node, figure);
  Measurement missing;
  missing.error = "there is no run with this seed";
  return missing;
}

}  // namespace

ResultTable table_of_runs(const std::vector<FinishedRun>& runs, const std::string& node,
                          std::string figure) {
  for (const auto& run : runs) {
    if (node.empty() && run.evaluators().empty())
      throw Error("'" + run.folder().string() +
                  "' has no evaluator; choose what is compared with --metric NODE.FIGURE");
    if (!node.empty() && !run.has_node(node))
      throw UsageError("--metric: there is no node '" + node + "' in '" + run.folder().string() +
                       "'");
  }
  figure = chosen_figure(runs, node, figure);
  ResultTable table{figure, higher_is_better(figure), {}, {}, {}, 0};
  const auto groups = grouped(runs);
  const auto seeds = seeds_of(groups);
  for (const auto seed : seeds) table.blocks.push_back("seed " + std::to_string(seed));
  if (seeds.empty()) table.blocks.emplace_back();
  for (const auto& group : groups) {
    const auto nodes = node.empty() ? group.runs.front()->evaluators() : std::vector{node};
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
