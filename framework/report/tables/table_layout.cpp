// SPDX-License-Identifier: MIT
#include "report/tables/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/tables/metric_numbers.hpp"
#include "report/tables/test_notes.hpp"
#include "semblance/error.hpp"
#include "semblance/same_figure.hpp"

namespace semblance {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Whether every method has a choice for every slot, so that these replace its name.
bool has_slot_columns(const ResultTable& table) {
  return !table.slots.empty() && std::ranges::all_of(table.methods, [&](const Method& method) {
    return method.choices.size() == table.slots.size();
  });
}

/// Whether methods differ in the slot; a single method shows all of its choices.
bool varies(const ResultTable& table, std::size_t slot) {
  return table.methods.size() < 2 || std::ranges::any_of(table.methods, [&](const Method& method) {
           return method.choices[slot] != table.methods[0].choices[slot];
         });
}

std::string errors_of(const ResultTable& table, const Method& method) {
  std::string text;
  for (std::size_t b = 0; b < method.measurements.size(); ++b) {
    if (method.measurements[b].error.empty()) continue;
    if (!text.empty()) text += "; ";
    if (!table.blocks[b].empty()) text += table.blocks[b] + ": ";
    text += method.measurements[b].error;
  }
  return text;
}

/// Fills a layout column by column.
class LayoutBuilder {
 public:
  LayoutBuilder(const ResultTable& table, const Comparison& comparison)
      : table_(table), comparison_(comparison), numbers_(table, comparison) {}

  TableLayout build() {
    add_names();
    add_blocks();
    add_values();
    add_pooled();
    add_difference();
    add_tests();
    add_rank();
    add_further();
    add_chosen();
    add_flags();
    layout_.notes = table_notes(table_, comparison_);
    layout_.failures = failures_in_short(table_);
    return std::move(layout_);
  }

 private:
  struct Row {
    const Method& method;
    const Standing& standing;
    std::size_t place;
  };

  /// `cell` makes a TableCell of a Row.
  template <typename Cell>
  void column(std::string key, std::string heading, Holds holds, bool compared, const Cell& cell,
              bool higher = false) {
    TableColumn column{std::move(key), std::move(heading), holds, higher, compared, {}};
    for (std::size_t i = 0; i < table_.methods.size(); ++i)
      column.cells.push_back(cell(Row{table_.methods[i], comparison_.standings[i], i}));
    layout_.columns.push_back(std::move(column));
  }

  void add_names() {
    const bool slots = has_slot_columns(table_);
    bool shown = false;
    for (std::size_t slot = 0; slots && slot < table_.slots.size(); ++slot)
      shown |= varies(table_, slot);
    column("method", shown ? "" : "method", Holds::text, false,
           [](const Row& row) { return TableCell{row.method.name}; });
    for (std::size_t slot = 0; slots && slot < table_.slots.size(); ++slot)
      column(table_.slots[slot], varies(table_, slot) ? table_.slots[slot] : "", Holds::text, false,
             [&](const Row& row) { return TableCell{row.method.choices[slot]}; });
  }

  void add_blocks() {
    for (std::size_t b = 0; b < table_.blocks.size(); ++b) {
      const std::string& block = table_.blocks[b];
      const double best = best_on(b);
      column(
          block.empty() ? table_.metric : table_.metric + " " + block,
          table_.over.empty() ? "" : block, Holds::metric, false,
          [&](const Row& row) {
            const double value = row.method.measurements[b].value;
            return TableCell{std::isnan(value) ? "" : numbers_.text(value), value,
                             same_figure(value, best)};
          },
          table_.higher_is_better);
    }
  }

  /// The best value of a block; NaN where it has none.
  double best_on(std::size_t block) const {
    double best = none;
    for (const Method& method : table_.methods) {
      const double value = method.measurements[block].value;
      if (std::isnan(value)) continue;
      if (std::isnan(best) || (table_.higher_is_better ? value > best : value < best)) best = value;
    }
    return best;
  }

  void add_values() {
    column(
        "mean", heading() + (shows_pooled(table_, comparison_) ? ", mean of folds" : ""),
        Holds::metric, true,
        [&](const Row& row) {
          const Standing& s = row.standing;
          std::string text = s.measured == 0 ? "failed" : numbers_.text(s.mean);
          if (s.measured > 1) text += " ± " + numbers_.text(s.deviation);
          return TableCell{std::move(text), s.mean, s.best};
        },
        table_.higher_is_better);
    file_column("deviation", &Standing::deviation);
    file_column("standard_error", &Standing::standard_error);
    const std::size_t blocks = table_.blocks.size();
    if (std::ranges::any_of(comparison_.standings,
                            [&](const Standing& s) { return s.measured < blocks; }))
      column("", "blocks", Holds::number, false, [&](const Row& row) {
        return TableCell{fmt::format("{} of {}", row.standing.measured, blocks),
                         static_cast<double>(row.standing.measured)};
      });
  }

