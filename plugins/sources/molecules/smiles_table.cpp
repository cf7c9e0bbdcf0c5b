// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>

#include "molecules/molecule_rows.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/table_lines.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/csv_records.hpp"

namespace semblance::sources {
namespace {

constexpr const char* blanks = " \t";

/// Cuts a SMILES and its extension off the front of a line without blanks at its ends.
std::string_view take_smiles(std::string_view& line) {
  std::size_t end = std::min(line.find_first_of(blanks), line.size());
  const std::size_t after = line.find_first_not_of(blanks, end);
  if (after != line.npos && line[after] == '|')
    if (const std::size_t closed = line.find('|', after + 1); closed != line.npos) end = closed + 1;
  const std::string_view smiles = line.substr(0, end);
  line = trimmed(line.substr(end));
  return smiles;
}

void split_words(std::string_view line, std::vector<std::string_view>& fields) {
  line = trimmed(line);
  fields.assign(1, take_smiles(line));
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    fields.push_back(line.substr(0, end));
    line = trimmed(line.substr(end));
  }
}

/// Whether a wanted column has a number beyond those of the SMILES and the name.
bool wants_words(const MoleculeFormat& format) {
  const auto counted = [](const std::string& column, std::int64_t most) {
    const auto number = parse_integer(column);
    return number && (*number < 1 || *number > most);
  };
  return counted(format.smiles, 1) || std::ranges::any_of(format.all(), [&](const auto& fact) {
           return counted(fact.first, 2);
         });
}

/// The message about a line with another number of fields than the first.
std::string wrong_field_count(std::size_t fields, std::size_t first) {
  return "has " + std::to_string(fields) + (fields == 1 ? " field" : " fields") +
         ", but the first line has " + std::to_string(first) + "; every row needs the same number";
}

/// Whether the fields of a first line name the columns: one contains "smiles", or is the name of a
/// column that the format names.
bool name_molecule_columns(std::span<const std::string_view> fields, const MoleculeFormat& format) {
  FactNames wanted = format;
  if (format.smiles != "auto") wanted.targets.push_back(format.smiles);
  return wanted.any_is_among(fields) || std::ranges::any_of(fields, [](std::string_view f) {
           return lower_case(f).find("smiles") != std::string::npos;
         });
}

/// The column of SMILES, `wanted` or auto, among `columns` with these names, or without names.
std::size_t smiles_column(const std::string& wanted, std::span<const std::string> names,
                          std::size_t columns, const ColumnFailure& fail) {
  if (wanted != "auto") return required_column(wanted, "smiles", names, columns, fail);
  if (names.empty()) return 0;
  std::vector<std::size_t> exact, like;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::string name = lower_case(names[c]);
    if (name == "smiles") exact.push_back(c);
    if (name.find("smiles") != name.npos) like.push_back(c);
  }
  if (exact.size() != 1 && like.size() != 1)
    fail(like.empty() ? "names no column 'smiles'; name the one with SMILES in 'smiles'"
                      : "names several columns of SMILES; name one in 'smiles'");
  return exact.size() == 1 ? exact[0] : like[0];
}

/// The lines of .smi files: a SMILES, its extension |...| if it has one (CXSMILES), and the name,
/// which is the rest of the line. Fields are separated by tabs, or by blanks, where the first line
/// has three or more: by tabs, by a header's names, or as the numbers of wanted columns say.
class SmiLines {
 public:
  /// `first`: the first line with content.
  SmiLines(std::string_view first, const MoleculeFormat& format) {
    std::vector<std::string_view> words, tabs;
    split_words(first, words);
    split_plain(first, '\t', tabs);
    const std::vector<std::string_view>& names = tabs.size() > 2 ? tabs : words;
    header_ = format.header == "present" ||
              (format.header == "auto" && name_molecule_columns(names, format));
    if (tabs.size() > 2)
      fields_ = Fields::tabs;
    else if (header_ ? words.size() > 2 && tabs.size() < 2 : wants_words(format))
      fields_ = Fields::words;
  }

