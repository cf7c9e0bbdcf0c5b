// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "files/line_reader.hpp"
#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "series/series_rows.hpp"

namespace semblance::sources {
namespace {

/// The properties of series given by the tags of a .ts file.
struct TsHeader {
  bool univariate = false;
  std::size_t channels = 0;  ///< 0: not said
  bool equal_length = false;
  std::size_t length = 0;  ///< 0: not said
  bool labelled = false;
  std::vector<std::string> classes;
  bool numbers = false;  ///< series have a number to predict
  bool stamped = false;  ///< steps are written (time,value)

  /// Whether something follows the last colon of a line.
  bool answered() const noexcept { return labelled || numbers; }
};

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> all;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    all.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return all;
}

class TsHeaderReader {
 public:
  TsHeaderReader(LineReader& lines, Context& context) : lines_(lines), context_(context) {}

  TsHeader read() {
    std::string_view line;
    while (lines_.next(line)) {
      context_.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('#') || line.starts_with('%')) continue;
      if (!line.starts_with('@'))
        fail(
            "holds data before the tag @data; a .ts file begins with its tags, such as "
            "'@classLabel true a b' and '@data'");
      if (take_tag(words(line))) return header_;
    }
    throw DataError(lines_.path(), "",
                    "has no tag @data; the file is cut off or is no .ts file, check it");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  bool truth(const std::vector<std::string_view>& tag) const {
    const std::string value = tag.size() > 1 ? lower_case(tag[1]) : std::string();
    if (value != "true" && value != "false")
      fail("the tag " + in_quotes(tag[0]) + " must say true or false; correct it");
    return value == "true";
  }

  std::size_t number(const std::vector<std::string_view>& tag) const {
    const auto value = tag.size() == 2 ? parse_integer(tag[1]) : std::nullopt;
    if (!value || *value < 1)
      fail("the tag " + in_quotes(tag[0]) + " must give a whole number from 1 on; correct it");
    return static_cast<std::size_t>(*value);
  }

  void take_classes(const std::vector<std::string_view>& tag) {
    header_.labelled = truth(tag);
    if (!header_.labelled) return;
    for (std::size_t i = 2; i < tag.size(); ++i) {
      if (!is_utf8(tag[i])) fail("a class is not UTF-8 text; save the file as UTF-8");
      header_.classes.emplace_back(tag[i]);
    }
    if (header_.classes.empty())
      fail("the tag @classLabel names no classes; write '@classLabel true' and all of them");
  }

  /// Returns whether it is the last one.
  bool take_tag(const std::vector<std::string_view>& tag) {
    const std::string name = lower_case(tag[0]);
    if (name == "@data") return true;
    if (name == "@timestamps") {
      header_.stamped = truth(tag);
    } else if (name == "@univariate") {
      header_.univariate = truth(tag);
    } else if (name == "@dimension" || name == "@dimensions") {
      header_.channels = number(tag);
    } else if (name == "@equallength") {
      header_.equal_length = truth(tag);
    } else if (name == "@serieslength") {
      header_.length = number(tag);
    } else if (name == "@classlabel") {
      take_classes(tag);
    } else if (name == "@targetlabel") {
      header_.numbers = truth(tag);
    } else if (name != "@problemname" && name != "@missing") {
      context_.log(LogLevel::warning, lines_.path() + ": " + lines_.place() + ": the tag " +
                                          in_quotes(tag[0]) + " is not known and ignored");
    }
    return false;
  }

  LineReader& lines_;
  Context& context_;
  TsHeader header_;
};

/// Reads the tags up to @data. Throws DataError naming the line and the problem.
TsHeader read_ts_header(LineReader& lines, Context& context) {
  return TsHeaderReader(lines, context).read();
}

class TsReader {
 public:
  TsReader(const std::string& file, const SeriesFormat& format, SeriesRows& rows)
      : lines_(file), format_(format), rows_(rows), builder_(lines_, format, rows) {}

  void read(Context& context) {
    header_ = read_ts_header(lines_, context);
    check_header();
    if (header_.labelled) builder_.classes_are_declared();
    for (const std::string& name : header_.classes) declared_.insert(canonical_label(name));
    std::string_view line;
    while (lines_.next(line)) {
      context.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('#') || line.starts_with('%')) continue;
      add_series(line, context);
    }
    builder_.end_file();
    rows_.declared.merge(declared_);
  }

 private:
  void check_header() const {
    if (header_.numbers && header_.labelled)
      builder_.fail(
          "the tags say that series have classes and numbers (@classLabel and @targetLabel); "
          "correct one");
    if (header_.numbers && !format_.facts.numbers)
      builder_.fail(
          "the series have numbers to predict (@targetLabel); set 'target: numbers', or use a file "
          "with @classLabel");
    if (header_.labelled && format_.facts.numbers)
      builder_.fail(
          "the series have classes (@classLabel); omit 'target: numbers', or use a file with "
          "@targetLabel");
    if (format_.facts.numbers && !header_.numbers && !format_.facts.may_lack_labels)
      builder_.fail(
          "the tags name no numbers to predict; write '@targetLabel true' if they follow the last "
          "colon, or set 'role: test' if the series are to be predicted");
    if (header_.univariate && header_.channels > 1)
      builder_.fail("the tags say '@univariate true' and more than one dimension; correct one");
    if (!header_.labelled && !format_.facts.may_lack_labels && rows_.rows() > 0 &&
        !rows_.declared.empty())
      builder_.fail("the file has no classes (@classLabel), but the training file has; add them");
    if (format_.facts.new_classes || rows_.declared.empty()) return;
    for (const std::string& name : header_.classes)
      if (!rows_.declared.contains(canonical_label(name)))
        builder_.fail("the tags declare the class " + in_quotes(name) +
                      ", which the training file does not; use files that belong together, or set "
                      "'new_test_classes: true'");
  }

