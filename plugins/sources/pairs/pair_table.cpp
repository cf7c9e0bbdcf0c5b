// SPDX-License-Identifier: MIT
#include "pairs/pair_table.hpp"

#include <optional>
#include <unordered_map>

#include "memory_limit.hpp"
#include "semblance/error.hpp"
#include "text/csv_records.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

SideSamples::SideSamples(const Dataset& samples, const std::string& side, Naming naming)
    : side_(side), naming_(naming) {
  const std::size_t count = samples.outline().rows();
  names_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t from = naming == Naming::from_1 ? 1 : 0;
    std::string name = naming == Naming::by_name ? std::string(trimmed(samples.name(i)))
                                                 : std::to_string(samples.number(i) + from);
    if (name.empty())
      throw Error("the samples of '" + side +
                  "' have no names; give its source the column that names them ('id'), or set '" +
                  side + "_named: from_0' (or from_1) if the pairs name them by their position");
    if (!positions_.try_emplace(name, static_cast<std::uint32_t>(i)).second)
      throw Error("two samples of '" + side + "' have the name " + in_quotes(name) +
                  ", so that pairs with it are ambiguous; remove one");
    names_.push_back(std::move(name));
  }
}

std::uint32_t SideSamples::find(std::string_view id) const {
  const auto found = positions_.find(std::string(id));
  if (found != positions_.end()) return found->second;
  const std::string all = std::to_string(names_.size());
  if (naming_ == Naming::by_name)
    throw Error("names the sample " + in_quotes(id) + ", but none of the " + all + " of '" + side_ +
                "' has this name; add it there, or remove the pair");
  throw Error("is " + in_quotes(id) + ", but '" + side_ + "' has " + all +
              " samples, numbered from " + (naming_ == Naming::from_0 ? "0" : "1") +
              "; correct it, or set '" + side_ + "_named'");
}

namespace {

class PairReader {
 public:
  PairReader(const std::string& file, const TableFormat& format, const PairColumns& columns,
             const std::array<const SideSamples*, 2>& sides, PairTable& table)
      : lines_(file),
        format_(format),
        wanted_(columns),
        sides_(sides),
        table_(table),
        numbers_(format.decimal_comma),
        records_(lines_, format) {
    for (std::size_t i = 0; i < table.pairs.size(); ++i) known_.emplace(key(table.pairs[i]), i);
  }

  void read(Context& context) {
    bool first = true;
    while (records_.next(fields_)) {
      if (lines_.number() % 4096 == 0) context.check_stop();
      if (std::exchange(first, false)) {
        fields_in_line_ = fields_.size();
        if (take_first_line()) continue;
      }
      if (fields_.size() != fields_in_line_)
        fail("has " + std::to_string(fields_.size()) + " fields, but the first line has " +
             std::to_string(fields_in_line_) + "; every row needs the same number");
      append();
      if (table_.pairs.size() % 65536 == 0)
        check_fits(48.0 * double(table_.pairs.size()), "the pairs so far", lines_.path(),
                   lines_.place(), context);
    }
    if (first) throw DataError(lines_.path(), "", "is empty; check that it is the right file");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(lines_.path(), lines_.place(), what);
  }

  static std::uint64_t key(const std::array<std::uint32_t, 2>& pair) {
    return (std::uint64_t{pair[0]} << 32) | pair[1];
  }

  bool is_header() const {
    if (format_.header != "auto") return format_.header == "present";
    const auto names = [&](const std::string& wanted) {
      return wanted != "none" && !parse_integer(wanted) &&
             std::ranges::any_of(fields_, [&](auto field) { return trimmed(field) == wanted; });
    };
    return names(wanted_.ids[0]) || names(wanted_.ids[1]) || names(wanted_.label) ||
           std::ranges::any_of(wanted_.targets, names);
  }

  std::optional<std::size_t> column(const std::string& wanted, const char* parameter,
                                    bool may_lack) const {
    const auto found = column_of(wanted, names_, fields_.size());
    if (!found && !may_lack)
      fail("there is no column " + in_quotes(wanted) + " for '" + parameter + "' in its " +
           std::to_string(fields_.size()) +
           " columns; name one of the first line, or give a number from 1");
    return found;
  }

