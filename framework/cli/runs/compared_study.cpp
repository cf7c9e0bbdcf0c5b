// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/runs/compared_table.hpp"
#include "cli/verb.hpp"
#include "registry/figures.hpp"
#include "report/over_slot.hpp"
#include "support/did_you_mean.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

/// The finished variants of a study, by their folders.
using Variants = std::map<std::string, FinishedRun>;

Variants finished_variants(const ResultTable& table, const fs::path& folder,
                           const std::string& figure) {
  Variants found;
  for (const Method& method : table.methods)
    for (const Measurement& measurement : method.measurements)
      for (const std::string& name : measurement.folders)
        found.emplace(name, FinishedRun(folder / name));
  if (found.empty())
    throw Error(fmt::format(
        "'{}' is a study of '{}', not of '{}', and does not say where its variants are: nothing "
        "was measured, or an earlier version wrote it; run the study again, which takes what is "
        "computed from the store",
        folder.string(), table.metric, figure));
  return found;
}

/// The node that reports the figure.
std::string node_of(const Variants& variants, const ComparedFigure& compared) {
  std::set<std::string> nodes;
  std::vector<std::string> names;
  std::string text;
  std::set<std::pair<std::string, std::string>> there;
  for (const auto& [name, run] : variants)
    for (const ReportedFigure& one : run.figures()) there.emplace(one.node, one.figure);
  for (const auto& [node, figure] : there) {
    const bool wanted = compared.node.empty() || node == compared.node;
    if (wanted && figure == compared.figure) nodes.insert(node);
    if (!wanted) continue;
    names.push_back(figure);
    text += "\n  " + node + "." + figure;
  }
  if (nodes.size() == 1) return *nodes.begin();
  const std::string shown = (compared.node.empty() ? "" : compared.node + ".") + compared.figure;
  if (nodes.size() > 1)
    throw UsageError(fmt::format("--metric: {} report '{}'; choose one: --metric {}.{}",
                                 enumerate({nodes.begin(), nodes.end()}), compared.figure,
                                 *nodes.begin(), compared.figure));
  const std::string suggestion = did_you_mean(compared.figure, names);
  throw UsageError(fmt::format("--metric: no variant reports '{}'; {}choose from:{}", shown,
                               suggestion.empty() ? "" : suggestion + " Otherwise ",
                               text.empty() ? " none" : text));
}

Measurement measured(const Variants& variants, const Measurement& before, const std::string& node,
                     const std::string& figure, std::vector<std::string>& notes) {
  if (before.folders.empty()) {
    Measurement none;
    none.error = before.error;
    return none;
  }
  std::vector<Measurement> repeats;
  for (const std::string& folder : before.folders) {
    const FinishedRun& run = variants.at(folder);
    if (run.has_node(node))
      repeats.push_back(run.measure(node, figure, &notes));
    else
      repeats.emplace_back().error = "there is no node '" + node + "'";
  }
  Measurement result = repeats.size() == 1 ? repeats.front() : mean_of(repeats);
  result.folders = before.folders;
  result.chosen = before.chosen;
  return result;
}

bool same_results(const Method& one, const Method& other) {
  return std::ranges::equal(one.measurements, other.measurements,
                            [](const Measurement& a, const Measurement& b) {
                              return a.value == b.value && a.correct == b.correct &&
                                     a.losses == b.losses && a.folders.size() == b.folders.size();
                            });
}

/// Whether all variants of two methods with the same results are the same pipelines.
bool same_pipelines(const Method& one, const Method& other, const fs::path& study) {
  bool any = false;
  for (std::size_t b = 0; b < one.measurements.size(); ++b)
    for (std::size_t v = 0; v < one.measurements[b].folders.size(); ++v) {
      const std::string &first = one.measurements[b].folders[v],
                        &second = other.measurements[b].folders[v];
      if (!fs::exists(study / first / "pipeline.yaml")) return false;
      any = true;
      if (first != second &&
          FinishedRun(study / first).configuration() != FinishedRun(study / second).configuration())
        return false;
    }
  return any;
}

}  // namespace

ResultTable table_of_study(const ResultTable& table, const fs::path& folder,
                           const ComparedFigure& compared) {
  const Variants variants = finished_variants(table, folder, compared.figure);
  const std::string node = node_of(variants, compared);
  std::vector<ReportedBy> reporting;
  for (const auto& [name, run] : variants)
    if (run.has_node(node)) reporting.push_back({&run, node});
  const ReportedFigure meaning = common_meaning(reporting, compared.figure, compared.better);
  ResultTable result = table;
  result.node = node;
  result.metric = compared.figure;
  result.unit = meaning.unit;
  result.higher_is_better = meaning.better == Better::higher;
  result.further.clear();
  std::vector<std::string> notes;
  for (Method& method : result.methods)
    for (Measurement& one : method.measurements)
      one = measured(variants, one, node, compared.figure, notes);
  if (!notes.empty())
    fmt::print(stderr, "{}{}\n", notes.front(),
               notes.size() == 1 ? std::string()
                                 : fmt::format("; the same is true of {} more variant{}",
                                               notes.size() - 1, notes.size() == 2 ? "" : "s"));
  return result;
}

void merge_twins(ResultTable& table, const fs::path& folder) {
  std::vector<Method> kept;
  std::optional<std::size_t> baseline;
  for (std::size_t i = 0; i < table.methods.size(); ++i) {
    const Method& method = table.methods[i];
    auto twin = std::ranges::find_if(kept, [&](const Method& other) {
      return same_results(other, method) && same_pipelines(other, method, folder);
    });
    if (twin == kept.end()) twin = kept.insert(kept.end(), method);
    if (table.baseline == i) baseline = static_cast<std::size_t>(twin - kept.begin());
  }
  if (const std::size_t twins = table.methods.size() - kept.size(); twins > 0)
    fmt::print(stderr,
               "note: {} of the {} combinations in '{}' {} the same pipeline as another and {} "
               "left out\n",
               twins, table.methods.size(), folder.string(), twins == 1 ? "is" : "are",
               twins == 1 ? "is" : "are");
  table.methods = std::move(kept);
  table.baseline = baseline;
}

}  // namespace semblance::cli
