// SPDX-License-Identifier: MIT
#include "molecules/smi_lines.hpp"

#include <algorithm>

#include "text/line_reader.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

constexpr const char* blanks = " \t";

/// Cuts a SMILES and its extension off the front of a line without blanks at its ends.
std::string_view take_smiles(std::string_view& line) {
  std::size_t end = std::min(line.find_first_of(blanks), line.size());
  const std::size_t after = line.find_first_not_of(blanks, end);
  if (after != line.npos && line[after] == '|')
    if (const std::size_t closed = line.find('|', after + 1); closed != line.npos) end = closed + 1;
  const std::string_view smiles = line.substr(0, end);
  line = trimmed(line.substr(end));
  return smiles;
}

void split_words(std::string_view line, std::vector<std::string_view>& fields) {
  line = trimmed(line);
  fields.assign(1, take_smiles(line));
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    fields.push_back(line.substr(0, end));
    line = trimmed(line.substr(end));
  }
}

void split_tabs(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t tab = std::min(line.find('\t'), line.size());
    fields.push_back(trimmed(line.substr(0, tab)));
    if (tab == line.size()) return;
    line.remove_prefix(tab + 1);
  }
}

/// Whether a wanted column has a number beyond those of the SMILES and the name.
bool wants_words(const MoleculeFormat& format) {
  const auto counted = [](const std::string& column, std::int64_t most) {
    const auto number = parse_integer(column);
    return number && (*number < 1 || *number > most);
  };
  return counted(format.smiles, 1) || std::ranges::any_of(format.all(), [&](const auto& fact) {
           return counted(fact.first, 2);
         });
}

}  // namespace

SmiLines::SmiLines(std::string_view first, const MoleculeFormat& format) {
  std::vector<std::string_view> words, tabs;
  split_words(first, words);
  split_tabs(first, tabs);
  const std::vector<std::string_view>& names = tabs.size() > 2 ? tabs : words;
  header_ = format.header == "present" ||
            (format.header == "auto" && name_molecule_columns(names, format));
  if (tabs.size() > 2)
    fields_ = Fields::tabs;
  else if (header_ ? words.size() > 2 && tabs.size() < 2 : wants_words(format))
    fields_ = Fields::words;
}

bool SmiLines::suits(const std::string& name, std::string_view first) {
  const std::string_view smiles = trimmed(first).substr(0, trimmed(first).find_first_of(blanks));
  return is_smi_name(name) && smiles.find_first_of(",;\"") == smiles.npos;
}

bool SmiLines::suits(const std::string& file) {
  if (!is_smi_name(file)) return false;
  LineReader lines(file);
  std::string_view line;
  while (lines.next(line))
    if (!is_empty(line)) return suits(file, line);
  return false;
}

bool SmiLines::is_empty(std::string_view line) {
  return trimmed(line).empty() || trimmed(line).front() == '#';
}

void SmiLines::split(std::string_view line, std::vector<std::string_view>& fields) const {
  if (fields_ == Fields::tabs) return split_tabs(line, fields);
  if (fields_ == Fields::words) return split_words(line, fields);
  line = trimmed(line);
  const std::string_view smiles = take_smiles(line);
  fields = {smiles, line};
}

}  // namespace semblance::sources
