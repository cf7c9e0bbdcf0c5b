// SPDX-License-Identifier: MIT
#include <algorithm>

#include "molecules/smi_lines.hpp"
#include "semblance/error.hpp"
#include "text/column_roles.hpp"
#include "text/csv_records.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

std::string no_column(const std::string& wanted, const std::string& parameter,
                      std::span<const std::string> names, std::size_t columns) {
  const std::string for_parameter = " for '" + parameter + "'";
  if (parse_integer(wanted))
    return "no column " + wanted + for_parameter + ": the line has " + std::to_string(columns) +
           " fields; columns count from 1, or from -1 at the end";
  return "no column " + in_quotes(wanted) + for_parameter +
         (names.empty() ? ", since the file is read without a header; give its number"
                        : "; columns are: " + enumerated({names.begin(), names.end()}));
}

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

  std::optional<std::string_view> field(const std::optional<std::size_t>& column) const {
    return column ? std::optional(fields_[*column]) : std::nullopt;
  }

  void append(Context& context) {
    ReadMolecule read;
    read.molecule = trimmed(fields_[smiles_]);
    read.line = lines_.number();
    read.facts.label = field(label_);
    for (const auto& column : targets_) read.facts.targets.push_back(field(column));
    read.facts.id = field(id_);
    read.facts.weight = field(weight_);
    read.facts.group = field(group_);
    append_molecule(read, lines_.path(), format_, rows_, context);
  }

  /// Finds the columns; returns whether the line is a header.
  bool take_first_line() {
    const bool header = is_header();
    if (header)
      for (const std::string_view name : fields_) names_.emplace_back(trimmed(name));
    smiles_ = smiles_column(format_, names_, count_, [&](const std::string& what) { fail(what); });
    if (format_.label != "none") label_ = column(format_.label, "label");
    for (const std::string& target : format_.targets) targets_.push_back(column(target, "target"));
    id_ = column(format_.id, "id");
    weight_ = column(format_.weight, "weight");
    group_ = column(format_.groups, "groups");
    check_different();
    if (rows_.targets.empty() && !targets_.empty()) rows_.targets.set_names(target_names());
    return header;
  }

  /// SMILES may not be anything else.
  void check_different() const {
    const auto is_smiles = [&](const std::optional<std::size_t>& column) {
      return column && *column == smiles_;
    };
    if (is_smiles(label_) || std::ranges::any_of(targets_, is_smiles))
      fail("column " + std::to_string(smiles_ + 1) +
           " would be both the SMILES and the label or target; name each column once");
    if (is_smiles(weight_) || is_smiles(group_))
      fail("column " + std::to_string(smiles_ + 1) +
           " would be both the SMILES and the weight or group; name each column once");
  }

  std::vector<std::string> target_names() const {
    if (!format_.named.empty()) return format_.named;
    if (names_.empty()) return numbered_targets(targets_.size());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < targets_.size(); ++k)
      names.push_back(targets_[k] ? names_[*targets_[k]] : format_.targets[k]);
    return names;
  }

  /// Rows that are not learned from may lack it; nothing, too, where none is wanted.
  std::optional<std::size_t> column(const std::string& wanted, const std::string& parameter) const {
    if (wanted.empty()) return std::nullopt;
    const auto found = column_of(wanted, names_, count_);
    if (!found && !format_.facts.may_lack_labels)
      fail(no_column(wanted, parameter, names_, count_));
    return found;
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
  std::optional<std::size_t> label_, id_, weight_, group_;
  std::vector<std::optional<std::size_t>> targets_;
};

}  // namespace

std::string wrong_field_count(std::size_t fields, std::size_t first) {
  return "has " + std::to_string(fields) + (fields == 1 ? " field" : " fields") +
         ", but the first line has " + std::to_string(first) + "; every row needs the same number";
}

bool name_molecule_columns(std::span<const std::string_view> fields, const MoleculeFormat& format) {
  const auto names = [&](const std::string& wanted) {
    return !wanted.empty() && wanted != "none" && wanted != "auto" && !parse_integer(wanted) &&
           std::ranges::any_of(fields, [&](std::string_view f) { return trimmed(f) == wanted; });
  };
  return names(format.smiles) || names(format.label) || names(format.id) || names(format.weight) ||
         names(format.groups) || std::ranges::any_of(format.targets, names) ||
         std::ranges::any_of(fields, [](std::string_view f) {
           return lower_case(f).find("smiles") != std::string::npos;
         });
}

std::size_t smiles_column(const MoleculeFormat& format, std::span<const std::string> names,
                          std::size_t columns,
                          const std::function<void(const std::string&)>& fail) {
  if (format.smiles != "auto") {
    const auto found = column_of(format.smiles, names, columns);
    if (!found) fail(no_column(format.smiles, "smiles", names, columns));
    return *found;
  }
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
