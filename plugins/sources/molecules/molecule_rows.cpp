// SPDX-License-Identifier: MIT
#include "molecules/molecule_rows.hpp"

#include <algorithm>
#include <initializer_list>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

std::int32_t label_of(const ReadMolecule& read, const MoleculeFormat& format, MoleculeRows& rows,
                      const std::string& file) {
  if (!read.label) return no_label;
  const std::string place = "line " + std::to_string(read.line);
  const auto refuse = [&](const std::string& what) {
    throw DataError(file, place, "the label " + what);
  };
  const std::string_view label = trimmed(*read.label);
  if (format.labels.is_missing(label)) return format.labels.number_of_missing(label, refuse);
  if (!is_utf8(label)) refuse("is not UTF-8 text; save the file as UTF-8");
  if (!format.new_classes && !rows.classes.knows(label))
    throw DataError(file, place,
                    "its class " + in_quotes(label) +
                        " has no training rows; check the files, or set 'new_test_classes: true'");
  return rows.classes.add(label);
}

void append_targets(const ReadMolecule& read, const MoleculeFormat& format, MoleculeRows& rows,
                    const std::string& file) {
  NumberForm form(false);
  for (std::size_t k = 0; k < read.targets.size(); ++k) {
    if (!read.targets[k]) {
      rows.targets.add_unknown();
      continue;
    }
    rows.targets.add(
        k, trimmed(*read.targets[k]), form, format.labels, [&](const std::string& what) {
          throw DataError(file, "line " + std::to_string(read.line),
                          "the target " + in_quotes(rows.targets.names()[k]) + " " + what);
        });
  }
}

/// Whether a file's name, without that of its compression, has one of these endings.
bool has_ending(const std::string& file, std::initializer_list<const char*> endings) {
  std::string name = lower_case(file);
  for (const char* packed : {".gz", ".xz", ".bz2", ".zst"})
    if (name.ends_with(packed)) name.resize(name.rfind('.'));
  return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

bool is_left_out(const ReadMolecule& read, const MoleculeFormat& format) {
  const auto lacks = [&](const std::optional<std::string_view>& text) {
    return text && format.labels.leaves_out(trimmed(*text));
  };
  return lacks(read.label) || std::ranges::any_of(read.targets, lacks);
}

}  // namespace

bool is_sdf_name(const std::string& file) { return has_ending(file, {".sdf", ".sd", ".mol"}); }

bool is_smi_name(const std::string& file) {
  return has_ending(file, {".smi", ".smiles", ".ism", ".cxsmiles"});
}

void append_molecule(const ReadMolecule& read, const std::string& file,
                     const MoleculeFormat& format, MoleculeRows& rows, Context& context) {
  const std::string place = "line " + std::to_string(read.line);
  const bool left_out = is_left_out(read, format);
  if (left_out) {
    rows.targets.add_unknown_rows(1);
    rows.labels.push_back(left_out_label);
  } else {
    append_targets(read, format, rows, file);
    rows.labels.push_back(label_of(read, format, rows, file));
  }
  if (!is_utf8(read.name))
    throw DataError(file, place, "the molecule's name is not UTF-8 text; save the file as UTF-8");
  rows.molecules.emplace_back(left_out ? std::string_view() : read.molecule);
  rows.notations.push_back(read.notation);
  rows.lines.push_back(read.line);
  if (!read.name.empty() || !rows.names.empty()) {
    rows.names.resize(rows.rows() - 1);
    rows.names.emplace_back(read.name);
  }
  rows.text_bytes += double(read.molecule.size() + read.name.size());
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
