// SPDX-License-Identifier: MIT
#include "report/page/html_report.hpp"
#include "report/page/page_data.hpp"
#include "support/files/atomic_file.hpp"

namespace semblance {

std::string html_study_report(const StudyRecord& study) {
  auto data = page::run_data(study.run, "study");
  data["study"] = page::study_data(study);
  return page::page_of(data);
}

void write_html_study_report(const StudyRecord& study, const std::filesystem::path& file) {
  write_file_atomically(file, html_study_report(study));
}

std::string html_steps_report(const StudyRecord& study) {
  auto data = page::run_data(study.run, "study");
  for (const StepRecord& step : study.steps)
    data["steps"].push_back({{"name", step.name}, {"choice", page::selection_data(step.choice)}});
  return page::page_of(data);
}

void write_html_steps_report(const StudyRecord& study, const std::filesystem::path& file) {
  write_file_atomically(file, html_steps_report(study));
}

}  // namespace semblance
