// SPDX-License-Identifier: MIT
#include "molecules/molecule_lines.hpp"

#include <algorithm>
#include <utility>

#include "semblance/error.hpp"
#include "text_values.hpp"

namespace semblance::sources {

/// As the first line shows.
bool MoleculeLines::is_smi(std::string_view line) {
  if (!std::exchange(begun_, true) && SmiLines::suits(file_, line)) smi_.emplace(line, molecules_);
  return smi_.has_value();
}

void MoleculeLines::take(std::string_view line) {
  if (is_smi(line))
    smi_->split(line, fields_);
  else
    split(line);
}

bool MoleculeLines::is_header(std::string_view line) {
  if (trimmed(line).empty()) return false;
  take(line);
  return smi_ ? smi_->header() : name_molecule_columns(fields_, molecules_);
}

void MoleculeLines::find_smiles(std::span<const std::string> names) {
  columns_ = fields_.size();
  smiles_ = smiles_column(molecules_, names, columns_,
                          [](const std::string& what) { throw Error(what); });
}

void MoleculeLines::read_header(std::string_view line) {
  take(line);
  std::vector<std::string> names;
  for (const std::string_view field : fields_) names.emplace_back(trimmed(field));
  find_smiles(names);
}

void MoleculeLines::read_row(std::string_view line, std::span<float> values) {
  take(line);
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
