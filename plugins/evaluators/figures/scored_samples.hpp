// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "named_class.hpp"
#include "semblance/component_info.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/report.hpp"
#include "semblance/source.hpp"

namespace semblance::evaluators {

/// The test samples with a known class. Reports their number, `rows`, and that of unknown ones,
/// `unlabelled`, and warns about the latter. Throws Error if there are none, or if scores or labels
/// are unusable.
std::vector<std::size_t> known_rows(const Results& test, Report& report, Context& context);

/// Reports `rows`, the number of test samples with a known target, and `unlabelled`, that of
/// others. If there are any, it warns that they `lack` it: "have no label".
void report_known_rows(std::size_t known, std::size_t all, const std::string& lack, Report& report,
                       Context& context);

/// The declarations of both figures.
std::vector<FigureInfo> known_rows_figures();

using common::class_named;

/// The number of the source's row that has the first score: of new data all are scored where the
/// source names no test samples.
inline std::size_t first_scored_row(const Dataset& data) {
  const Outline& outline = data.outline();
  return outline.test_rows > 0 ? outline.train_rows : 0;
}

/// A sample with the name that the data give it, or its number.
SampleList::Sample drawn_sample(const Dataset& data, std::size_t row, const std::string& label);

/// Names of a vector's columns; values of other layouts have no names.
std::vector<std::string> column_names(const Outline& outline);

}  // namespace semblance::evaluators
