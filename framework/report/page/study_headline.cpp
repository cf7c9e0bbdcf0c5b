// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/html.hpp"
#include "report/page/study_sections.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/test_notes.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance::study_sections {
namespace {

using html::escaped;

constexpr std::size_t most_open_failures = 6;

std::string count(std::size_t value) { return count_text(static_cast<std::int64_t>(value)); }

std::string plural(std::size_t value, std::string_view what) {
  return fmt::format("{} {}{}", count(value), what, value == 1 ? "" : "s");
}

std::string failure_row(const std::string& name, const std::string& error) {
  return fmt::format(R"(<li><span class="name">{}</span> {}</li>)", escaped(name), escaped(error));
}

/// Errors of variants, followed by those of measurements whose variant reports none.
std::vector<std::string> failure_rows(const StudyMethods& methods) {
  const StudyRecord& study = methods.study();
  std::vector<std::string> rows;
  for (const VariantRecord& variant : study.variants)
    if (!variant.error.empty()) rows.push_back(failure_row(variant.name, variant.error));
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const std::vector<Measurement>& measurements = methods.method(i).measurements;
    for (std::size_t block = 0; block < measurements.size(); ++block) {
      const auto reported = [&](const VariantRecord* variant) {
        return variant->repeat == block && !variant->error.empty();
      };
      if (measurements[block].error.empty() || std::ranges::any_of(methods.variants(i), reported))
        continue;
      std::string name = methods.method(i).name;
      if (study.results.blocks.size() > 1) name += ", " + study.results.blocks[block];
      rows.push_back(failure_row(name, measurements[block].error));
    }
  }
  return rows;
}

std::string figure(const std::string& value, std::string_view unit, const std::string& words) {
  return fmt::format(
      R"(<div class="figure"><dt>{}</dt><dd>{}<span class="unit">{}</span></dd></div>)",
      escaped(words), value, unit);
}

/// The text with a minus sign for its hyphen.
std::string with_minus(const std::string& text) {
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

/// "p = 0.012 (t-test)", for the first test that was possible.
std::string first_test(const Standing& standing, const Comparison& comparison) {
  for (const NamedTest& named : named_tests)
    if (const auto& p = (standing.*named.test).p_holm)
      return fmt::format(", p {} ({})", p_relation_text(*p),
                         named.test == &Standing::t ? t_test_name(comparison) : named.heading);
  return "";
}

/// The unit as it follows a value: "%", " s".
std::string unit_behind(const MetricNumbers& numbers) {
  if (numbers.unit().empty() || numbers.is_share()) return std::string(numbers.unit());
  return " " + std::string(numbers.unit());
}

std::string best_figures(const StudyMethods& methods, std::size_t best) {
  const MetricNumbers& numbers = methods.numbers();
  const Standing& standing = methods.standing(best);
  const std::string unit = unit_behind(numbers);
  std::string words = "mean";
  if (standing.measured > 1)
    words = fmt::format("± {}{}, mean of {}", numbers.text(standing.deviation), unit,
                        standing.measured);
  else
    words = metric_words(methods.study().results);
  std::string out = figure(numbers.text(standing.mean), unit, words);
  const auto baseline = methods.study().results.baseline;
  if (!baseline || *baseline >= methods.size()) return out;
  if (*baseline == best) return out + figure("", "", "this is the baseline");
  const double mean = methods.standing(*baseline).mean;
  if (!std::isnan(mean))
    out += figure(numbers.text(mean), unit, "baseline: " + methods.name(*baseline));
  if (standing.difference)
    out += figure(with_minus(numbers.signed_text(*standing.difference)),
                  numbers.is_share() ? " points" : unit,
                  "against the baseline" + first_test(standing, methods.study().comparison));
  return out;
}

std::string choices_text(const StudyMethods& methods, std::size_t best) {
  const StudyRecord& study = methods.study();
  const std::vector<std::string>& choices = methods.method(best).choices;
  std::string out;
  for (std::size_t slot = 0; slot < study.slots.size() && slot < choices.size(); ++slot)
    if (!choices[slot].empty())
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(study.slots[slot].name),
                         escaped(choices[slot]));
  return out.empty() ? "" : R"(<dl class="metrics chosen">)" + out + "</dl>";
}

std::string size_text(const StudyMethods& methods) {
  const StudyRecord& study = methods.study();
  std::string out = plural(methods.size(), "combination");
  const std::size_t blocks = study.results.over.empty() ? 1 : study.results.blocks.size();
  if (blocks > 1) out += " on each of " + blocks_text(study.results);
  const std::size_t repeats = study.repeats.size() / blocks;
  if (repeats > 1) out += ", " + plural(repeats, "repeat") + " of each";
  const auto finished = std::ranges::count(study.variants, true, &VariantRecord::finished);
  if (!study.variants.empty())
    out += fmt::format(". {} of {} finished", count(static_cast<std::size_t>(finished)),
                       plural(study.variants.size(), "variant"));
  if (study.nodes_before > 0)
    out += fmt::format(". Sharing equal work left {} of {}", count(study.nodes_after),
                       plural(study.nodes_before, "node"));
  return out + ".";
}

}  // namespace

std::string failures(const StudyMethods& methods) {
  const std::vector<std::string> rows = failure_rows(methods);
  const auto stopped = std::ranges::count_if(methods.study().variants, [](const auto& variant) {
    return !variant.finished && variant.error.empty();
  });
  if (rows.empty() && stopped == 0) return "";
  std::string out = R"(<section id="failures" class="warnings failures" role="note">)";
  if (!rows.empty()) {
    const std::size_t variants = methods.study().variants.size();
    out += variants > 0 ? fmt::format("<h2>{} of {} failed</h2>", count(rows.size()),
                                      plural(variants, "variant"))
                        : fmt::format("<h2>{} failed</h2>", plural(rows.size(), "measurement"));
    std::string list = "<ul>";
    for (const std::string& row : rows) list += row;
    list += "</ul>";
    const bool folded = rows.size() > most_open_failures;
    out += folded ? "<details><summary>Their errors</summary>" + list + "</details>" : list;
  }
  if (stopped > 0)
    out += fmt::format(
        "<p>{} not finished; the same command continues with them.</p>",
        plural(static_cast<std::size_t>(stopped), "variant") + (stopped == 1 ? " is" : " are"));
  return out + "</section>\n";
}

std::string headline(const StudyMethods& methods) {
  const ResultTable& results = methods.study().results;
  std::string out = R"(<section class="headline"><div class="evaluator">)";
  std::string where = metric_words(results);
  if (!methods.study().metric_node.empty()) where += " of " + methods.study().metric_node;
  const std::optional<std::size_t> found = methods.best();
  if (!found) {
    out += fmt::format("<h2>No combination has a value of {}</h2>", escaped(where));
  } else {
    const std::size_t best = *found;
    out += fmt::format("<h2>{} {}: {}</h2><dl>{}</dl>{}",
                       results.higher_is_better ? "Highest" : "Lowest", escaped(where),
                       escaped(methods.name(best)), best_figures(methods, best),
                       choices_text(methods, best));
  }
  return out + fmt::format(R"(<p class="note">{}</p></div></section>)"
                           "\n",
                           escaped(size_text(methods)));
}

}  // namespace semblance::study_sections