  std::string heading() const {
    const std::string unit(numbers_.unit());
    return metric_words(table_) + (unit.empty() ? "" : " [" + unit + "]");
  }

  void add_pooled() {
    if (std::ranges::none_of(table_.methods, [](const Method& m) { return m.pooled.has_value(); }))
      return;
    column(
        "pooled", shows_pooled(table_, comparison_) ? heading() + ", all held-out rows" : "",
        Holds::metric, true,
        [&](const Row& row) {
          const auto& pooled = row.method.pooled;
          return TableCell{pooled ? numbers_.text(*pooled) : "", pooled.value_or(none)};
        },
        table_.higher_is_better);
  }

  /// The same results with another figure as the metric.
  ResultTable table_of(std::size_t figure) const {
    ResultTable other = table_;
    const FurtherFigure& wanted = table_.further[figure];
    other.metric = wanted.figure;
    other.unit = wanted.unit;
    other.higher_is_better = wanted.better == Better::higher;
    other.baseline.reset();
    for (Method& method : other.methods)
      for (Measurement& one : method.measurements) {
        one.value = figure < one.further.size() ? one.further[figure] : none;
        one.correct.clear();
        one.losses.clear();
      }
    return other;
  }

  /// Figures of one name are distinguished by their nodes.
  std::string further_heading(std::size_t figure, const ResultTable& one) const {
    const FurtherFigure& wanted = table_.further[figure];
    const bool shared =
        wanted.figure == table_.metric ||
        std::ranges::count(table_.further, wanted.figure, &FurtherFigure::figure) > 1;
    return (shared ? wanted.node + ": " : "") + metric_words(one);
  }

  void add_further() {
    for (std::size_t f = 0; f < table_.further.size(); ++f) {
      const ResultTable one = table_of(f);
      const Comparison compared = compare_methods(one);
      const MetricNumbers numbers(one, compared);
      std::string heading = further_heading(f, one);
      if (!numbers.unit().empty()) heading += fmt::format(" [{}]", numbers.unit());
      const std::string key = table_.further[f].node + "." + table_.further[f].figure;
      const bool marks = table_.further[f].better != Better::none;
      column(
          key, heading, Holds::metric, true,
          [&](const Row& row) {
            const Standing& s = compared.standings[row.place];
            if (s.measured == 0) return TableCell{};
            std::string text = numbers.text(s.mean);
            if (s.measured > 1) text += " ± " + numbers.text(s.deviation);
            return TableCell{std::move(text), s.mean, marks && s.best};
          },
          one.higher_is_better);
      column(key + "_deviation", "", Holds::number, true, [&](const Row& row) {
        return TableCell{"", compared.standings[row.place].deviation};
      });
    }
  }

  /// What the variants chose for themselves: "10", or "10 ×4, 1 ×1" where repeats differ.
  void add_chosen() {
    std::vector<std::string> parameters;
    for (const Method& method : table_.methods)
      for (const Measurement& one : method.measurements)
        for (const auto& [parameter, values] : one.chosen)
          if (std::ranges::find(parameters, parameter) == parameters.end())
            parameters.push_back(parameter);
    for (const std::string& parameter : parameters)
      column("chosen_" + parameter, "chosen " + parameter, Holds::text, false,
             [&](const Row& row) { return TableCell{chosen_text(row.method, parameter)}; });
  }

  static std::string chosen_text(const Method& method, const std::string& parameter) {
    std::vector<std::pair<std::string, std::size_t>> counts;
    for (const Measurement& one : method.measurements) {
      const auto chosen = one.chosen.find(parameter);
      if (chosen == one.chosen.end()) continue;
      for (const std::string& value : chosen->second) {
        const auto known = std::ranges::find(
            counts, value, [](const auto& c) -> const std::string& { return c.first; });
        if (known == counts.end())
          counts.emplace_back(value, 1);
        else
          ++known->second;
      }
    }
    if (counts.size() == 1) return counts.front().first;
    std::ranges::stable_sort(counts, std::greater{}, [](const auto& c) { return c.second; });
    std::string text;
    for (const auto& [value, count] : counts)
      text += fmt::format("{}{} ×{}", text.empty() ? "" : ", ", value, count);
    return text;
  }

  void file_column(const char* key, double Standing::*figure) {
    column(key, "", Holds::number, true, [&](const Row& row) {
      return TableCell{"", row.standing.*figure};
    });
  }

  void add_rank() {
    column("average_rank", comparison_.ranked_blocks > 1 ? "rank" : "", Holds::number, true,
           [](const Row& row) {
             const auto& rank = row.standing.average_rank;
             return TableCell{rank ? fmt::format("{:.2f}", *rank) : "", rank.value_or(none)};
           });
  }