  /// Whether a file is read in this form: it has the name, and its first line is no table with
  /// commas or semicolons.
  static bool suits(const std::string& file) {
    if (!is_smi_name(file)) return false;
    LineReader lines(file);
    std::string_view line;
    while (lines.next(line))
      if (!is_empty(line)) return suits(file, line);
    return false;
  }

  /// The same for a first line.
  static bool suits(const std::string& name, std::string_view first) {
    const std::string_view smiles = trimmed(first).substr(0, trimmed(first).find_first_of(blanks));
    return is_smi_name(name) && smiles.find_first_of(",;\"") == smiles.npos;
  }

  /// Whether a line is blank or a comment, which begins with #.
  static bool is_empty(std::string_view line) {
    return trimmed(line).empty() || trimmed(line).front() == '#';
  }

  /// Whether the first line names the columns.
  bool header() const noexcept { return header_; }

  /// `fields` are views of the line.
  void split(std::string_view line, std::vector<std::string_view>& fields) const {
    if (fields_ == Fields::tabs) return split_plain(line, '\t', fields);
    if (fields_ == Fields::words) return split_words(line, fields);
    line = trimmed(line);
    const std::string_view smiles = take_smiles(line);
    fields = {smiles, line};
  }

 private:
  enum class Fields { name, words, tabs };
  Fields fields_ = Fields::name;
  bool header_ = false;
};

class SmilesTableReader {
 public:
  SmilesTableReader(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows)
      : lines_(file),
        format_(format),
        rows_(rows),
        records_(lines_, table_),
        is_smi_(SmiLines::suits(file)) {}

