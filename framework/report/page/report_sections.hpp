// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/drawn_explanations.hpp"
#include "report/drawn_list.hpp"
#include "report/drawn_sample.hpp"
#include "report/run_record.hpp"
#include "report/selection_record.hpp"
#include "semblance/explanation.hpp"
#include "semblance/report.hpp"

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

namespace semblance {

/// A sample whose parts have the colour of their shares: a series as a line, a string by its
/// letters, an image or grid of `height` x `width` under a heat map. Empty for other samples, and
/// where the shares are not of such parts.
std::string coloured_sample_html(const DrawnSample& sample, std::size_t height, std::size_t width,
                                 std::span<const PartShare> shares);

/// Explained samples, one below the other: the sample with its parts in the colours of their
/// shares, bars of the shares of columns, and the strongest examples for and against with their
/// drawings.
std::string explained_samples_html(const DrawnExplanations& list);

/// The mean of DET curves, for instance of the folds of a data set: for each false match rate (x)
/// the mean of the false non-match rates (y), each interpolated between the neighbouring operating
/// points. A curve omits the points where a rate is 0 or 1: beyond its last point its y is 0, and
/// the mean starts where every curve has started. Curves without points are skipped. Points are
/// evenly spaced in log(x / (1 - x)).
Curve mean_det_curve(const std::vector<const Curve*>& curves);

/// The samples of a list, one below the other, each with its scores and next to the training
/// samples that it is compared with.
std::string sample_list_html(const DrawnList& list);

/// What a choice compared, as a picture: for one parameter of numbers the mean over it, with bars
/// of one standard error; for several parameters a heat map of the first two that vary, with the
/// best mean over the others in each cell. The chosen values are marked. `name` distinguishes it.
/// Empty where nothing can be compared: a single trial, or one parameter that is not a number.
std::string selection_chart_html(const SelectionRecord& choice, const std::string& name);

/// Where the time and the stored bytes of a run went: kinds of components, and their nodes within,
/// the slowest first and closed at first. The nodes of a study that were one node before its
/// variants were merged ("svm[10,seed=1]", "svm[10,seed=2]") are one row. Empty without nodes.
std::string timing_tree_html(const RunRecord& run);

}  // namespace semblance
