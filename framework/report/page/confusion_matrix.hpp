// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/report.hpp"

namespace semblance {

/// Whether to show the table as a confusion matrix: "confusion" is in its name, its rows
/// and columns are the same classes, and its values are not negative.
bool is_confusion_matrix(const Table& table);

/// Whether the confusion matrix is a table of counts; with more classes a script draws it.
bool is_matrix_of_text(const Table& table);

/// The matrix as a heat map, with true classes in rows. Up to 30 classes it is an HTML table with
/// the counts, above that a picture of coloured cells. The most confused classes are listed next to
/// it. `node` is the name of its node.
std::string confusion_matrix_html(const Table& table, const std::string& node);

}  // namespace semblance
