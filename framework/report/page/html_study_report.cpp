// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/page/html.hpp"
#include "report/page/html_report.hpp"
#include "report/page/page_frame.hpp"
#include "report/page/report_sections.hpp"
#include "report/page/study_sections.hpp"
#include "support/atomic_file.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

using html::escaped;

std::string explanation(const SelectionRecord& choice) {
  const TrialRecord& chosen = choice.trials[choice.chosen];
  std::string text =
      fmt::format("Chosen: {}, with {} ", values_text(choice, chosen), choice.metric);
  text += choice.folds > 1
              ? fmt::format("{} (mean and standard error over {} repeats)",
                            figure_with_error(choice.unit, chosen.mean, chosen.error), choice.folds)
              : figure_text(choice.unit, chosen.mean);
  text += fmt::format(". The {}est of {} means wins", choice.higher_is_better ? "high" : "low",
                      choice.trials.size());
  if (choice.within > 0)
    text += fmt::format(", or the first that is at most {} % worse",
                        quantity_text(100 * choice.within));
  const std::string remark = edge_remark(choice);
  return text + "." + (remark.empty() ? "" : " At the edge: " + remark + ".");
}

std::string section(const StepRecord& step, std::size_t number) {
  return fmt::format(
      "<section id=\"step{}\"><h2>Step {}: {}</h2><p class=\"summary\">{}</p>{}<p><a "
      "href=\"steps/{}/report.html\">Everything this step compared</a></p></section>\n",
      number, number, escaped(step.name), escaped(explanation(step.choice)),
      report_sections::trials(step.choice, step.name), escaped(step.name));
}

}  // namespace

std::string html_study_report(const StudyRecord& study) {
  const StudyMethods methods(study);
  return framed_page(study.run, "study",
                     study_sections::headline(methods) + study_sections::failures(methods),
                     study_sections::results_table(methods) + study_sections::effects(methods) +
                         study_sections::charts(methods) + study_sections::curves(methods) +
                         report_sections::graph(study.run) + report_sections::timing(study.run) +
                         report_sections::provenance(study.run));
}

void write_html_study_report(const StudyRecord& study, const std::filesystem::path& file) {
  write_file_atomically(file, html_study_report(study));
}

std::string html_steps_report(const StudyRecord& study) {
  std::string sections;
  for (std::size_t s = 0; s < study.steps.size(); ++s) sections += section(study.steps[s], s + 1);
  return framed_page(study.run, "study", sections,
                     report_sections::graph(study.run) + report_sections::provenance(study.run));
}

void write_html_steps_report(const StudyRecord& study, const std::filesystem::path& file) {
  write_file_atomically(file, html_steps_report(study));
}

std::string notebook_view(const StudyRecord& study) {
  if (!study.steps.empty()) return "";
  const StudyMethods methods(study);
  return notebook_frame(study_sections::failures(methods) + study_sections::headline(methods) +
                        study_sections::results_table(methods));
}

}  // namespace semblance
