// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/run_record.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// Fills the metrics, curves and tables of a node's record. A number that is not among the record's
/// figures is an Error that says how to declare it. Everything that a node reports shares one name
/// space, because all of it goes under the node in metrics.json. These are Errors: a name that is
/// given twice, is empty or belongs to the record itself ("component", "seconds", "cached",
/// "measured"); a scalar whose name is not lower_case; a curve with x and y of different lengths; a
/// table whose values do not fill its rows and columns; a plane map whose regions do not fill its
/// grid or name a group that it does not have; a list with a sample that does not match its
/// layout, explained samples too; and a drawing that checked_drawing() refuses.
class RecordingReport final : public Report {
 public:
  explicit RecordingReport(NodeRecord& record) : record_(record) {}

  void number(std::string_view name, double value) override;
  void integer(std::string_view name, std::int64_t value) override;
  void text(std::string_view name, std::string_view value) override;
  void curve(const Curve& curve) override;
  void table(const Table& table) override;
  void plane_map(const PlaneMap& map) override;
  void sample_list(const SampleList& list) override;
  void draw(const Drawing& drawing) override;
  void explained_samples(const ExplainedSamples& samples) override;

 private:
  void check_name(std::string_view name) const;
  std::string scalar_name(std::string_view name) const;
  std::string figure_name(std::string_view name) const;

  NodeRecord& record_;
};

/// The "nodes" of metrics_json(): the figures of each.
nlohmann::ordered_json nodes_json(const RunRecord& run);

/// The content of metrics.json. It includes how parameters were chosen, if they were, under
/// "selection"; what each solver learned from and was tested on under "rows"; and the meaning of
/// the figures under "figures": {COMPONENT: {FIGURE: {"unit", "better", "headline"}}}. Curves are
/// {"x", "y"}; tables and heat maps {"rows", "columns", "values"} (values: one array per row); bars
/// {"labels", "values", "errors"}, scatters {"x", "y", "group"}, other pictures {"png"} in base64,
/// and explained samples (explanations_json()), under the node by name; numbers that are not finite
/// are null.
nlohmann::ordered_json metrics_json(const RunRecord& run);

/// JSON that people can read: one key per line, arrays of plain values on one line. Text that is
/// not UTF-8 gets replacement characters.
std::string readable_json(const nlohmann::ordered_json& value);

/// Writes metrics.json atomically; throws Error.
void write_metrics(const RunRecord& run, const std::filesystem::path& file);

/// A node's report (metrics, curves, tables), for the artifact store. report_from_json returns the
/// same values bit by bit; for a NaN only the sign is retained.
nlohmann::ordered_json report_to_json(const NodeRecord& node);

/// In the form of metrics.json and the artifact store.
nlohmann::ordered_json measured_json(const Measured& measured);
Measured measured_from_json(const nlohmann::ordered_json& stored);

/// "2026-11-22 08:15 UTC with 2 threads", for people.
std::string measured_text(const Measured& measured);

/// Reports what the output of report_to_json has: metrics, curves, tables, plane maps and drawings.
/// Throws an exception where it does not have that form.
void replay(const nlohmann::ordered_json& stored, Report& report);

/// Stores the output of report_to_json in `node`; if `stored` does not have that form, throws Error
/// and leaves `node` unchanged.
void report_from_json(const nlohmann::ordered_json& stored, NodeRecord& node);

}  // namespace semblance
