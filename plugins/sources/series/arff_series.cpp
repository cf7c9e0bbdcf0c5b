// SPDX-License-Identifier: MIT
#include "series/arff_series.hpp"

#include <algorithm>

#include "series/arff_header.hpp"
#include "series/series_builder.hpp"
#include "text/arff_attributes.hpp"
#include "text/text_values.hpp"

namespace semblance::sources {
namespace {

class ArffReader {
 public:
  ArffReader(const std::string& file, const SeriesFormat& format, SeriesRows& rows)
      : lines_(file), builder_(lines_, format, rows) {}

  void read(Context& context) {
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
    const std::string_view text = label;
    builder_.end_series(true, header_.labelled ? &text : nullptr, context);
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
