// SPDX-License-Identifier: MIT
#include <algorithm>

#include "molecules/smi_lines.hpp"
#include "semblance/error.hpp"
#include "text/csv_records.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

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
    smiles_ = smiles_column(format_, names_, count_, refuse);
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

}  // namespace

std::string wrong_field_count(std::size_t fields, std::size_t first) {
  return "has " + std::to_string(fields) + (fields == 1 ? " field" : " fields") +
         ", but the first line has " + std::to_string(first) + "; every row needs the same number";
}

bool name_molecule_columns(std::span<const std::string_view> fields, const MoleculeFormat& format) {
  FactNames wanted = format;
  if (format.smiles != "auto") wanted.targets.push_back(format.smiles);
  return wanted.any_is_among(fields) || std::ranges::any_of(fields, [](std::string_view f) {
           return lower_case(f).find("smiles") != std::string::npos;
         });
}

std::size_t smiles_column(const MoleculeFormat& format, std::span<const std::string> names,
                          std::size_t columns, const ColumnFailure& fail) {
  if (format.smiles != "auto")
    return required_column(format.smiles, "smiles", names, columns, fail);
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

void read_smiles_table(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
                       Context& context) {
  SmilesTableReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
