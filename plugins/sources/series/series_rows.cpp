// SPDX-License-Identifier: MIT
#include "series/series_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

/// Takes the first field off `rest`; false if none is left. A separator 0 means runs of blanks.
bool take_field(std::string_view& rest, bool& more, char separator, std::string_view& field) {
  if (!more) return false;
  if (separator == 0) {
    rest = trimmed(rest);
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    field = rest.substr(0, end);
    rest.remove_prefix(end);
    more = !trimmed(rest).empty();
    return !field.empty();
  }
  const std::size_t end = rest.find(separator);
  field = rest.substr(0, end);
  more = end != rest.npos;
  rest.remove_prefix(more ? end + 1 : rest.size());
  return true;
}

char separator_of(std::string_view line) {
  if (line.find('\t') != line.npos) return '\t';
  return line.find(',') != line.npos ? ',' : '\0';
}

/// One series per line: the class, then one field per step, as in the UCR archive. Fields are
/// separated by tabs, else commas, else blanks, depending on the first line. A shorter series is
/// padded with NaN at its end, or has fewer fields.
void read_tsv_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                     Context& context) {
  LineReader lines(file);
  SeriesBuilder builder(lines, format, rows);
  std::string_view line;
  char separator = '\t';
  bool first = true, shorter = format.labelled && format.model_steps > 0, unknown = false;
  while (lines.next(line)) {
    if (trimmed(line).empty()) continue;
    context.check_stop();
    if (first) separator = separator_of(line);
    first = false;
    std::string_view label, field;
    bool more = true;
    std::size_t steps = 0;
    if (format.labelled) take_field(line, more, separator, label);
    for (; take_field(line, more, separator, field); ++steps) builder.add(field);
    shorter = shorter && steps + 1 == format.model_steps;
    unknown = unknown || (!builder.is_missing_label(label) &&
                          !std::ranges::count(format.model_classes, canonical_label(label)));
    builder.end_channel();
    builder.end_series(true, format.labelled ? std::optional(label) : std::nullopt, context);
  }
  builder.end_file();
  if (shorter && unknown)
    throw DataError(file, "",
                    "each line has one value too few for a label and a series as long as the "
                    "longest one trained on; set 'labels: absent' if lines begin with the first "
                    "step, and 'labels: present' if with a label");
}

}  // namespace

std::string series_format_of(const std::string& file) {
  return has_ending(file, {".ts"})                    ? "ts"
         : has_ending(file, {".arff"})                ? "arff"
         : has_ending(file, {".tsv", ".txt", ".csv"}) ? "tsv"
                                                      : "";
}

void read_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                 Context& context) {
  const std::string kind = format.format == "auto" ? series_format_of(file) : format.format;
  if (kind == "tsv") return read_tsv_series(file, format, rows, context);
  if (kind == "ts") return read_ts_series(file, format, rows, context);
  if (kind == "arff") return read_arff_series(file, format, rows, context);
  if (file.ends_with(".zip"))
    throw DataError(file, "", "is an archive; unpack it and name its folder, or a file of it");
  throw DataError(file, "",
                  "its name ends in none of .tsv, .ts and .arff; say which it is with 'format'");
}

