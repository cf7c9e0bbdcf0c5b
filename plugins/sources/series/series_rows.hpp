// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "class_names.hpp"
#include "column_precision.hpp"
#include "ragged_rows.hpp"
#include "semblance/context.hpp"
#include "series/series_precision.hpp"

namespace semblance::sources {

/// The allowed contents of a file of series, and the handling of missing values.
struct SeriesFormat {
  std::string format = "auto";  ///< tsv, ts, arff; auto: by the file's name
  bool labelled = true;         ///< whether the first field of a line of .tsv is the class
  bool may_lack_labels = false;
  LabelRule labels = {};
  bool new_classes = true;   ///< whether classes may occur that no previous file had
  bool interpolate = false;  ///< missing values inside a series
  std::size_t channels = 0;  ///< of the model; 0: as the first series has
  std::size_t longest = 0;   ///< allowed steps per series; 0: any number
  std::string why_longest;   ///< completes "... steps, more than "
};

/// Series of one or several files.
struct SeriesRows {
  std::size_t channels = 0;          ///< 0: no series was read yet
  RaggedRows<float> series;          ///< the values of one step next to each other
  std::vector<std::int32_t> labels;  ///< as ClassNames numbers them; -1 without one
  ClassNames classes;
  std::set<std::string> declared;  ///< classes named by a header; may be more than occur
  ColumnPrecision precision;       ///< of each channel
  SeriesPrecision own_precision;   ///< and of each series
  std::size_t interpolated_series = 0;
  std::size_t interpolated_values = 0;

  std::size_t rows() const noexcept { return labels.size(); }
  /// Steps of the longest series.
  std::size_t longest() const noexcept { return channels ? series.largest() / channels : 0; }
  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return double(series.bytes()) + double(rows()) * sizeof(std::int32_t) + double(classes.bytes());
  }
};

/// Appends the series of a file: .tsv as the UCR archive writes it, .ts of aeon and sktime, .arff
/// of Weka. Throws DataError naming the line and the problem.
void read_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                 Context& context);

/// The .ts format of aeon and sktime: tags, then one series per line, with its channels and its
/// class separated by colons.
void read_ts_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                    Context& context);

/// Weka's .arff as the UCR and UEA archives use it: a numeric attribute for each step, or one
/// relational attribute whose rows are the channels, and at most one nominal attribute, the class.
/// Missing steps at the end of a line are padding.
void read_arff_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                      Context& context);

/// tsv, ts or arff by the name of the file, which may end in .gz, .xz, .bz2 or .zst; empty for
/// other names.
std::string series_format_of(const std::string& file);

}  // namespace semblance::sources
