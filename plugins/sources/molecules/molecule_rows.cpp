// SPDX-License-Identifier: MIT
#include "molecules/molecule_rows.hpp"

#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {
bool is_sdf_name(const std::string& file) { return has_ending(file, {".sdf", ".sd", ".mol"}); }

bool is_smi_name(const std::string& file) {
  return has_ending(file, {".smi", ".smiles", ".ism", ".cxsmiles"});
}

void append_molecule(const ReadMolecule& read, const std::string& file,
                     const MoleculeFormat& format, MoleculeRows& rows, Context& context) {
  const std::string place = "line " + std::to_string(read.line);
  rows.append(read.facts, format.facts,
              [&](const std::string& what) { throw DataError(file, place, what); });
  const bool left_out = rows.labels.back() == left_out_label;
  rows.molecules.emplace_back(left_out ? std::string_view() : read.molecule);
  rows.notations.push_back(read.notation);
  rows.lines.push_back(read.line);
  rows.text_bytes += double(read.molecule.size());
  check_fits(rows.bytes(), "the molecules so far", file, place, context);
}

void read_molecules(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
                    Context& context) {
  const std::size_t before = rows.rows();
  if (format.format == "sdf" || (format.format == "auto" && is_sdf_name(file)))
    read_sdf(file, format, rows, context);
  else
    read_smiles_table(file, format, rows, context);
  if (rows.rows() == before)
    throw DataError(file, "", "holds no molecules; check that it is the right file");
}

}  // namespace semblance::sources
