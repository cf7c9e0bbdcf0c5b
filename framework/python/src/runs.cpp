// SPDX-License-Identifier: MIT
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "checked.hpp"
#include "pipeline/pipeline_file.hpp"
#include "report/figure_line.hpp"
#include "report/metrics.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_layout.hpp"
#include "report/tables/table_text.hpp"
#include "runtime/run/run.hpp"
#include "runtime/run/run_study.hpp"
#include "study/check_pipeline.hpp"
#include "study/study.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;

const char* end_text(RunEnd end) { return end == RunEnd::done ? "done" : "stopped"; }

/// The evaluators' figures, one line each.
std::string figure_lines(const RunRecord& record) {
  std::string lines;
  for (const NodeRecord& node : record.nodes)
    if (node.kind() == "evaluator" && !node.metrics.empty())
      lines += (lines.empty() ? "" : "\n") + node.name + ":" + figure_line(node);
  return lines;
}

/// The table of a study as texts: the headings, then a row per method.
std::vector<std::vector<std::string>> table_rows(const StudyRecord& record) {
  const TableLayout layout = shown_layout(table_layout(record.results, record.comparison));
  std::vector<std::vector<std::string>> rows(1 + record.results.methods.size());
  for (const TableColumn& column : layout.columns) {
    rows[0].push_back(column.heading);
    for (std::size_t i = 0; i < column.cells.size(); ++i)
      rows[1 + i].push_back(column.cells[i].text);
  }
  return rows;
}

py::dict run(const std::string& text, const std::string& file, const py::dict& data,
             const std::vector<std::string>& overrides, const py::dict& options,
             const std::string& out, const py::object& progress) {
  Request asked = request(text, file, data, overrides, options);
  asked.settings.run.out = out;
  PipelineCheck checked = check_pipeline(text, file, *asked.catalogue, asked.settings.check);
  const auto pipeline = sound(std::move(checked.pipeline), std::move(checked.diagnostics));
  Interruptible call;
  attach(call, asked.settings, progress);
  RunResult result;
  run_interruptibly(call,
                    [&] { result = run_pipeline(pipeline, *asked.catalogue, asked.settings.run); });
  py::dict results;
  results["metrics"] = readable_json(metrics_json(result.record));
  results["warnings"] = result.record.warnings;
  results["end"] = end_text(result.end);
  results["stopped_by"] = call.interrupted ? "Ctrl-C" : result.stopped_by;
  results["figures"] = figure_lines(result.record);
  return results;
}

py::dict ablate(const std::string& text, const std::string& file, const py::dict& data,
                const std::vector<std::string>& overrides, const py::dict& options,
                const std::string& out, bool fail_fast, const py::object& progress) {
  Request asked = request(text, file, data, overrides, options);
  asked.settings.run.out = out;
  StudyCheck checked = check_study(text, file, *asked.catalogue, asked.settings.check);
  const auto study = sound(std::move(checked.study), std::move(checked.diagnostics));
  Interruptible call;
  attach(call, asked.settings, progress);
  StudyResult result;
  run_interruptibly(
      call, [&] { result = run_study(study, *asked.catalogue, asked.settings.run, fail_fast); });
  const StudyRecord& record = result.record;
  py::dict results;
  results["warnings"] = record.run.warnings;
  results["end"] = end_text(result.end);
  results["failed"] = result.failed;
  const bool finished = !record.variants.empty();  // else stopped before any was run
  results["study"] =
      finished ? readable_json(study_json(record.results, record.comparison, record.run.pipeline))
               : "";
  results["text"] = finished ? table_plain(record.results, record.comparison) : "";
  results["rows"] = finished && record.steps.empty() ? table_rows(record)
                                                     : std::vector<std::vector<std::string>>();
  return results;
}

py::list problems(const std::string& text, const std::string& file, const py::dict& data,
                  const std::vector<std::string>& overrides, const py::dict& options) {
  const Request asked = request(text, file, data, overrides, options);
  const auto& [settings, known, handed] = asked;
  return diagnostics_list(is_study(text, file)
                              ? check_study(text, file, *known, settings.check).diagnostics
                              : check_pipeline(text, file, *known, settings.check).diagnostics);
}

std::string read_pipeline(const std::string& file) {
  PipelineFile content = read_pipeline_file(file);
  if (content.problem) throw BadPipeline({*content.problem});
  return std::move(content.text);
}

}  // namespace

void add_runs(py::module_& module) {
  module.def("run", &run, py::arg("text"), py::arg("file"), py::arg("data"), py::arg("overrides"),
             py::arg("options"), py::arg("out"), py::arg("progress") = py::none());
  module.def("ablate", &ablate, py::arg("text"), py::arg("file"), py::arg("data"),
             py::arg("overrides"), py::arg("options"), py::arg("out"), py::arg("fail_fast") = false,
             py::arg("progress") = py::none());
  module.def("check", &problems, py::arg("text"), py::arg("file"), py::arg("data"),
             py::arg("overrides"), py::arg("options"));
  module.def("keeps_missing", &keeps_missing, py::arg("text"), py::arg("file"), py::arg("source"));
  module.def("layouts_taken", &layouts_taken, py::arg("text"), py::arg("file"), py::arg("node"));
  module.def("source_names", &sources_of, py::arg("text"), py::arg("file"));
  module.def("read_pipeline", &read_pipeline, py::arg("file"));
}

}  // namespace semblance::python
