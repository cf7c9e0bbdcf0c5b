// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/smi_lines.hpp"
#include "text/csv_records.hpp"

namespace semblance::sources {

/// Reads molecules for a model from lines, in the same way as a table of SMILES.
class MoleculeLines final : public TableRowLines {
 public:
  /// `file`: the name of the file that the model was trained with.
  MoleculeLines(std::string file, MoleculeFormat format, FingerprintForm form)
      : TableRowLines({}), file_(std::move(file)), molecules_(std::move(format)), form_(form) {
    molecules_.header = "auto";
  }

  bool is_open(std::string_view lines) override {
    return !is_smi(lines) && TableRowLines::is_open(lines);
  }
  bool is_header(std::string_view line) override;
  void read_header(std::string_view line) override;
  void read_row(std::string_view line, std::span<float> values) override;

 private:
  bool is_smi(std::string_view line);
  void take(std::string_view line);
  void find_smiles(std::span<const std::string> names);

  std::string file_;
  MoleculeFormat molecules_;
  FingerprintForm form_;
  bool begun_ = false;           ///< it is known whether lines are those of .smi files
  std::optional<SmiLines> smi_;  ///< in place of a separator
  std::size_t columns_ = 0;      ///< 0: not known
  std::size_t smiles_ = 0;
};

}  // namespace semblance::sources
