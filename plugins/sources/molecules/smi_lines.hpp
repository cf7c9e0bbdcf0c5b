// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "molecules/molecule_rows.hpp"

namespace semblance::sources {

/// The lines of .smi files: a SMILES, its extension |...| if it has one (CXSMILES), and the name,
/// which is the rest of the line. Fields are separated by tabs, or by blanks, where the first line
/// has three or more: by tabs, by a header's names, or as the numbers of wanted columns say.
class SmiLines {
 public:
  /// `first`: the first line with content.
  SmiLines(std::string_view first, const MoleculeFormat& format);

  /// Whether a file is read in this form: it has the name, and its first line is no table with
  /// commas or semicolons.
  static bool suits(const std::string& file);
  /// The same for a first line.
  static bool suits(const std::string& name, std::string_view first);
  /// Whether a line is blank or a comment, which begins with #.
  static bool is_empty(std::string_view line);

  /// Whether the first line names the columns.
  bool header() const noexcept { return header_; }
  /// `fields` are views of the line.
  void split(std::string_view line, std::vector<std::string_view>& fields) const;

 private:
  enum class Fields { name, words, tabs };
  Fields fields_ = Fields::name;
  bool header_ = false;
};

}  // namespace semblance::sources
