// SPDX-License-Identifier: MIT
#include "molecules/molecule_rows.hpp"

#include <algorithm>
#include <initializer_list>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

/// Whether a file's name, without that of its compression, has one of these endings.
bool has_ending(const std::string& file, std::initializer_list<const char*> endings) {
  std::string name = lower_case(file);
  for (const char* packed : {".gz", ".xz", ".bz2", ".zst"})
    if (name.ends_with(packed)) name.resize(name.rfind('.'));
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

}  // namespace

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