  /// Finds the columns; returns whether the line is a header.
  bool take_first_line() {
    const bool header = is_header();
    if (header)
      for (const std::string_view name : fields_) names_.emplace_back(trimmed(name));
    ids_ = {*column(wanted_.ids[0], "first_id", false),
            *column(wanted_.ids[1], "second_id", false)};
    if (wanted_.label != "none") label_ = column(wanted_.label, "label", wanted_.may_lack_labels);
    for (const std::string& target : wanted_.targets)
      targets_.push_back(column(target, "target", wanted_.may_lack_labels));
    std::vector<std::size_t> used = {ids_[0], ids_[1]};
    for (const auto& other : targets_)
      if (other) used.push_back(*other);
    if (label_) used.push_back(*label_);
    std::ranges::sort(used);
    if (const auto twice = std::ranges::adjacent_find(used); twice != used.end())
      fail("column " + std::to_string(*twice + 1) +
           " would have two meanings; name a different column in each of 'first_id', "
           "'second_id', 'label' and 'target'");
    if (table_.targets.empty() && !targets_.empty()) table_.targets.set_names(target_names());
    return header;
  }

  std::vector<std::string> target_names() const {
    if (!wanted_.named.empty()) return wanted_.named;
    if (names_.empty()) return numbered_targets(targets_.size());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < targets_.size(); ++k)
      names.push_back(targets_[k] ? names_[*targets_[k]] : wanted_.targets[k]);
    return names;
  }

  std::uint32_t sample(std::size_t side) const {
    try {
      return sides_[side]->find(trimmed(fields_[ids_[side]]));
    } catch (const Error& error) {
      fail("column " + std::to_string(ids_[side] + 1) + " " + error.what());
    }
  }

  bool lacks_label() const {
    const auto lacks = [&](const std::optional<std::size_t>& c) {
      return c && format_.labels.leaves_out(trimmed(fields_[*c]));
    };
    return lacks(label_) || std::ranges::any_of(targets_, lacks);
  }

  std::int32_t read_label() {
    if (!label_) return no_label;
    const std::string_view text = trimmed(fields_[*label_]);
    const auto refuse = [&](const std::string& what) { fail("the label " + what); };
    if (!is_utf8(text)) refuse("is not UTF-8 text; save the file as UTF-8");
    if (!format_.labels.is_missing(text) && !wanted_.new_classes && !table_.classes.knows(text))
      fail("its class " + in_quotes(text) + " has no training pairs; check the files");
    return format_.labels.number(text, table_.classes, refuse);
  }

  void read_targets() {
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      if (!targets_[k]) {
        table_.targets.add_unknown();
        continue;
      }
      table_.targets.add(
          k, trimmed(fields_[*targets_[k]]), numbers_, format_.labels,
          [&](const std::string& what) {
            fail("the target in column " + std::to_string(*targets_[k] + 1) + " " + what);
          });
    }
  }

  /// Whether the pair just read was read before, with the same label and targets.
  bool repeats(std::size_t before, std::int32_t label) const {
    const auto& values = table_.targets.all().values;
    const std::size_t width = targets_.size();
    const bool same = table_.labels[before] == label &&
                      std::equal(values.end() - static_cast<std::ptrdiff_t>(width), values.end(),
                                 values.begin() + static_cast<std::ptrdiff_t>(before * width));
    if (!same)
      fail("has the pair " + in_quotes(sides_[0]->name(table_.pairs[before][0])) + " and " +
           in_quotes(sides_[1]->name(table_.pairs[before][1])) + " of line " +
           std::to_string(table_.lines[before]) + " with another " +
           (width > 0 ? "target" : "label") +
           "; a pair can have only one: correct it, or give "
           "the mean");
    return true;
  }

  void append() {
    const std::int64_t number = table_.read++;
    if (lacks_label()) {
      ++table_.unlabelled;
      return;
    }
    const std::array<std::uint32_t, 2> pair = {sample(0), sample(1)};
    const std::int32_t label = read_label();
    read_targets();
    if (!wanted_.may_lack_labels) {
      const auto [at, fresh] = known_.emplace(key(pair), table_.pairs.size());
      if (!fresh && repeats(at->second, label)) {
        ++table_.repeated;
        return table_.targets.remove_last();
      }
    }
    table_.pairs.push_back(pair);
    table_.labels.push_back(label);
    table_.numbers.push_back(number);
    table_.lines.push_back(lines_.number());
  }

  LineReader lines_;
  const TableFormat& format_;
  const PairColumns& wanted_;
  std::array<const SideSamples*, 2> sides_;
  PairTable& table_;
  NumberForm numbers_;
  CsvRecords records_;
  std::vector<std::string_view> fields_;
  std::size_t fields_in_line_ = 0;
  std::vector<std::string> names_;
  std::array<std::size_t, 2> ids_{};
  std::optional<std::size_t> label_;
  std::vector<std::optional<std::size_t>> targets_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
};

}  // namespace

void read_pairs(const std::string& file, const TableFormat& format, const PairColumns& columns,
                const std::array<const SideSamples*, 2>& sides, PairTable& table,
                Context& context) {
  PairReader(file, format, columns, sides, table).read(context);
}

}  // namespace semblance::sources
