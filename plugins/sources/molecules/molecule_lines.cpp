// SPDX-License-Identifier: MIT
#include "molecules/molecule_lines.hpp"

#include <algorithm>

#include "semblance/error.hpp"
#include "text/csv_records.hpp"
#include "text_values.hpp"

namespace semblance::sources {

bool MoleculeLines::is_preamble(std::string_view line) {
  const char named = named_separator(line);
  if (begun_ || named == 0) return false;
  separator_ = named;
  begun_ = true;
  return true;
}

void MoleculeLines::find_separator(std::string_view line) {
  if (begun_) return;
  if (SmiLines::suits(file_, line)) {
    smi_.emplace(line, format_);
    begun_ = true;
    return;
  }
  std::string problem;
  separator_ = separator_of(table_, line, problem);
  if (!problem.empty()) throw Error(problem);
  begun_ = true;
}

bool MoleculeLines::is_open(std::string_view lines) {
  find_separator(lines);
  return !smi_ && split_fields(lines, separator_, fields_, owned_) == FieldSplit::open_quote;
}

void MoleculeLines::split(std::string_view line) {
  find_separator(line);
  if (smi_) return smi_->split(line, fields_);
  if (split_fields(line, separator_, fields_, owned_) == FieldSplit::complete) return;
  throw Error("a quote is opened and not closed, or text follows a quoted field; correct it");
}

bool MoleculeLines::is_header(std::string_view line) {
  if (trimmed(line).empty()) return false;
  split(line);
  return smi_ ? smi_->header() : name_molecule_columns(fields_, format_);
}

void MoleculeLines::find_smiles(std::span<const std::string> names) {
  columns_ = fields_.size();
  smiles_ =
      smiles_column(format_, names, columns_, [](const std::string& what) { throw Error(what); });
}

void MoleculeLines::read_header(std::string_view line) {
  split(line);
  std::vector<std::string> names;
  for (const std::string_view field : fields_) names.emplace_back(trimmed(field));
  find_smiles(names);
}

void MoleculeLines::read_row(std::string_view line, std::span<float> values) {
  split(line);
  if (columns_ == 0) find_smiles({});
  if (fields_.size() != columns_) throw Error(wrong_field_count(fields_.size(), columns_));
  const std::string smiles(trimmed(fields_[smiles_]));
  const QuietRdkit quiet;
  const Fingerprint print = make_fingerprint(smiles, MoleculeNotation::smiles, form_);
  if (!print.problem.empty())
    throw Error("the SMILES " + in_quotes(smiles) + " " + print.problem + "; correct it");
  std::ranges::fill(values, 0.0F);
  for (std::size_t k = 0; k < print.values.size(); ++k) values[print.columns[k]] = print.values[k];
}

}  // namespace semblance::sources
