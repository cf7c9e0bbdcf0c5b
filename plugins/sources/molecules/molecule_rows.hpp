// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/fingerprint.hpp"
#include "rows/fact_columns.hpp"
#include "rows/row_facts.hpp"
#include "semblance/context.hpp"
#include "semblance/row_lines.hpp"

namespace semblance::sources {

/// How files of molecules are to be read. Columns are those of a table, or properties in an SDF
/// file.
struct MoleculeFormat : FactNames {
  std::string format = "auto";          ///< smiles, sdf; auto: by the file's name
  std::string header = "auto";          ///< of a table: auto, present, absent
  std::string smiles = "auto";          ///< name or number of a column, or auto
  std::vector<std::string> named = {};  ///< names of the targets, if they are known already
  FactRules facts = {};
};

/// Molecules of one or several files, as texts.
struct MoleculeRows : RowFacts {
  std::vector<std::string> molecules;  ///< empty if the row is left out
  std::vector<MoleculeNotation> notations;
  std::vector<std::size_t> lines;  ///< the first line of each
  double text_bytes = 0;

  /// The approximate memory in bytes.
  double bytes() const noexcept {
    return RowFacts::bytes() + text_bytes + double(rows()) * (sizeof(std::string) + 16);
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

/// Reads molecules for a model from lines, in the same way as a table of SMILES. `file`: the name
/// of the file that the model was trained with.
std::unique_ptr<RowLines> molecule_lines(std::string file, MoleculeFormat format,
                                         FingerprintForm form);

/// Records of a mol block and properties, each ended by a line `$$$$`.
void read_sdf(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
              Context& context);

/// One row as it was read.
struct ReadMolecule {
  std::string_view molecule;
  MoleculeNotation notation = MoleculeNotation::smiles;
  FactTexts facts = {};
  std::size_t line = 0;
};

/// Appends a row of `file`. Throws DataError if what is known of it is wrong.
void append_molecule(const ReadMolecule& read, const std::string& file,
                     const MoleculeFormat& format, MoleculeRows& rows, Context& context);

}  // namespace semblance::sources
