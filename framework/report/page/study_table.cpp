// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

#include "report/page/html.hpp"
#include "report/page/study_numbers.hpp"
#include "report/page/study_sections.hpp"
#include "report/tables/test_notes.hpp"

namespace semblance::study_sections {
namespace {

using html::escaped;

constexpr double significance = 0.05;

/// A column of the table: its head, and the cell of a method.
struct Column {
  std::string head;  ///< the whole <th>
  std::function<std::string(std::size_t)> cell;
};

std::string head(std::string_view text, std::string_view attributes = "") {
  return fmt::format(R"(<th scope="col"{}>{}</th>)", attributes, escaped(text));
}

/// What a cell is sorted by; nothing where there is no number.
std::string sort_value(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

/// A folder's name inside of an address.
std::string address_part(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '~'))
      out += c;
    else
      out += fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string first_error(const Method& method) {
  for (const Measurement& measurement : method.measurements)
    if (!measurement.error.empty()) return measurement.error;
  return "";
}

std::string marks(const StudyMethods& methods, std::size_t i) {
  std::string out;
  if (methods.standing(i).best) out += R"( <span class="pill">best</span>)";
  if (methods.is_baseline(i)) out += R"( <span class="pill quiet">baseline</span>)";
  if (methods.standing(i).measured == 0)
    out += fmt::format(R"( <span class="pill bad" title="{}">failed</span>)",
                       escaped(first_error(methods.method(i))));
  return out;
}

void append_choices(const StudyMethods& methods, std::vector<Column>& columns) {
  const StudyRecord& study = methods.study();
  const std::vector<std::size_t> slots = varying_slots(study);
  if (slots.empty())
    columns.push_back({head("method"), [&](std::size_t i) {
                         return fmt::format(R"(<th scope="row">{}{}</th>)",
                                            escaped(methods.method(i).name), marks(methods, i));
                       }});
  for (const std::size_t slot : slots) {
    const bool first = slot == slots.front();
    columns.push_back(
        {head(study.slots[slot].name, R"( class="text")"), [&methods, slot, first](std::size_t i) {
           const std::vector<std::string>& choices = methods.method(i).choices;
           const std::string text = slot < choices.size() ? escaped(choices[slot]) : "";
           if (!first) return fmt::format(R"(<td class="text">{}</td>)", text);
           return fmt::format(R"(<th scope="row" data-v="{}">{}{}</th>)", text, text,
                              marks(methods, i));
         }});
  }
}

void append_mean(const StudyMethods& methods, const StudyNumbers& numbers,
                 std::vector<Column>& columns) {
  const ResultTable& results = methods.study().results;
  std::string name = metric_words(results);
  if (!numbers.unit().empty())
    name += fmt::format(" {}", numbers.unit().substr(numbers.unit()[0] == ' '));
  const char* first = results.higher_is_better ? "descending" : "ascending";
  columns.push_back({head(name, fmt::format(R"( data-first="{}")", first)), [&](std::size_t i) {
                       const Standing& standing = methods.standing(i);
                       std::string spread;
                       if (!std::isnan(standing.deviation))
                         spread = fmt::format(R"( <span class="spread">± {}</span>)",
                                              numbers.text(standing.deviation));
                       return fmt::format(R"(<td class="mean{}" data-v="{}">{}{}</td>)",
                                          standing.best ? " best" : "", sort_value(standing.mean),
                                          numbers.text(standing.mean), spread);
                     }});
  if (results.blocks.size() > 1)
    columns.push_back({head("repeats"), [&](std::size_t i) {
                         return fmt::format("<td>{}</td>", methods.standing(i).measured);
                       }});
}

void append_ranks(const StudyMethods& methods, const StudyNumbers& numbers,
                  std::vector<Column>& columns) {
  const auto& standings = methods.study().comparison.standings;
  const auto has = [&](auto member) {
    return std::ranges::any_of(standings,
                               [&](const Standing& s) { return (s.*member).has_value(); });
  };
  if (has(&Standing::average_rank))
    columns.push_back({head("rank", R"( data-first="ascending")"), [&](std::size_t i) {
                         const double rank = methods.standing(i).average_rank.value_or(NAN);
                         return fmt::format(R"(<td data-v="{}">{}</td>)", sort_value(rank),
                                            std::isnan(rank) ? "–" : fmt::format("{:.2f}", rank));
                       }});
  if (has(&Standing::difference))
    columns.push_back(
        {head("difference", R"( data-first="ascending" title="Mean of the paired differences to )"
                            R"(the baseline")"),
         [&](std::size_t i) {
           const double value = methods.standing(i).difference.value_or(NAN);
           return fmt::format(R"(<td data-v="{}">{}</td>)", sort_value(value),
                              numbers.signed_text(value));
         }});
}

std::string p_cell(const PairedTest& test) {
  if (!test.p_holm)
    return fmt::format(R"(<td class="p" data-v="">{}</td>)",
                       test.remark.empty() ? "–" : escaped(test.remark));
  return fmt::format(R"(<td class="{}" data-v="{}" title="{}">{}</td>)",
                     *test.p_holm < significance ? "significant" : "p", *test.p_holm,
                     test.p ? "uncorrected p " + escaped(p_relation_text(*test.p)) : "",
                     escaped(p_text(*test.p_holm)));
}

void append_tests(const StudyMethods& methods, std::vector<Column>& columns) {
  const auto append = [&](std::string_view name, PairedTest Standing::*test) {
    if (!has_test(methods.study().comparison, test)) return;
    columns.push_back({head(name, R"( data-first="ascending")"), [&methods, test](std::size_t i) {
                         return p_cell(methods.standing(i).*test);
                       }});
  };
  append("p t-test", &Standing::t);
  append("p Wilcoxon", &Standing::wilcoxon);
  append("p McNemar", &Standing::mcnemar);
}

std::string variant_link(const StudyRecord& study, const VariantRecord& variant) {
  std::string text = "metrics";
  if (study.repeats.size() > 1) text = std::to_string(variant.repeat + 1);
  if (!variant.finished)
    return fmt::format(R"(<span class="off" title="{}">{}</span>)",
                       escaped(variant.error.empty() ? "not finished" : variant.error), text);
  return fmt::format(R"(<a href="variants/{}/metrics.json" title="{}">{}</a>)",
                     escaped(address_part(variant.name)), escaped(variant.name), text);
}

void append_links(const StudyMethods& methods, std::vector<Column>& columns) {
  if (methods.study().variants.empty()) return;
  columns.push_back(
      {R"(<th scope="col" aria-label="metrics of the variants"></th>)", [&](std::size_t i) {
         std::string links;
         for (const VariantRecord* variant : methods.variants(i))
           links += variant_link(methods.study(), *variant) + " ";
         return R"(<td class="links">)" + links + "</td>";
       }});
}

std::string remarks(const StudyMethods& methods) {
  const ResultTable& results = methods.study().results;
  std::string out;
  if (results.blocks.size() > 1) out += "Means ± standard deviation over the repeats. ";
  const auto& standings = methods.study().comparison.standings;
  const bool tested = std::ranges::any_of(standings, [](const Standing& s) {
    return s.t.p_holm || s.wilcoxon.p_holm || s.mcnemar.p_holm;
  });
  if (tested && results.baseline && *results.baseline < methods.size())
    out += fmt::format(
        "The p-values are those of paired two-sided tests against the baseline ({}), with Holm's "
        "correction for the number of combinations; bold below {}. ",
        escaped(methods.name(*results.baseline)), significance);
  for (const std::string& note : test_notes(results, methods.study().comparison))
    out += escaped(note) + " ";
  if (methods.study().comparison.friedman_p)
    out += fmt::format("Friedman's test of whether any combination differs: p {}.",
                       escaped(p_relation_text(*methods.study().comparison.friedman_p)));
  return out.empty() ? "" : "<p class=\"note\">" + out + "</p>";
}

}  // namespace

std::string results_table(const StudyMethods& methods) {
  if (methods.size() == 0) return "";
  const StudyNumbers numbers(methods);
  std::vector<Column> columns;
  append_choices(methods, columns);
  append_mean(methods, numbers, columns);
  append_ranks(methods, numbers, columns);
  append_tests(methods, columns);
  append_links(methods, columns);
  std::string out =
      R"(<section><h2>Results</h2><div class="scroll"><table class="results sortable"><thead><tr>)";
  for (const Column& column : columns) out += column.head;
  out += "</tr></thead><tbody>";
  for (const std::size_t i : methods.by_quality()) {
    out += methods.is_baseline(i) ? R"(<tr class="baseline">)" : "<tr>";
    for (const Column& column : columns) out += column.cell(i);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>" + remarks(methods) + "</section>\n";
}

}  // namespace semblance::study_sections