  void add_difference() {
    column("difference", table_.baseline ? "difference" : "", Holds::number, true,
           [&](const Row& row) {
             if (row.place == table_.baseline) return TableCell{"baseline"};
             const auto& difference = row.standing.difference;
             return TableCell{difference ? numbers_.signed_text(*difference) : "",
                              difference.value_or(none)};
           });
    add_interval();
  }

  /// The 95 % confidence interval of the difference.
  void add_interval() {
    const auto end = [](const Standing& s, double sign) {
      return s.difference && s.difference_reach ? *s.difference + sign * *s.difference_reach : none;
    };
    const bool shown = std::ranges::any_of(
        comparison_.standings, [](const Standing& s) { return s.difference_reach.has_value(); });
    column("difference_low", "", Holds::number, true, [&](const Row& row) {
      return TableCell{"", end(row.standing, -1)};
    });
    column("difference_high", "", Holds::number, true, [&](const Row& row) {
      return TableCell{"", end(row.standing, 1)};
    });
    column("", shown ? "95 % interval" : "", Holds::number, false, [&](const Row& row) {
      const double low = end(row.standing, -1);
      if (std::isnan(low)) return TableCell{};
      return TableCell{numbers_.text(low) + " to " + numbers_.text(end(row.standing, 1)), low};
    });
  }

  void add_tests() {
    for (const NamedTest& test : named_tests) {
      const std::string key = test.key;
      const bool shown = table_.baseline && has_test(comparison_, test.test);
      column(key + "_p", "", Holds::p, false, [&](const Row& row) {
        return TableCell{"", (row.standing.*test.test).p.value_or(none)};
      });
      column(key + "_p_holm", shown ? std::string("p ") + test.heading : "", Holds::p, false,
             [&](const Row& row) {
               const PairedTest& found = row.standing.*test.test;
               return TableCell{test_text(found), found.p_holm.value_or(none), false,
                                found.p ? "uncorrected p " + p_relation_text(*found.p) : ""};
             });
    }
    column("remark", "", Holds::text, false,
           [](const Row& row) { return TableCell{test_remarks(row.standing)}; });
  }

  void add_flags() {
    column("baseline", "", Holds::flag, false, [&](const Row& row) {
      return TableCell{"", row.place == table_.baseline ? 1.0 : 0.0};
    });
    column("best", "", Holds::flag, true, [](const Row& row) {
      return TableCell{"", row.standing.best ? 1.0 : 0.0};
    });
    column("error", "", Holds::text, false,
           [&](const Row& row) { return TableCell{errors_of(table_, row.method)}; });
  }

  const ResultTable& table_;
  const Comparison& comparison_;
  MetricNumbers numbers_;
  TableLayout layout_;
};

}  // namespace

std::string blocks_text(const ResultTable& table) {
  return table.over.empty()
             ? fmt::format("{} blocks", table.blocks.size())
             : fmt::format("the {} choices of '{}'", table.blocks.size(), table.over);
}

TableLayout table_layout(const ResultTable& table, const Comparison& comparison) {
  return LayoutBuilder(table, comparison).build();
}

namespace {

/// Moves the named columns out of the layout.
std::vector<TableColumn> chosen_columns(TableLayout& layout,
                                        const std::vector<std::string>& names) {
  std::vector<TableColumn> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(layout.columns, [&](const TableColumn& column) {
      return !name.empty() && (column.heading == name || column.key == name);
    });
    if (found == layout.columns.end()) {
      std::string known;
      for (const TableColumn& column : layout.columns) {
        known += column.heading.empty() ? "" : "\n  " + column.heading;
        if (!column.key.empty() && column.key != column.heading) known += "\n  " + column.key;
      }
      throw Error(fmt::format("the table has no column '{}'; choose from:{}", name, known));
    }
    chosen.push_back(*found);
    if (chosen.back().heading.empty()) chosen.back().heading = name;
    // A column of files has numbers only.
    for (TableCell& cell : chosen.back().cells)
      if (cell.text.empty() && std::isfinite(cell.value)) cell.text = fmt::format("{}", cell.value);
  }
  return chosen;
}

}  // namespace

TableLayout shown_layout(TableLayout layout, const std::vector<std::string>& columns) {
  const auto is_empty = [](const TableColumn& column) {
    return column.holds == Holds::metric && !column.cells.empty() &&
           std::ranges::all_of(column.cells, [](const TableCell& c) { return c.text.empty(); });
  };
  if (!columns.empty()) layout.columns = chosen_columns(layout, columns);
  std::erase_if(layout.columns, [&](const TableColumn& column) {
    return column.heading.empty() || is_empty(column);
  });
  for (const std::string& failure : layout.failures) layout.notes.push_back("Failed: " + failure);
  return layout;
}

}  // namespace semblance
