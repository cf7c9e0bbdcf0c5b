// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "series/series_rows.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

/// Takes the fields of one series after the other, channel by channel, and appends the series to
/// the rows: checked, with missing values filled in and the channels of a step adjacent. Errors
/// name the reader's current line.
class SeriesBuilder {
 public:
  SeriesBuilder(const LineReader& lines, const SeriesFormat& format, SeriesRows& rows)
      : lines_(lines),
        format_(format),
        rows_(rows),
        labels_(format.labels),
        first_row_(rows.rows()) {}

  /// The file declares its classes.
  void classes_are_declared() { labels_.declared = true; }
  bool is_missing_label(std::string_view label) const { return labels_.is_missing(label); }

  /// Adds the next step of the channel: a number, or `?` or `NaN` if it is missing.
  void add(std::string_view field);
  void end_channel();
  /// `padded`: steps at the end that are missing in all channels are not part of the series.
  /// A null label: the file has none.
  void end_series(bool padded, const std::string_view* label, Context& context);

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
  void fill_missing(std::size_t steps);
  void add_label(const std::string_view* label);
  void add_values(bool padded);

  const LineReader& lines_;
  const SeriesFormat& format_;
  SeriesRows& rows_;
  LabelRule labels_;
  std::size_t first_row_;          ///< of this file's
  std::vector<float> values_;      ///< of the series so far, channel by channel; NaN: missing
  std::vector<std::size_t> ends_;  ///< of the channels in values_
  std::size_t missing_ = 0;        ///< of values_
};

/// Fills the NaN in `values` by linear interpolation; those at an end take the nearest number.
/// Returns false if there is no number.
bool interpolate_missing(std::span<float> values);

}  // namespace semblance::sources
