// SPDX-License-Identifier: MIT
#include "report/tables/test_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/tables/metric_numbers.hpp"
#include "report/tables/table_layout.hpp"
#include "statistics/paired_tests.hpp"

namespace semblance {

namespace {

bool any(const Comparison& comparison, PairedTest Standing::*kind, const char* remark) {
  return std::ranges::any_of(comparison.standings,
                             [&](const Standing& s) { return (s.*kind).remark == remark; });
}

bool any_p(const Comparison& comparison, PairedTest Standing::*kind) {
  return std::ranges::any_of(comparison.standings,
                             [&](const Standing& s) { return (s.*kind).p.has_value(); });
}

/// How p is computed where there are several blocks.
std::string relation_note(const Comparison& comparison) {
  switch (comparison.relation) {
    case BlockRelation::overlapping:
      return "p t: corrected resampled t-test (Nadeau and Bengio 2003), because the blocks are "
             "drawn from the same data; the rank tests need independent blocks and are omitted.";
    case BlockRelation::same_rows:
      if (comparison.by_rows)
        return "p t: t-test over test rows and blocks together, because all blocks have the same "
               "test rows.";
      return "All blocks have the same test rows: p generalizes to other training sets, not to "
             "other test rows.";
    case BlockRelation::unknown:
      return "It was not recorded what the blocks have in common: p assumes that they are "
             "independent.";
    case BlockRelation::independent:
      break;
  }
  return "";
}

constexpr std::size_t most_listed = 6;

/// The first names of a long list, and how many more there are.
std::string short_list(const std::vector<std::string>& names, const char* separator = ", ") {
  const std::size_t shown = names.size() > most_listed ? most_listed / 2 : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i > 0 ? separator : "") + names[i];
  if (shown < names.size()) text += fmt::format("{}and {} more", separator, names.size() - shown);
  return text;
}

/// "BLOCK, BLOCK: error; BLOCK: error", each error once.
std::string errors_in_short(const ResultTable& table, const Method& method) {
  std::vector<std::pair<std::string, std::vector<std::string>>> errors;
  for (std::size_t b = 0; b < method.measurements.size(); ++b) {
    const std::string& error = method.measurements[b].error;
    if (error.empty()) continue;
    const auto known = std::ranges::find(
        errors, error, [](const auto& item) -> const std::string& { return item.first; });
    auto& blocks = known == errors.end()
                       ? errors.emplace_back(error, std::vector<std::string>{}).second
                       : known->second;
    if (!table.blocks[b].empty()) blocks.push_back(table.blocks[b]);
  }
  std::vector<std::string> texts;
  for (const auto& [error, blocks] : errors)
    texts.push_back((blocks.empty() ? "" : short_list(blocks) + ": ") + error);
  return short_list(texts, "; ");
}

/// The blocks that have neither a value nor an error: the study's filters exclude them, or it was
/// stopped.
std::vector<std::string> unmeasured_blocks(const ResultTable& table, const Method& method) {
  std::vector<std::string> blocks;
  for (std::size_t b = 0; b < method.measurements.size(); ++b) {
    const Measurement& m = method.measurements[b];
    if (std::isnan(m.value) && m.error.empty()) blocks.push_back(table.blocks[b]);
  }
  return blocks;
}

/// One sentence for all methods that lack the same blocks.
void note_unmeasured(const ResultTable& table, std::vector<std::string>& notes) {
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> lacking;
  for (const Method& method : table.methods) {
    auto blocks = unmeasured_blocks(table, method);
    if (blocks.empty()) continue;
    const auto same =
        std::ranges::find_if(lacking, [&](const auto& item) { return item.first == blocks; });
    if (same == lacking.end())
      lacking.push_back({std::move(blocks), {method.name}});
    else
      same->second.push_back(method.name);
  }
  constexpr std::size_t most_notes = 5;
  for (std::size_t i = 0; i < std::min(lacking.size(), most_notes); ++i) {
    const auto& [blocks, methods] = lacking[i];
    const std::string who = methods.size() == table.methods.size() && methods.size() > 1
                                ? "by any method"
                                : short_list(methods);
    notes.push_back("Not measured: " + who +
                    (blocks == std::vector<std::string>{""} ? "" : ": " + short_list(blocks)));
  }
  if (lacking.size() > most_notes)
    notes.push_back(
        fmt::format("Not measured: some blocks of {} more methods", lacking.size() - most_notes));
}

}  // namespace

