// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "class_names.hpp"
#include "molecules/fingerprint.hpp"
#include "semblance/context.hpp"
#include "target_numbers.hpp"

namespace semblance::sources {

/// How files of molecules are to be read. Columns are those of a table, or properties in an SDF
/// file.
struct MoleculeFormat {
  std::string format = "auto";            ///< smiles, sdf; auto: by the file's name
  std::string header = "auto";            ///< of a table: auto, present, absent
  std::string smiles = "auto";            ///< name or number of a column, or auto
  std::string label = "none";             ///< name or number of a column, or none
  std::vector<std::string> targets = {};  ///< names or numbers of columns
  std::string id = {};                    ///< name or number of a column; empty: none
  std::vector<std::string> named = {};    ///< names of the targets, if they are known already
  bool may_lack_labels = false;           ///< and targets
  LabelRule labels = {};
  bool new_classes = true;  ///< whether classes may occur that no previous file had
};

/// Molecules of one or several files, as texts.
struct MoleculeRows {
  std::vector<std::string> molecules;  ///< empty if the row is left out
  std::vector<MoleculeNotation> notations;
  std::vector<std::size_t> lines;  ///< the first line of each
  std::vector<std::int32_t> labels;
  std::vector<std::string> names;  ///< one per row, or none at all
  TargetNumbers targets;
  ClassNames classes;
  double text_bytes = 0;

  std::size_t rows() const noexcept { return labels.size(); }
  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return text_bytes + double(rows()) * (2 * sizeof(std::string) + 16) + double(classes.bytes()) +
           targets.bytes();
  }
};

/// Whether a file of this name is SDF: .sdf, .sd or .mol, plain or compressed.
bool is_sdf_name(const std::string& file);

/// Whether a file of this name has lines of SMILES and names: .smi, .smiles, .ism or .cxsmiles,
/// plain or compressed.
bool is_smi_name(const std::string& file);

/// Appends the molecules of a file: a table with a column of SMILES, or SDF. Throws DataError
/// naming the line and the problem.
void read_molecules(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
                    Context& context);

/// One molecule per line, with fields separated by commas, semicolons, tabs or blanks.
void read_smiles_table(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
                       Context& context);

/// Whether the fields of a first line name the columns: one contains "smiles", or is the name of a
/// column that the format names.
bool name_molecule_columns(std::span<const std::string_view> fields, const MoleculeFormat& format);

/// The column of SMILES among `columns` with these names, or without names. `fail` takes the
/// problem, and does not return.
std::size_t smiles_column(const MoleculeFormat& format, std::span<const std::string> names,
                          std::size_t columns, const std::function<void(const std::string&)>& fail);

/// The message about a line with another number of fields than the first.
std::string wrong_field_count(std::size_t fields, std::size_t first);

/// Records of a mol block and properties, each ended by a line `$$$$`.
void read_sdf(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
              Context& context);

/// One row as it was read.
struct ReadMolecule {
  std::string_view molecule;
  MoleculeNotation notation = MoleculeNotation::smiles;
  std::optional<std::string_view> label = {};  ///< none: the file has no such column
  std::vector<std::optional<std::string_view>> targets = {};
  std::string_view name = {};
  std::size_t line = 0;
};

/// Appends a row of `file`. Throws DataError if its label or a target is wrong.
void append_molecule(const ReadMolecule& read, const std::string& file,
                     const MoleculeFormat& format, MoleculeRows& rows, Context& context);

}  // namespace semblance::sources
