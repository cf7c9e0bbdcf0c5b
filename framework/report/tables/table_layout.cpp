// SPDX-License-Identifier: MIT
#include "report/tables/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/figure_text.hpp"
#include "report/page/study_numbers.hpp"
#include "report/tables/test_notes.hpp"
#include "semblance/same_figure.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

/// How the values of the metric are shown.
class Figures {
 public:
  explicit Figures(const ResultTable& table) {
    const std::string figure = table.metric.substr(table.metric.rfind('.') + 1);
    const auto within = [](const Measurement& m) {
      return !std::isfinite(m.value) || (m.value >= 0 && m.value <= 1);
    };
    percent_ =
        table.unit == FigureUnit::share && std::ranges::all_of(table.methods, [&](const auto& m) {
          return std::ranges::all_of(m.measurements, within);
        });
    heading = words(figure) + (percent_ ? " [%]" : "");
  }

  std::string value(double value) const {
    return percent_ ? percent(value, 2) : quantity_text(value);
  }
  std::string difference(double value) const {
    const std::string text = this->value(value);
    const bool zero = text.find_first_of("123456789") == std::string::npos;
    if (zero && text.starts_with('-')) return text.substr(1);
    return zero || value < 0 ? text : "+" + text;
  }

  std::string heading;

 private:
  bool percent_ = false;
};

/// Fills a layout column by column.
class LayoutBuilder {
 public:
  LayoutBuilder(const ResultTable& table, const Comparison& comparison)
      : table_(table), comparison_(comparison), figures_(table) {
    layout_.rows.resize(table.methods.size());
  }

  TableLayout build() {
    add_names();
    add_values();
    if (any([&](const Standing& s) { return s.measured < table_.blocks.size(); }))
      column("blocks", true, [&](const Method&, const Standing& s) {
        return fmt::format("{} of {}", s.measured, table_.blocks.size());
      });
    if (comparison_.ranked_blocks > 1)
      column("rank", true, [](const Method&, const Standing& s) {
        return s.average_rank ? fmt::format("{:.2f}", *s.average_rank) : "";
      });
    if (table_.baseline) add_baseline();
    add_notes();
    return std::move(layout_);
  }

 private:
  template <typename Test>
  bool any(const Test& test) const {
    return std::ranges::any_of(comparison_.standings, test);
  }

  template <typename Text>
  void column(const std::string& heading, bool number, const Text& text) {
    layout_.columns.push_back({heading, number});
    for (std::size_t i = 0; i < table_.methods.size(); ++i)
      layout_.rows[i].push_back({text(table_.methods[i], comparison_.standings[i]), false});
  }

  void add_names() {
    if (!has_slot_columns(table_)) {
      column("method", false, [](const Method& m, const Standing&) { return m.name; });
      return;
    }
    for (std::size_t slot = 0; slot < table_.slots.size(); ++slot)
      column(table_.slots[slot], false,
             [&](const Method& m, const Standing&) { return m.choices[slot]; });
  }

  void add_values() {
    if (!table_.blocks_are.empty()) add_blocks();
    column(figures_.heading, true, [&](const Method&, const Standing& s) -> std::string {
      if (s.measured == 0) return "failed";
      const std::string mean = figures_.value(s.mean);
      return s.measured < 2 ? mean : mean + " ± " + figures_.value(s.deviation);
    });
    for (std::size_t i = 0; i < layout_.rows.size(); ++i)
      layout_.rows[i].back().best = comparison_.standings[i].best;
  }

  /// A column each, the best of it marked.
  void add_blocks() {
    for (std::size_t b = 0; b < table_.blocks.size(); ++b) {
      column(table_.blocks[b], true, [&](const Method& m, const Standing&) {
        return std::isnan(m.measurements[b].value) ? "" : figures_.value(m.measurements[b].value);
      });
      const double best = best_on(b);
      for (std::size_t i = 0; i < table_.methods.size(); ++i)
        layout_.rows[i].back().best = same_figure(table_.methods[i].measurements[b].value, best);
    }
  }

