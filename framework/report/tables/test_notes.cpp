// SPDX-License-Identifier: MIT
#include "report/tables/test_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/tables/metric_numbers.hpp"
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

const char* t_test_name(const Comparison& comparison) {
  if (comparison.relation == BlockRelation::overlapping) return "corrected t-test";
  if (!comparison.by_rows) return "t-test";
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