  void read(Context& context) {
    while (next()) {
      if (lines_.number() % 1024 == 0) context.check_stop();
      const bool first = count_ == 0;
      if (first) count_ = fields_.size();
      if (fields_.size() != count_) fail(wrong_field_count(fields_.size(), count_));
      if (first && take_first_line()) continue;
      append(context);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  bool next() {
    if (!is_smi_) return records_.next(fields_);
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (SmiLines::is_empty(line));
    if (!smi_) smi_.emplace(line, format_);
    smi_->split(line, fields_);
    return true;
  }

  void append(Context& context) {
    ReadMolecule read;
    read.molecule = trimmed(fields_[smiles_]);
    read.line = lines_.number();
    read.facts = facts_.texts(fields_);
    append_molecule(read, lines_.path(), format_, rows_, context);
  }

  /// Finds the columns; returns whether the line is a header.
  bool take_first_line() {
    const bool header = is_header();
    if (header)
      for (const std::string_view name : fields_) names_.emplace_back(trimmed(name));
    const auto refuse = [&](const std::string& what) { fail(what); };
    smiles_ = smiles_column(format_.smiles, names_, count_, refuse);
    facts_ = find_facts(format_, names_, count_, {{smiles_, "smiles"}},
                        format_.facts.may_lack_labels, refuse);
    if (rows_.targets.empty() && !facts_.targets.empty())
      rows_.targets.set_names(facts_.target_names(format_, names_, format_.named));
    return header;
  }

  bool is_header() const {
    if (smi_) return smi_->header();
    if (format_.header != "auto") return format_.header == "present";
    return name_molecule_columns(fields_, format_);
  }

  LineReader lines_;
  const MoleculeFormat& format_;
  MoleculeRows& rows_;
  TableFormat table_;
  CsvRecords records_;
  const bool is_smi_;  ///< lines are those of .smi files
  std::optional<SmiLines> smi_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> names_;
  std::size_t count_ = 0;
  std::size_t smiles_ = 0;
  FactColumns facts_;
};

/// Reads molecules for a model from lines, in the same way as a table of SMILES.
class MoleculeLines final : public TableRowLines, public RowTexts {
 public:
  /// `file`: the name of the file that the model was trained with.
  MoleculeLines(std::string file, MoleculeFormat format, FingerprintForm form)
      : TableRowLines({}), file_(std::move(file)), molecules_(std::move(format)), form_(form) {
    molecules_.header = "auto";
  }

  bool is_open(std::string_view lines) override {
    return !is_smi(lines) && TableRowLines::is_open(lines);
  }
  bool is_header(std::string_view line) override {
    if (trimmed(line).empty()) return false;
    take(line);
    return smi_ ? smi_->header() : name_molecule_columns(fields_, molecules_);
  }
  void read_header(std::string_view line) override {
    take(line);
    std::vector<std::string> names;
    for (const std::string_view field : fields_) names.emplace_back(trimmed(field));
    find(names);
  }
  void read_row(std::string_view line, std::span<float> values) override {
    if (trimmed(line).empty()) throw Error("is empty; give a row");
    take(line);
    if (columns_ == 0) find({});
    if (fields_.size() != columns_) throw Error(wrong_field_count(fields_.size(), columns_));
    print(fields_[smiles_], values);
  }

  std::string text_name() const override {
    return molecules_.smiles == "auto" || parse_integer(molecules_.smiles) ? "smiles"
                                                                           : molecules_.smiles;
  }
  void read_texts(std::span<const std::string> names, std::span<const std::string_view> texts,
                  std::span<float> values) override {
    if (names.empty()) return print(texts[place(names, texts.size())], values);
    const bool by_number = parse_integer(molecules_.smiles).has_value();
    print(texts[smiles_column(by_number ? "auto" : molecules_.smiles, names, names.size(),
                              [this](const std::string&) {
                                throw Error("needs one column " + in_quotes(text_name()) +
                                            "; give the SMILES under this name");
                              })],
          values);
  }

 private:
  void print(std::string_view field, std::span<float> values) const {
    const std::string smiles(trimmed(field));
    // RDKit's time grows with the cube of the atoms: a chain of 1,000 takes .7 s, one of 2,000 6 s.
    constexpr std::size_t longest = 1000;
    if (smiles.size() > longest)
      throw Error("the SMILES has " + std::to_string(smiles.size()) +
                  " characters, and only in a file may it have more than " +
                  std::to_string(longest) + "; give it in a file");
    const QuietRdkit quiet;
    const Fingerprint print = make_fingerprint(smiles, MoleculeNotation::smiles, form_);
    if (!print.problem.empty())
      throw Error("the SMILES " + in_quotes(smiles) + " " + print.problem + "; correct it");
    std::ranges::fill(values, 0.0F);
    for (std::size_t k = 0; k < print.values.size(); ++k)
      values[print.columns[k]] = print.values[k];
  }

  /// As the first line shows.
  bool is_smi(std::string_view line) {
    if (!std::exchange(begun_, true) && SmiLines::suits(file_, line))
      smi_.emplace(line, molecules_);
    return smi_.has_value();
  }

  void take(std::string_view line) {
    if (is_smi(line))
      smi_->split(line, fields_);
    else
      split(line);
  }

  void find(std::span<const std::string> names) {
    smiles_ = place(names, fields_.size());
    columns_ = fields_.size();
  }

  /// The place of the SMILES among columns with these names, or without.
  std::size_t place(std::span<const std::string> names, std::size_t columns) const {
    if (names.empty() && columns == 1) return 0;
    return smiles_column(molecules_.smiles, names, columns,
                         [](const std::string& what) { throw Error(what); });
  }

  std::string file_;
  MoleculeFormat molecules_;
  FingerprintForm form_;
  bool begun_ = false;           ///< it is known whether lines are those of .smi files
  std::optional<SmiLines> smi_;  ///< in place of a separator
  std::size_t columns_ = 0;      ///< 0: not known
  std::size_t smiles_ = 0;
};

}  // namespace

void read_smiles_table(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
                       Context& context) {
  SmilesTableReader(file, format, rows).read(context);
}

std::unique_ptr<RowLines> molecule_lines(std::string file, MoleculeFormat format,
                                         FingerprintForm form) {
  return std::make_unique<MoleculeLines>(std::move(file), std::move(format), form);
}

}  // namespace semblance::sources