  /// The best value of a block; NaN where it has none.
  double best_on(std::size_t block) const {
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const Method& method : table_.methods) {
      const double value = method.measurements[block].value;
      if (std::isnan(value)) continue;
      if (std::isnan(best) || (table_.higher_is_better ? value > best : value < best)) best = value;
    }
    return best;
  }

  void add_baseline() {
    const Standing* baseline = &comparison_.standings[*table_.baseline];
    column("difference", true, [&](const Method&, const Standing& s) -> std::string {
      if (&s == baseline) return "baseline";
      return s.difference ? figures_.difference(*s.difference) : "";
    });
    const auto add_test = [&](const char* name, PairedTest Standing::*kind) {
      if (has_test(comparison_, kind))
        column(std::string("p ") + name, true,
               [&](const Method&, const Standing& s) { return test_text(s.*kind); });
    };
    add_test("t", &Standing::t);
    add_test("Wilcoxon", &Standing::wilcoxon);
    add_test("McNemar", &Standing::mcnemar);
  }

  void add_notes() {
    auto& notes = layout_.notes;
    if (table_.blocks.size() > 1)
      notes.push_back(fmt::format("Mean ± standard deviation over {}; {} is better.",
                                  table_.blocks_are.empty()
                                      ? fmt::format("{} blocks", table_.blocks.size())
                                      : fmt::format("the {} of {}, on each of which it is the mean "
                                                    "over the repeats",
                                                    table_.blocks.size(), table_.blocks_are),
                                  table_.higher_is_better ? "more" : "less"));
    const auto tested = [](const Standing& s) { return s.t.p || s.wilcoxon.p || s.mcnemar.p; };
    if (const auto count = std::ranges::count_if(comparison_.standings, tested); count > 0)
      notes.push_back(fmt::format(
          "p: paired test against {}, two-sided{}.", table_.methods[*table_.baseline].name,
          count == 1 ? std::string()
                     : fmt::format(", with Holm's correction for {} methods", count)));
    for (std::string& note : test_notes(table_, comparison_)) notes.push_back(std::move(note));
    if (comparison_.friedman_p)
      notes.push_back(
          fmt::format("Test of whether any method differs, by ranks on {} blocks (Friedman, "
                      "Iman-Davenport): p {}.",
                      comparison_.ranked_blocks, p_relation_text(*comparison_.friedman_p)));
    if (comparison_.critical_difference)
      notes.push_back(fmt::format("Ranks differ at 5 % if they are {:.2f} apart (Nemenyi).",
                                  *comparison_.critical_difference));
    for (const Method& method : table_.methods) {
      const std::string errors = errors_of(table_, method);
      if (!errors.empty()) notes.push_back("Failed: " + method.name + ": " + errors);
      const std::string left_out = unmeasured_blocks(method);
      if (!left_out.empty()) notes.push_back("Not measured: " + method.name + ": " + left_out);
    }
  }

  /// Where there is neither a value nor an error: filters of the study leave it out.
  std::string unmeasured_blocks(const Method& method) const {
    std::string text;
    for (std::size_t b = 0; b < method.measurements.size(); ++b) {
      const Measurement& m = method.measurements[b];
      if (!std::isnan(m.value) || !m.error.empty()) continue;
      text += (text.empty() ? "" : ", ") + table_.blocks[b];
    }
    return text;
  }

  const ResultTable& table_;
  const Comparison& comparison_;
  Figures figures_;
  TableLayout layout_;
};

}  // namespace

bool has_slot_columns(const ResultTable& table) {
  return !table.slots.empty() && std::ranges::all_of(table.methods, [&](const Method& method) {
    return method.choices.size() == table.slots.size();
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

TableLayout table_layout(const ResultTable& table, const Comparison& comparison) {
  return LayoutBuilder(table, comparison).build();
}

}  // namespace semblance