  void add_series(std::string_view line, Context& context) {
    std::string_view label;
    if (header_.answered()) {
      const std::size_t colon = line.rfind(':');
      if (colon == line.npos)
        builder_.fail(header_.labelled
                          ? "has no ':' and so no class after the series; add it, or correct the "
                            "tag @classLabel"
                          : "has no ':' and so no target after the series; add it, or correct the "
                            "tag @targetLabel");
      label = trimmed(line.substr(colon + 1));
      line = line.substr(0, colon);
      if (header_.labelled && !builder_.is_missing_label(label) &&
          !declared_.contains(canonical_label(label)))
        builder_.fail("its class " + in_quotes(label) +
                      " is not among those that @classLabel declares; correct one of them");
    }
    add_channels(line);
    builder_.end_series(false, header_.answered() ? std::optional(label) : std::nullopt, context);
  }

  /// The colon behind the channel that `line` begins with; a time of day in a time stamp has some,
  /// too.
  std::size_t end_of_channel(std::string_view line) const {
    if (!header_.stamped) return line.find(':');
    std::size_t from = 0;
    for (;;) {
      const std::size_t colon = line.find(':', from), open = line.find('(', from);
      if (open > colon || open == line.npos) return colon;
      from = line.find(')', open);
      if (from == line.npos) return from;
    }
  }

  void add_channels(std::string_view line) {
    std::size_t channels = 0;
    rows_.time_steps.begin_series();
    for (bool more = true; more; ++channels) {
      const std::size_t colon = end_of_channel(line);
      const std::string_view channel = trimmed(line.substr(0, colon));
      const std::size_t steps =
          header_.stamped ? add_stamped_channel(channel, channels) : add_channel(channel);
      if (header_.equal_length) check_equal(steps, channels);
      more = colon != line.npos;
      if (more) line.remove_prefix(colon + 1);
    }
    const std::size_t said = header_.univariate ? 1 : header_.channels;
    if (said != 0 && channels != said)
      builder_.fail("the series has " + std::to_string(channels) + " channels, but the tags say " +
                    std::to_string(said) + "; correct one of them");
  }

  /// Without a tag for the number of steps, the first series determines it.
  void check_equal(std::size_t steps, std::size_t channel) {
    if (header_.length == 0) header_.length = steps;
    if (steps != header_.length)
      builder_.fail("channel " + std::to_string(channel + 1) + " has " + std::to_string(steps) +
                    " steps, but by '@equalLength true' all have " +
                    std::to_string(header_.length) +
                    "; correct it, or say '@equalLength false' and omit @seriesLength");
  }

  /// Returns the number of its steps.
  std::size_t add_channel(std::string_view values) {
    std::size_t steps = 0;
    if (values.starts_with('('))
      builder_.fail(
          "the series has time stamps, but the tags do not say '@timeStamps true'; correct them");
    while (!values.empty()) {
      const std::size_t comma = values.find(',');
      builder_.add(values.substr(0, comma));
      ++steps;
      if (comma == values.npos) break;
      values.remove_prefix(comma + 1);
      if (values.empty()) builder_.add(values);  // a comma at the end: reported as an empty step
    }
    builder_.end_channel();
    return steps;
  }

  /// Splits "(time,value),(time,value)" into stamps and values.
  void split_stamped(std::string_view values, const std::string& channel) {
    stamps_.clear();
    fields_.clear();
    while (!values.empty()) {
      const std::string step = "step " + std::to_string(stamps_.size() + 1) + channel;
      const std::size_t close = values.find(')'), comma = values.find(',');
      if (!values.starts_with('(') || close == values.npos || comma > close)
        builder_.fail(step + " is " + in_quotes(values.substr(0, close)) +
                      ", not (time,value); correct it, or the tag '@timeStamps true'");
      stamps_.push_back(trimmed(values.substr(1, comma - 1)));
      fields_.push_back(values.substr(comma + 1, close - comma - 1));
      values = trimmed(values.substr(close + 1));
      if (values.empty()) return;
      if (!values.starts_with(',') || trimmed(values.substr(1)).empty())
        builder_.fail(step + " is followed by " + in_quotes(values) +
                      ", not by a comma and the next step; correct it");
      values = trimmed(values.substr(1));
    }
  }

  /// Returns the number of its steps; those whose time stamps are left out are missing.
  std::size_t add_stamped_channel(std::string_view values, std::size_t channels) {
    const std::string channel =
        channels == 0 && rows_.channels <= 1 ? "" : " of channel " + std::to_string(channels + 1);
    split_stamped(values, channel);
    const std::vector<std::size_t> places =
        rows_.time_steps.of_channel(stamps_, [&](const std::string& problem) {
          builder_.fail((channel.empty() ? "" : "channel " + std::to_string(channels + 1) + ": ") +
                        problem);
        });
    std::size_t steps = 0;
    for (std::size_t i = 0; i < places.size(); ++i, ++steps) {
      for (; steps < places[i]; ++steps) builder_.add("?");
      builder_.add(fields_[i]);
    }
    builder_.end_channel();
    return steps;
  }

  LineReader lines_;
  const SeriesFormat& format_;
  SeriesRows& rows_;
  SeriesBuilder builder_;
  TsHeader header_;
  std::vector<std::string_view> stamps_, fields_;  // of a channel
  std::set<std::string> declared_;
};

}  // namespace

void read_ts_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                    Context& context) {
  TsReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
