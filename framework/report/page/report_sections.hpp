// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/run_record.hpp"

/// The report's sections in the order of the page; each is empty if it has no content.
namespace semblance::report_sections {

/// The figures of every evaluator in large type.
std::string headline(const RunRecord& run);

/// How parameters were chosen by cross-validation.
std::string selection(const RunRecord& run);

/// The same without a picture.
std::string selection_as_table(const RunRecord& run);

/// The trials of a choice as a picture and as a table; `name` distinguishes it.
std::string trials(const SelectionRecord& choice, const std::string& name);

/// The reports of the nodes: metrics, curves, tables; evaluators first.
std::string results(const RunRecord& run);

/// The picture of the pipeline; throws Error if it is not an SVG.
std::string graph(const RunRecord& run);

/// Seconds and stored bytes of the nodes.
std::string timing(const RunRecord& run);

/// The data needed to repeat the run.
std::string provenance(const RunRecord& run);

}  // namespace semblance::report_sections
