// SPDX-License-Identifier: MIT
#include <algorithm>

#include "text/string_rows.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

class FastaReader {
 public:
  FastaReader(const std::string& file, const StringFormat& format, StringRows& rows)
      : lines_(file), format_(format), builder_(lines_, format, rows) {}

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 1024 == 0) context.check_stop();
      line = trimmed(line);
      if (line.empty() || line.starts_with(';')) continue;
      if (!line.starts_with('>')) {
        if (header_line_ == 0)
          builder_.fail("holds a sequence before the first header; FASTA begins with '>'");
        add_symbols(line);
        continue;
      }
      end_string(context);
      header_line_ = lines_.number();
      take_header(line.substr(1));
    }
    end_string(context);
    builder_.end_file();
  }

 private:
  void add_symbols(std::string_view line) {
    if (line.find_first_of(" \t") != line.npos)
      builder_.fail("holds a blank within the sequence; write its symbols without blanks");
    if (line.find('#') != line.npos && !(format_.alphabet && format_.alphabet->knows(U'#')))
      builder_.fail(
          "holds a '#', which is no symbol of a sequence; remove the remark, begin it with ';', or "
          "name '#' in 'alphabet'");
    if (!builder_.leaves_out(label())) builder_.add(line);
  }

  void take_header(std::string_view header) {
    if (!is_utf8(header)) builder_.fail("the header is not UTF-8 text; save the file as UTF-8");
    // The row's name is its whole id, such as sp|P12345|NAME, wherever words end.
    name_ = trimmed(header).substr(0, trimmed(header).find_first_of(" \t"));
    const std::string_view ends = format_.words == "bar"    ? "|"
                                  : format_.words == "both" ? "| \t"
                                                            : " \t";
    std::vector<std::string_view> words;
    while (!header.empty()) {
      const std::size_t end = std::min(header.find_first_of(ends), header.size());
      if (const auto word = trimmed(header.substr(0, end)); !word.empty()) words.push_back(word);
      header.remove_prefix(std::min(end + 1, header.size()));
    }
    labelled_ = format_.label != "none";
    if (!labelled_) return;
    const auto number = column_of(format_.label, {}, words.size());
    if (!number && !parse_integer(format_.label))
      builder_.fail("'label: " + printable(format_.label) +
                    "' is a name, but words of a FASTA header have none; give the word's number, "
                    "counted from 1");
    if (!number && format_.facts.may_lack_labels) {
      labelled_ = false;
      return;
    }
    if (!number)
      builder_.fail("the header has " + std::to_string(words.size()) +
                    (words.size() == 1 ? " word" : " words") + ", but the label is word " +
                    format_.label + " of it; correct the header or 'label'");
    label_ = words[*number];
    if (name_ == label_) name_.clear();
  }

  void end_string(Context& context) {
    if (header_line_ == 0) return;
    FactTexts facts;
    facts.label = label();
    if (!name_.empty()) facts.id = name_;
    builder_.end_string(std::move(facts), header_line_, context);
  }

  std::optional<std::string_view> label() const {
    return labelled_ ? std::optional<std::string_view>(label_) : std::nullopt;
  }

  LineReader lines_;
  const StringFormat& format_;
  StringBuilder builder_;
  std::size_t header_line_ = 0;  ///< 0: there was none yet
  std::string name_, label_;
  bool labelled_ = false;
};

}  // namespace

void read_fasta(const std::string& file, const StringFormat& format, StringRows& rows,
                Context& context) {
  FastaReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
