// SPDX-License-Identifier: MIT
#include "runtime/session/row_names.hpp"

#include <new>
#include <optional>

#include "semblance/context.hpp"
#include "semblance/transport.hpp"

namespace semblance {

std::string given_row_name(std::size_t position) {
  return "row " + std::to_string(position) + " of the new data";
}

std::string row_name(const Compilation& graph, const RunData& data, std::size_t i,
                     std::size_t position) {
  const NodeFacts& source = graph.facts(graph.facts(i).spec->origin);
  const OpenData::Opened& opened = data.opened(i);
  const Outline& outline = *source.outline;
  // Where rows come from the store, their numbers may be unknown.
  if (!opened.dataset && (outline.numbered_rows > 0 || source.spec->fold.count > 0))
    return position < outline.train_rows
               ? RowError::name(RowError::Of::training, position)
               : RowError::name(RowError::Of::test, position - outline.train_rows);
  std::size_t number = position;
  if (position < opened.row_numbers.size())
    number = static_cast<std::size_t>(opened.row_numbers[position]);
  const std::string own = opened.dataset ? opened.dataset->name(position) : "";
  const std::string name = own.empty() ? "" : " ('" + own + "')";
  if (source.new_data) return "row " + std::to_string(number) + name + " of the new data";
  const std::size_t first_of_second =
      outline.numbered_rows > 0 ? outline.numbered_rows : outline.train_rows;
  if (outline.test_rows > 0 && number >= first_of_second)
    return "row " + std::to_string(number - first_of_second) + name + " of the test data";
  return "row " + std::to_string(number) + name + " of the data";
}

std::string row_name(const Compilation& graph, const RunData& data, std::size_t i,
                     const RowError& problem) {
  const std::size_t row = problem.row();
  const NodeFacts& node = graph.facts(i);
  if (problem.of() == RowError::Of::training) return row_name(graph, data, i, row);
  if (problem.of() == RowError::Of::test)
    return row_name(graph, data, i, node.outline->train_rows + row);
  if (problem.of() == RowError::Of::bases && node.bases) {
    const auto chosen = graph.node(*node.bases).chosen_rows();
    if (row < chosen.size())
      return RowError::name(problem.of(), row) + ", " +
             row_name(graph, data, i, static_cast<std::size_t>(chosen[row]));
  }
  return RowError::name(problem.of(), row);
}

void name_failing_row(RowError::Of of, std::size_t rows, const std::function<void()>& all,
                      const std::function<void(std::size_t row)>& one) {
  const auto is_of_row = [](const std::exception& problem) {
    return !dynamic_cast<const Cancelled*>(&problem) && !dynamic_cast<const RowError*>(&problem) &&
           !dynamic_cast<const DataError*>(&problem) &&
           !dynamic_cast<const MemoryError*>(&problem) &&
           !dynamic_cast<const RankFailure*>(&problem) &&
           !dynamic_cast<const std::bad_alloc*>(&problem);
  };
  try {
    all();
  } catch (const std::exception& failure) {
    if (rows < 2 || !is_of_row(failure)) throw;
    std::optional<std::pair<std::size_t, std::string>> failing;
    bool sound = false;
    for (std::size_t row = 0; row < rows && !(failing && sound); ++row) try {
        one(row);
        sound = true;
      } catch (const std::exception& problem) {
        if (!is_of_row(problem)) throw;
        if (!failing) failing.emplace(row, problem.what());
      }
    if (!failing || !sound) throw;
    throw RowError(of, failing->first, "", " (counted from 0): " + failing->second);
  }
}

void report_unknown_rows(RunProgress& progress, const RunData& data, std::size_t i, bool given) {
  const std::set<std::size_t> rows = progress.run(i).unknown_rows.take();
  if (rows.empty()) return;
  const std::size_t first = *rows.begin();
  progress.context(i).log(
      LogLevel::warning,
      std::to_string(rows.size()) + (rows.size() == 1 ? " row has" : " rows have") +
          " nothing in common with the training samples, which lack all of their parts (words, "
          "paths or colours), so that their values are 0 and predictions for them say nothing; the "
          "first: " +
          (given ? given_row_name(first) : row_name(progress.graph(), data, i, first)));
}

}  // namespace semblance
