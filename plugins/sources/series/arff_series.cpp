// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "files/line_reader.hpp"
#include "semblance/context.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "series/series_rows.hpp"
#include "tables/arff_attributes.hpp"

namespace semblance::sources {
namespace {

/// The attributes of an .arff file of series.
struct ArffHeader {
  std::size_t fields = 0;   ///< in a line of data
  bool relational = false;  ///< one field has all channels of a series
  std::size_t series = 0;   ///< where relational: its number among the fields
  bool labelled = false;
  std::size_t label = 0;  ///< its number among the fields
  std::vector<std::string> classes;
};

/// Interprets the attributes as those of series.
class ArffHeaderMaker {
 public:
  explicit ArffHeaderMaker(const LineReader& lines) : lines_(lines) {}

  ArffHeader make(const std::vector<ArffAttribute>& attributes) {
    for (const ArffAttribute& attribute : attributes) take(attribute);
    if (header_.relational && steps_ > 0)
      fail(lines_.number(),
           "has numeric attributes beside the relational one, which is not supported; convert the "
           "file to .ts");
    if (!header_.relational && steps_ == 0)
      fail(lines_.number(),
           "has no numeric attributes, so there are no series; check that it is the right file");
    return header_;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw DataError(lines_.path(), "line " + std::to_string(line), what);
  }

  void take(const ArffAttribute& attribute) {
    if (!attribute.nominal() && !attribute.numeric() && !attribute.relational())
      fail(attribute.line, "the attribute " + in_quotes(attribute.name) + " has the type " +
                               in_quotes(attribute.type) +
                               ", which is not supported; expected numeric, {classes} or "
                               "relational");
    if (attribute.inside) {
      if (!attribute.numeric())
        fail(attribute.line, "the attribute " + in_quotes(attribute.name) +
                                 " within the relational one is not numeric; convert the file to "
                                 ".ts, whose series may be of any form");
      return;
    }
    if (attribute.nominal()) take_classes(attribute);
    if (attribute.relational()) {
      if (header_.relational)
        fail(attribute.line,
             "has a second relational attribute, which is not supported; convert the file to .ts");
      header_.relational = true;
      header_.series = header_.fields;
    }
    steps_ += attribute.numeric();
    ++header_.fields;
  }

  void take_classes(const ArffAttribute& attribute) {
    if (header_.labelled)
      fail(attribute.line, "the attribute " + in_quotes(attribute.name) +
                               " is a second one with classes; keep the one that is the label");
    header_.classes = attribute.values;
    header_.labelled = true;
    header_.label = header_.fields;
  }

  const LineReader& lines_;
  ArffHeader header_;
  std::size_t steps_ = 0;
};

/// Reads the header up to @data. Throws DataError naming the line and the problem.
ArffHeader read_arff_header(LineReader& lines, Context& context) {
  const auto attributes = read_arff_attributes(lines, context);
  return ArffHeaderMaker(lines).make(attributes);
}

class ArffReader {
 public:
  ArffReader(const std::string& file, const SeriesFormat& format, SeriesRows& rows)
      : lines_(file), format_(format), builder_(lines_, format, rows) {}

  void read(Context& context) {
    if (format_.facts.numbers)
      throw DataError(lines_.path(), "",
                      "numbers to predict are read from .ts and .tsv, not from .arff; convert the "
                      "file to .ts");
    header_ = read_arff_header(lines_, context);
    builder_.classes_are_declared();
    for (const std::string& name : header_.classes) declared_.insert(canonical_label(name));
    std::string_view line;
    while (lines_.next(line)) {
      context.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with('%')) continue;
      if (line.starts_with('{'))
        builder_.fail("is a sparse row, which is not supported; convert the file to .ts");
      add_row(line, context);
    }
    builder_.end_file();
  }

 private:
  void add_row(std::string_view line, Context& context) {
    std::string label;
    std::size_t number = 0;
    for (bool more = true; more; ++number) {
      if (number == header_.fields) too_many();
      if (header_.relational && number == header_.series)
        take_channels(line);
      else if (header_.labelled && number == header_.label)
        take_label(line, label);
      else
        builder_.add(take_plain(line));
      line = trimmed(line);
      more = !line.empty();
      if (more && line[0] != ',')
        builder_.fail("has text after a quoted field; separate fields by commas");
      if (more) line.remove_prefix(1);
    }
    if (number != header_.fields)
      builder_.fail("has " + std::to_string(number) + " fields, but the header names " +
                    std::to_string(header_.fields) + " attributes; correct the row");
    if (!header_.relational) builder_.end_channel();
    builder_.end_series(
        true, header_.labelled ? std::optional<std::string_view>(label) : std::nullopt, context);
  }

  [[noreturn]] void too_many() const {
    builder_.fail("has more fields than the " + std::to_string(header_.fields) +
                  " attributes of the header; correct the row");
  }

  static std::string_view take_plain(std::string_view& line) {
    const std::size_t comma = std::min(line.find(','), line.size());
    const std::string_view field = line.substr(0, comma);
    line.remove_prefix(comma);
    return field;
  }

  void take_label(std::string_view& line, std::string& label) const {
    if (!take_arff_word(line, ",", label)) builder_.fail("a quote is not closed; correct it");
    if (!builder_.is_missing_label(label) && !declared_.contains(canonical_label(label)))
      builder_.fail("its class " + in_quotes(label) +
                    " is not among those that the header declares; correct one of them");
  }

  /// "1,2,3\n4,5,6": one channel up to each \n, which is written as these two characters.
  void take_channels(std::string_view& line) {
    line = trimmed(line);
    if (line.empty() || (line[0] != '"' && line[0] != '\''))
      builder_.fail(
          "the field of the series is not in quotes; write \"1,2,3\\n4,5,6\", or convert "
          "the file to .ts");
    const std::size_t end = line.find(line[0], 1);
    if (end == line.npos) builder_.fail("a quote is not closed; correct it");
    std::string_view channels = line.substr(1, end - 1);
    line.remove_prefix(end + 1);
    for (bool more = true; more;) {
      const std::size_t close = channels.find("\\n");
      std::string_view values = channels.substr(0, close);
      for (bool next = !trimmed(values).empty(); next;) {
        const std::size_t comma = values.find(',');
        builder_.add(values.substr(0, comma));
        next = comma != values.npos;
        if (next) values.remove_prefix(comma + 1);
      }
      builder_.end_channel();
      more = close != channels.npos;
      if (more) channels.remove_prefix(close + 2);
    }
  }

  LineReader lines_;
  const SeriesFormat& format_;
  SeriesBuilder builder_;
  ArffHeader header_;
  std::set<std::string> declared_;
};

}  // namespace

void read_arff_series(const std::string& file, const SeriesFormat& format, SeriesRows& rows,
                      Context& context) {
  ArffReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
