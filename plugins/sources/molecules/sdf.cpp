// SPDX-License-Identifier: MIT
#include <map>
#include <set>

#include "files/line_reader.hpp"
#include "molecules/molecule_rows.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\n") == text.npos; }

/// The name in a data header, which begins with >: `>  <IC50>  (12)`. Empty: it has none.
std::string_view name_in(std::string_view header) {
  const std::size_t begin = header.find('<');
  const std::size_t end = header.find('>', std::min(begin, header.size()));
  return end == header.npos ? std::string_view() : header.substr(begin + 1, end - begin - 1);
}

/// The records of an SDF file, one at a time: a mol block, then properties, each a header, the
/// lines of its value and an empty line; then `$$$$`.
class SdfRecords {
 public:
  SdfRecords(const std::string& file, Context& context) : lines_(file), context_(context) {}

  const std::string& file() const noexcept { return lines_.path(); }
  const std::string& block() const noexcept { return block_; }
  std::size_t first_line() const noexcept { return first_line_; }
  const std::map<std::string, std::string, std::less<>>& properties() const noexcept {
    return properties_;
  }
  /// The properties of the record whose values lose lines, since an empty one comes before these.
  const std::map<std::string, std::size_t, std::less<>>& cut() const noexcept { return cut_; }

  /// False at the end.
  bool next() {
    clear();
    std::string_view line;
    while (lines_.next(line)) {
      if (lines_.number() % 1024 == 0) context_.check_stop();
      if (first_line_ == 0) first_line_ = lines_.number();
      if (line.starts_with("$$$$")) {
        check_end();
        return true;
      }
      take(line);
    }
    // A mol file is one record without its end; blank lines may follow the last record.
    if (!in_properties_ && is_blank(block_)) return false;
    check_end();
    return true;
  }

 private:
  void clear() {
    block_.clear();
    properties_.clear();
    cut_.clear();
    value_ = nullptr;
    name_.clear();
    in_properties_ = in_value_ = false;
    first_line_ = bytes_ = 0;
  }

  void check_end() const {
    if (!in_properties_)
      throw DataError(lines_.path(), "line " + std::to_string(first_line_),
                      "the record that begins here has no line 'M  END'; the file is cut short or "
                      "is not SDF");
  }

  void take(std::string_view line) {
    bytes_ += line.size() + 1;
    constexpr std::size_t small = std::size_t{1} << 20;
    if (bytes_ > small)  // texts grow by doubling
      check_fits(3.0 * static_cast<double>(bytes_), "the record that ends after here", file(),
                 lines_.place(), context_);
    if (!in_properties_) {
      block_.append(line).push_back('\n');
      in_properties_ = line.starts_with("M  END");
    } else if (in_value_) {
      in_value_ = !line.empty();
      if (!in_value_ || !value_) return;
      if (!value_->empty()) value_->push_back('\n');
      value_->append(line);
    } else if (const std::string_view text = trimmed(line); text.starts_with('>')) {
      name_ = trimmed(name_in(text));
      value_ = name_.empty() ? nullptr : &properties_[name_];
      if (value_) value_->clear();
      in_value_ = true;
    } else if (!text.empty() && !name_.empty()) {
      cut_.try_emplace(name_, lines_.number());
    }
  }

  LineReader lines_;
  Context& context_;
  std::string block_;
  std::map<std::string, std::string, std::less<>> properties_;
  std::map<std::string, std::size_t, std::less<>> cut_;
  std::string name_;              ///< of the last header
  std::string* value_ = nullptr;  ///< whose lines follow
  bool in_properties_ = false;
  bool in_value_ = false;
  std::size_t first_line_ = 0;  ///< of the record
  std::size_t bytes_ = 0;       ///< of the record
};

class SdfReader {
 public:
  SdfReader(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
            Context& context)
      : record_(file, context), format_(format), rows_(rows), context_(context) {
    if (rows_.targets.empty() && !format_.targets.empty()) rows_.targets.set_names(format_.targets);
  }

  void read() {
    while (record_.next()) append();
  }

 private:
  /// A property that a record lacks is a missing value, unless all records may lack it.
  std::optional<std::string_view> property(const std::string& name, const char* parameter) {
    if (const auto cut = record_.cut().find(name); cut != record_.cut().end())
      throw DataError(record_.file(), "line " + std::to_string(cut->second),
                      "this line is behind the empty one that ends the value of " +
                          in_quotes(name) + "; remove one of the two");
    const auto found = record_.properties().find(name);
    if (found != record_.properties().end()) return trimmed(found->second);
    if (format_.facts.may_lack_labels) return std::nullopt;
    if (known_.insert(name).second) check_known(name, parameter);
    return std::string_view();
  }

  /// Throws DataError if no record has the property.
  void check_known(const std::string& name, const char* parameter) const {
    std::set<std::string> names;
    SdfRecords all(record_.file(), context_);
    while (all.next())
      for (const auto& [found, value] : all.properties()) names.insert(found);
    if (names.contains(name)) return;
    throw DataError(
        record_.file(), "",
        "no record has the property " + in_quotes(name) + " for '" + parameter + "'; " +
            (names.empty() ? "there are no properties"
                           : "properties are: " + enumerated({names.begin(), names.end()})));
  }

  void append() {
    ReadMolecule read;
    const std::string& block = record_.block();
    read.molecule = block;
    read.notation = MoleculeNotation::mol_block;
    read.line = record_.first_line();
    if (format_.label != "none") read.facts.label = property(format_.label, "label");
    for (const std::string& target : format_.targets)
      read.facts.targets.push_back(property(target, "target"));
    const std::string_view title = trimmed(std::string_view(block).substr(0, block.find('\n')));
    if (!format_.id.empty())
      read.facts.id = property(format_.id, "id");
    else if (!title.empty())
      read.facts.id = title;
    if (!format_.weight.empty()) read.facts.weight = property(format_.weight, "weight");
    if (!format_.groups.empty()) read.facts.group = property(format_.groups, "groups");
    append_molecule(read, record_.file(), format_, rows_, context_);
  }

  SdfRecords record_;
  const MoleculeFormat& format_;
  MoleculeRows& rows_;
  Context& context_;
  std::set<std::string> known_;  ///< properties that some record has, or that are being looked for
};

}  // namespace

void read_sdf(const std::string& file, const MoleculeFormat& format, MoleculeRows& rows,
              Context& context) {
  SdfReader(file, format, rows, context).read();
}

}  // namespace semblance::sources
