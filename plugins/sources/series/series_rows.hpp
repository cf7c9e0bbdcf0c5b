// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "files/line_reader.hpp"
#include "rows/column_precision.hpp"
#include "rows/row_dataset.hpp"
#include "rows/row_facts.hpp"
#include "semblance/context.hpp"
#include "series/time_stamps.hpp"

namespace semblance::sources {

/// The allowed contents of a file of series, and the handling of missing values.
struct SeriesFormat {
  std::string format = "auto";  ///< tsv, ts, arff; auto: by the file's name
  bool labelled = true;         ///< whether the first field of a line of .tsv is the class
  FactRules facts = {};
  bool interpolate = false;   ///< missing values inside a series
  bool keep_missing = false;  ///< or leave them as NaN
  std::size_t channels = 0;   ///< of the model; 0: as the first series has
  std::size_t longest = 0;    ///< allowed steps per series; 0: any number
  std::string why_longest;    ///< completes "... steps, more than "
  /// Steps of the model's longest series, and its classes, where a line of .tsv without a label
  /// might be taken for one with a label and a step less; 0: nowhere.
  std::size_t model_steps = 0;
  std::vector<std::string> model_classes = {};
};

/// Series of one or several files.
struct SeriesRows : RowFacts {
  std::size_t channels = 0;        ///< 0: no series was read yet
  RaggedRows<float> series;        ///< the values of one step next to each other
  std::set<std::string> declared;  ///< classes named by a header; may be more than occur
  ColumnPrecision precision;       ///< of each channel
  SeriesPrecision own_precision;   ///< and of each series
  TimeSteps time_steps;            ///< if they have time stamps
  std::size_t interpolated_series = 0;
  std::size_t interpolated_values = 0;

  /// Steps of the longest series.
  std::size_t longest() const noexcept { return channels ? series.largest() / channels : 0; }
  /// The approximate memory in bytes.
  double bytes() const noexcept { return RowFacts::bytes() + double(series.bytes()); }
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

/// Takes the fields of one series after the other, channel by channel, and appends the series to
/// the rows: checked, with missing values filled in or retained and the channels of a step
/// adjacent. Errors name the reader's current line.
class SeriesBuilder {
 public:
  SeriesBuilder(const LineReader& lines, const SeriesFormat& format, SeriesRows& rows)
      : lines_(lines),
        format_(format),
        rows_(rows),
        facts_(format.facts),
        first_row_(rows.rows()) {}

  /// The file declares its classes.
  void classes_are_declared() { facts_.labels.declared = true; }
  bool is_missing_label(std::string_view label) const { return facts_.labels.is_missing(label); }

  /// Adds the next step of the channel: a number, or `?` or `NaN` if it is missing.
  void add(std::string_view field);
  void end_channel();
  /// `padded`: steps at the end that are missing in all channels are not part of the series.
  /// No label: the file has none. If series have numbers to predict, it is such a number.
  void end_series(bool padded, std::optional<std::string_view> label, Context& context);

  /// Throws DataError if the file had no series.
  void end_file() const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::size_t channels() const noexcept { return ends_.size(); }
  std::size_t begin_of(std::size_t channel) const { return channel == 0 ? 0 : ends_[channel - 1]; }
  std::size_t steps_of(std::size_t channel) const { return ends_[channel] - begin_of(channel); }
  /// "step 12", "step 12 of channel 2".
  std::string place(std::size_t channel, std::size_t step) const;
  void check_channels() const;
  std::size_t common_steps() const;
  std::size_t without_padding(std::size_t steps) const;
  void check_length(std::size_t steps) const;
  void treat_missing(std::size_t steps);
  void add_values(bool padded);

  const LineReader& lines_;
  const SeriesFormat& format_;
  SeriesRows& rows_;
  FactRules facts_;
  std::size_t first_row_;          ///< of this file's
  std::vector<float> values_;      ///< of the series so far, channel by channel; NaN: missing
  std::vector<std::size_t> ends_;  ///< of the channels in values_
  std::size_t missing_ = 0;        ///< of values_
};

/// Fills the NaN in `values` by linear interpolation; those at an end take the nearest number.
/// Returns false if there is no number.
bool interpolate_missing(std::span<float> values);

}  // namespace semblance::sources
