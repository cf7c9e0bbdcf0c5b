// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/smi_lines.hpp"
#include "semblance/row_lines.hpp"
#include "text/column_roles.hpp"

namespace semblance::sources {

/// Reads molecules for a model from lines, in the same way as a table of SMILES.
class MoleculeLines final : public RowLines {
 public:
  /// `file`: the name of the file that the model was trained with.
  MoleculeLines(std::string file, MoleculeFormat format, FingerprintForm form)
      : file_(std::move(file)), format_(std::move(format)), form_(form) {
    format_.header = "auto";
  }

  bool is_preamble(std::string_view line) override;
  bool is_open(std::string_view lines) override;
  bool is_header(std::string_view line) override;
  void read_header(std::string_view line) override;
  void read_row(std::string_view line, std::span<float> values) override;

 private:
  void find_separator(std::string_view line);
  void split(std::string_view line);
  void find_smiles(std::span<const std::string> names);

  std::string file_;
  MoleculeFormat format_;
  FingerprintForm form_;
  TableFormat table_;
  bool begun_ = false;  ///< the separator is known
  char separator_ = 0;
  std::optional<SmiLines> smi_;  ///< in place of a separator
  std::size_t columns_ = 0;      ///< 0: not known
  std::size_t smiles_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<std::string> owned_;
};

}  // namespace semblance::sources
