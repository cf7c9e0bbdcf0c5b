// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/molecule_rows.hpp"
#include "semblance/row_lines.hpp"
#include "text/column_roles.hpp"

namespace semblance::sources {

/// Reads molecules for a model from lines, in the same way as a table of SMILES.
class MoleculeLines final : public RowLines {
 public:
  MoleculeLines(MoleculeFormat format, FingerprintForm form)
      : format_(std::move(format)), form_(form) {}

  bool is_preamble(std::string_view line) override;
  bool is_open(std::string_view lines) override;
  bool is_header(std::string_view line) override;
  void read_header(std::string_view line) override;
  void read_row(std::string_view line, std::span<float> values) override;

 private:
  void find_separator(std::string_view line);
  void split(std::string_view line);
  void find_smiles(std::span<const std::string> names);

  MoleculeFormat format_;
  FingerprintForm form_;
  TableFormat table_;
  bool begun_ = false;  ///< the separator is known
  char separator_ = 0;
  std::size_t columns_ = 0;  ///< 0: not known
  std::size_t smiles_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<std::string> owned_;
};

}  // namespace semblance::sources
