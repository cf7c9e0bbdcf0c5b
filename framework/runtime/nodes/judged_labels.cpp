// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "runtime/nodes/row_scoring_node.hpp"

namespace semblance {

std::vector<std::int32_t> matched_labels(const Dataset& dataset, RowSpan rows,
                                         const std::vector<std::string>& classes) {
  std::vector<std::int32_t> index;
  for (const auto& own : dataset.outline().classes) {
    const auto found = std::ranges::find(classes, own);
    index.push_back(found == classes.end() ? -1
                                           : static_cast<std::int32_t>(found - classes.begin()));
  }
  std::vector<std::int32_t> labels;
  for (const std::int32_t label : dataset.labels().subspan(rows.first, rows.count))
    labels.push_back(label < 0 ? -1 : index[static_cast<std::size_t>(label)]);
  return labels;
}

std::vector<double> matched_targets(const Dataset& dataset, RowSpan rows,
                                    const std::vector<std::string>& names) {
  const std::vector<std::string>& own = dataset.outline().targets;
  std::vector<double> matched;
  for (std::size_t i = 0; i < rows.count; ++i)
    for (const std::string& name : names) {
      const auto found = std::ranges::find(own, name);
      const auto column = static_cast<std::size_t>(found - own.begin());
      matched.push_back(found == own.end()
                            ? std::numeric_limits<double>::quiet_NaN()
                            : dataset.targets()[(rows.first + i) * own.size() + column]);
    }
  return matched;
}

std::vector<std::int32_t> groups_of(const Dataset& dataset, RowSpan rows) {
  const auto groups = dataset.groups();
  if (groups.empty()) return {};
  return {groups.begin() + static_cast<std::ptrdiff_t>(rows.first),
          groups.begin() + static_cast<std::ptrdiff_t>(rows.first + rows.count)};
}

void report_unknown_labels(RunProgress& progress, RunData& data, std::size_t solver, RowSpan rows,
                           std::span<const std::int32_t> matched) {
  const Dataset& dataset = data.dataset(solver);
  const auto own = dataset.labels().subspan(rows.first, rows.count);
  std::size_t unknown = 0;
  std::int32_t example = -1;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] >= 0 && matched[i] < 0 && unknown++ == 0) example = own[i];
  if (unknown == 0) return;
  const std::string source = progress.facts(progress.facts(solver).spec->origin).name();
  progress.journal().log(LogLevel::warning,
                         source + ": " + std::to_string(unknown) + " of " +
                             std::to_string(own.size()) +
                             " rows have a label that is not a class of the model, such as '" +
                             dataset.outline().classes[static_cast<std::size_t>(example)] +
                             "'; they are treated as unlabelled");
}

}  // namespace semblance
