// SPDX-License-Identifier: MIT
#include <map>

#include "molecules/molecule_rows.hpp"
#include "semblance/error.hpp"
#include "text/line_reader.hpp"
#include "text_values.hpp"

namespace semblance::sources {
namespace {

class SdfReader {
 public:
  SdfReader(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows)
      : lines_(file), format_(format), rows_(rows) {
    if (rows_.targets.empty() && !format_.targets.empty()) rows_.targets.set_names(format_.targets);
  }

  void read(Context& context) {
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 1024 == 0) context.check_stop();
      if (line.starts_with("$$$$")) {
        append(context);
        continue;
      }
      if (first_line_ == 0) first_line_ = lines_.number();
      take(line);
    }
    // A mol file is one record without its end; blank lines may follow the last record.
    if (in_properties_) append(context);
    if (trimmed(block_).find_first_not_of('\n') != std::string_view::npos)
      throw DataError(lines_.path(), "line " + std::to_string(first_line_),
                      "the record that begins here has no line 'M  END'; the file is cut short or "
                      "is not SDF");
  }

 private:
  void take(std::string_view line) {
    if (!in_properties_) {
      block_.append(line).push_back('\n');
      in_properties_ = line.starts_with("M  END");
      return;
    }
    if (line.starts_with('>')) {
      const std::size_t begin = line.find('<'), end = line.rfind('>');
      property_ = begin != line.npos && end > begin ? line.substr(begin + 1, end - begin - 1)
                                                    : std::string_view();
      properties_[property_].clear();
    } else if (line.empty()) {
      property_.clear();
    } else if (!property_.empty()) {
      std::string& value = properties_[property_];
      if (!value.empty()) value.push_back('\n');
      value.append(line);
    }
  }

  /// A property that a record lacks is a missing value, unless all records may lack it.
  std::optional<std::string_view> property(const std::string& name) const {
    const auto found = properties_.find(name);
    if (found != properties_.end()) return found->second;
    if (format_.may_lack_labels) return std::nullopt;
    return std::string_view();
  }

  void append(Context& context) {
    if (!in_properties_)
      throw DataError(lines_.path(),
                      "line " + std::to_string(first_line_ ? first_line_ : lines_.number()),
                      "the record that begins here has no line 'M  END'; the file is cut short or "
                      "is not SDF");
    ReadMolecule read;
    read.molecule = block_;
    read.notation = MoleculeNotation::mol_block;
    read.line = first_line_;
    if (format_.label != "none") read.label = property(format_.label);
    for (const std::string& target : format_.targets) read.targets.push_back(property(target));
    const std::string_view title = std::string_view(block_).substr(0, block_.find('\n'));
    read.name = trimmed(title);
    if (!format_.id.empty()) read.name = property(format_.id).value_or(std::string_view());
    append_molecule(read, lines_.path(), format_, rows_, context);
    block_.clear();
    properties_.clear();
    property_.clear();
    in_properties_ = false;
    first_line_ = 0;
  }

  LineReader lines_;
  const MoleculeFormat& format_;
  MoleculeRows& rows_;
  std::string block_;
  std::map<std::string, std::string, std::less<>> properties_;
  std::string property_;  ///< whose lines follow
  bool in_properties_ = false;
  std::size_t first_line_ = 0;  ///< of the record
};

}  // namespace

void read_sdf(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
              Context& context) {
  SdfReader(file, format, rows).read(context);
}

}  // namespace semblance::sources