namespace {

constexpr std::size_t most_channels = std::size_t{1} << 16;

bool is_missing(std::string_view field) {
  const auto is = [&](std::size_t i, char lower) { return (field[i] | 32) == lower; };
  return field == "?" || (field.size() == 3 && is(0, 'n') && is(1, 'a') && is(2, 'n'));
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

bool interpolate_missing(std::span<float> values) {
  const auto known = [](float v) { return !std::isnan(v); };
  auto left = std::find_if(values.begin(), values.end(), known);
  if (left == values.end()) return false;
  std::fill(values.begin(), left, *left);
  while (left != values.end()) {
    const auto right = std::find_if(left + 1, values.end(), known);
    const auto steps = static_cast<double>(right - left);
    for (auto at = left + 1; at != right; ++at)
      *at = right == values.end()
                ? *left
                : static_cast<float>(*left + (double{*right} - *left) * double(at - left) / steps);
    left = right;
  }
  return true;
}

void SeriesBuilder::fail(const std::string& what) const {
  throw DataError(lines_.path(), lines_.place(), what);
}

std::string SeriesBuilder::place(std::size_t channel, std::size_t step) const {
  const std::string text = "step " + std::to_string(step + 1);
  return channel == 0 && rows_.channels <= 1 ? text
                                             : text + " of channel " + std::to_string(channel + 1);
}

void SeriesBuilder::add(std::string_view field) {
  field = trimmed(field);
  const std::size_t channel = channels();
  const std::size_t step = values_.size() - (channel == 0 ? 0 : ends_.back());
  if (is_missing(field)) {
    values_.push_back(std::numeric_limits<float>::quiet_NaN());
    ++missing_;
    return;
  }
  float value = 0;
  double wide = 0;
  if (const char* problem = parse_float(field, value, wide)) {
    if (field.empty())
      fail(place(channel, step) + " is empty; write NaN or ? where a value is missing");
    fail(place(channel, step) + " is " + in_quotes(field) + ", which " + problem +
         "; correct it, or write NaN where a value is missing");
  }
  values_.push_back(value);
  if (channel >= rows_.precision.columns()) rows_.precision.resize(channel + 1);
  add_exact(rows_.precision, channel, wide, field);
  add_exact(rows_.own_precision.channels(channel + 1), channel, wide, field);
}

void SeriesBuilder::end_channel() {
  ends_.push_back(values_.size());
  if (channels() > most_channels)
    fail("has more than " + std::to_string(most_channels) +
         " channels; check that it is the right file");
}

void SeriesBuilder::check_channels() const {
  if (format_.channels != 0 && channels() != format_.channels)
    fail("the series has " + counted(channels(), "channel") + ", but the model was trained on " +
         std::to_string(format_.channels) + "; give series with the same channels");
  if (rows_.channels != 0 && channels() != rows_.channels)
    fail("the series has " + counted(channels(), "channel") + ", but those before it have " +
         std::to_string(rows_.channels) + "; every series needs the same channels");
}

std::size_t SeriesBuilder::common_steps() const {
  for (std::size_t c = 1; c < channels(); ++c)
    if (steps_of(c) != steps_of(0))
      fail("channel " + std::to_string(c + 1) + " has " + counted(steps_of(c), "step") +
           ", but channel 1 has " + std::to_string(steps_of(0)) +
           "; the channels of a series must be equally long, so resample or pad with NaN");
  return channels() == 0 ? 0 : steps_of(0);
}

std::size_t SeriesBuilder::without_padding(std::size_t steps) const {
  const auto missing = [&](std::size_t step) {
    for (std::size_t c = 0; c < channels(); ++c)
      if (!std::isnan(values_[begin_of(c) + step])) return false;
    return true;
  };
  while (steps > 0 && missing(steps - 1)) --steps;
  return steps;
}

void SeriesBuilder::check_length(std::size_t steps) const {
  if (steps == 0) fail("the series holds no values; fill it in or remove the row");
  if (format_.longest != 0 && steps > format_.longest)
    fail("the series has " + counted(steps, "step") + ", more than " + format_.why_longest);
}

void SeriesBuilder::treat_missing(std::size_t steps) {
  if (format_.keep_missing) return;
  std::size_t filled = 0;
  for (std::size_t c = 0; c < channels(); ++c) {
    const std::span<float> channel = std::span(values_).subspan(begin_of(c), steps);
    const auto nan = [](float v) { return std::isnan(v); };
    const auto first = std::find_if(channel.begin(), channel.end(), nan);
    if (first == channel.end()) continue;
    if (!format_.interpolate)
      fail(place(c, static_cast<std::size_t>(first - channel.begin())) +
           " is missing; fill it in, or set 'missing: interpolate' to fill gaps linearly");
    filled += static_cast<std::size_t>(std::count_if(channel.begin(), channel.end(), nan));
    if (!interpolate_missing(channel))
      fail("channel " + std::to_string(c + 1) +
           " holds only missing values, so there is nothing to interpolate between; remove the "
           "row, or set 'missing: keep' and fill it in with normalizer/impute_series");
  }
  rows_.interpolated_values += filled;
  rows_.interpolated_series += filled > 0;
}

void SeriesBuilder::add_values(bool padded) {
  check_channels();
  std::size_t steps = common_steps();
  if (missing_ > 0 && missing_ == values_.size())
    fail("the series holds only missing values; remove the row");
  if (padded && missing_ > 0) steps = without_padding(steps);
  check_length(steps);
  const std::string lost =
      rows_.own_precision.end_series([&] { return std::string(lines_.place()); });
  if (!lost.empty()) fail(lost);
  rows_.channels = channels();
  if (missing_ > 0) treat_missing(steps);
  auto& values = rows_.series.values;
  for (std::size_t t = 0; t < steps; ++t)
    for (std::size_t c = 0; c < channels(); ++c) values.push_back(values_[begin_of(c) + t]);
}

void SeriesBuilder::end_series(bool padded, std::optional<std::string_view> label,
                               Context& context) {
  FactTexts facts;
  if (label) label = trimmed(*label);
  facts.label = label;
  if (RowFacts::leaves_out(facts, facts_))
    rows_.own_precision.forget_series();
  else
    add_values(padded);
  rows_.series.end_row();
  rows_.append(facts, facts_, [this](const std::string& what) { fail(what); });
  check_fits(rows_.bytes(), "the series so far", lines_.path(), lines_.place(), context);
  values_.clear();
  ends_.clear();
  missing_ = 0;
}

void SeriesBuilder::end_file() const {
  if (rows_.rows() == first_row_)
    throw DataError(lines_.path(), "", "holds no series; check that it is the right file");
}

}  // namespace semblance::sources