std::vector<std::string> test_notes(const ResultTable& table, const Comparison& comparison) {
  std::vector<std::string> notes;
  const bool by_blocks = any_p(comparison, &Standing::t) ||
                         any_p(comparison, &Standing::wilcoxon) || comparison.friedman_p;
  if (comparison.groups > 0)
    notes.push_back(fmt::format(
        "Blocks that share data are averaged first: ranks and tests are over {} independent means.",
        comparison.groups));
  if (by_blocks && table.blocks.size() == 1)
    notes.push_back("p t, Wilcoxon: the errors of the test rows are the pairs.");
  else if (by_blocks)
    if (std::string note = relation_note(comparison); !note.empty())
      notes.push_back(std::move(note));
  if (comparison.row_groups > 0)
    notes.push_back(
        fmt::format("The test rows belong to {} group{}: tests over rows take whole groups "
                    "(McNemar's and Wilcoxon's by their sums, t by errors clustered by group).",
                    comparison.row_groups, comparison.row_groups == 1 ? "" : "s"));
  if (any(comparison, &Standing::wilcoxon, too_few_blocks))
    notes.push_back(
        fmt::format("Too few blocks: with fewer than {}, Wilcoxon's test cannot reach "
                    "5 %, whatever the results.",
                    statistics::wilcoxon_fewest));
  if (table.blocks.size() > 1 && any_p(comparison, &Standing::mcnemar))
    notes.push_back(
        "p McNemar: all repeats give the same result, so the test rows of one are the pairs.");
  if (any(comparison, &Standing::t, no_variation))
    notes.push_back(
        "No variation: all repeats give the same result, so they say nothing about chance.");
  if (any(comparison, &Standing::t, sizes_unknown))
    notes.push_back(
        "Sizes unknown: blocks from the same data cannot be tested unless the numbers of training "
        "rows were recorded.");
  if (any(comparison, &Standing::mcnemar, other_test_rows) ||
      any(comparison, &Standing::t, other_test_rows))
    notes.push_back(
        "Other test rows: a method tested on other rows than the baseline has no pairs with it, so "
        "neither a difference nor a p.");
  if (any(comparison, &Standing::mcnemar, test_rows_unknown))
    notes.push_back(
        "Test rows unknown: the run did not record them; run it again to compare row by row.");
  return notes;
}

std::vector<std::string> table_notes(const ResultTable& table, const Comparison& comparison) {
  std::vector<std::string> notes;
  if (table.blocks.size() > 1)
    notes.push_back(
        fmt::format("Mean ± standard deviation over {}{}; {} is better.", blocks_text(table),
                    table.repeats == 1 ? "" : ", on each of which it is the mean over the repeats",
                    table.higher_is_better ? "more" : "less"));
  if (shows_pooled(table, comparison))
    notes.push_back(
        "All held-out rows: the figure of the rows of all folds together, as if one machine had "
        "been tested on them. Order, differences and tests are those of the folds.");
  const auto tested = [](const Standing& s) {
    return std::ranges::any_of(named_tests,
                               [&](const NamedTest& test) { return (s.*test.test).p.has_value(); });
  };
  if (const auto count = std::ranges::count_if(comparison.standings, tested); count > 0)
    notes.push_back(
        fmt::format("p: paired test against {}, two-sided{}.", table.methods[*table.baseline].name,
                    count == 1 ? std::string()
                               : fmt::format(", with Holm's correction for {} methods", count)));
  for (std::string& note : test_notes(table, comparison)) notes.push_back(std::move(note));
  if (comparison.friedman_p)
    notes.push_back(
        fmt::format("Test of whether any method differs, by ranks on {} {} (Friedman, "
                    "Iman-Davenport): p {}.",
                    comparison.ranked_blocks, comparison.groups > 0 ? "means" : "blocks",
                    p_relation_text(*comparison.friedman_p)));
  if (comparison.critical_difference)
    notes.push_back(fmt::format("Ranks differ at 5 % if they are {:.2f} apart (Nemenyi).",
                                *comparison.critical_difference));
  note_unmeasured(table, notes);
  return notes;
}

std::vector<std::string> failures_in_short(const ResultTable& table) {
  std::vector<std::string> failures;
  for (const Method& method : table.methods) {
    const std::string errors = errors_in_short(table, method);
    if (!errors.empty()) failures.push_back(method.name + ": " + errors);
  }
  return failures;
}

const char* t_test_name(const Comparison& comparison) {
  if (comparison.relation == BlockRelation::overlapping) return "corrected t-test";
  if (!comparison.by_rows) return "t-test";
  if (comparison.row_groups > 0) return "t-test over groups of rows";
  return comparison.relation == BlockRelation::same_rows ? "t-test over rows and blocks"
                                                         : "t-test over rows";
}

std::string test_text(const PairedTest& test) {
  return test.p_holm ? p_text(*test.p_holm) : test.remark;
}

bool has_test(const Comparison& comparison, PairedTest Standing::*kind) {
  return std::ranges::any_of(comparison.standings, [&](const Standing& s) {
    return (s.*kind).p || !(s.*kind).remark.empty();
  });
}

std::string test_remarks(const Standing& standing) {
  std::string text;
  for (const NamedTest& named : named_tests) {
    const std::string& remark = (standing.*named.test).remark;
    if (!remark.empty())
      text += (text.empty() ? "" : "; ") + std::string(named.heading) + ": " + remark;
  }
  return text;
}

}  // namespace semblance
