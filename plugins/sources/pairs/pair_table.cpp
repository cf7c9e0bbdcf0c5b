// SPDX-License-Identifier: MIT
#include "pairs/pair_table.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "files/line_reader.hpp"
#include "rows/fact_columns.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "tables/csv_records.hpp"

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
  PairReader(const std::string& file, const PairFormat& format,
             const std::array<const SideSamples*, 2>& sides, PairTable& table)
      : lines_(file),
        format_(format),
        rules_(format.facts),
        sides_(sides),
        table_(table),
        records_(lines_, format) {
    rules_.name = [this](Fact fact, std::size_t k) {
      return fact == Fact::label ? std::string("the label")
                                 : "the target in column " + std::to_string(*facts_.targets[k] + 1);
    };
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

  /// Finds the columns; returns whether the line is a header.
  bool take_first_line() {
    FactNames all = format_;
    all.targets.insert(all.targets.end(), format_.ids.begin(), format_.ids.end());
    const bool header =
        format_.header == "auto" ? all.any_is_among(fields_) : format_.header == "present";
    std::vector<std::string> names;
    if (header)
      for (const std::string_view name : fields_) names.emplace_back(trimmed(name));
    const auto refuse = [this](const std::string& what) { fail(what); };
    for (std::size_t s = 0; s < 2; ++s)
      ids_[s] = required_column(format_.ids[s], s == 0 ? "first_id" : "second_id", names,
                                fields_.size(), refuse);
    if (ids_[0] == ids_[1])
      fail("'first_id' and 'second_id' both name column " + std::to_string(ids_[0] + 1) +
           "; give each its own");
    facts_ =
        find_facts(format_, names, fields_.size(), {{ids_[0], "first_id"}, {ids_[1], "second_id"}},
                   rules_.may_lack_labels, refuse);
    if (table_.targets.empty() && !facts_.targets.empty())
      table_.targets.set_names(facts_.target_names(format_, names, format_.named));
    return header;
  }

  std::uint32_t sample(std::size_t side) const {
    try {
      return sides_[side]->find(trimmed(fields_[ids_[side]]));
    } catch (const Error& error) {
      fail("column " + std::to_string(ids_[side] + 1) + " " + error.what());
    }
  }

  /// Whether the pair just read is that of a row before, which must have the same answers.
  bool repeats(const std::array<std::uint32_t, 2>& pair) {
    const auto [at, fresh] = known_.emplace(key(pair), table_.pairs.size());
    if (fresh) return false;
    const std::size_t before = at->second, width = table_.targets.names().size();
    const auto& values = table_.targets.all().values;
    const bool same = table_.labels[before] == table_.labels.back() &&
                      std::equal(values.end() - static_cast<std::ptrdiff_t>(width), values.end(),
                                 values.begin() + static_cast<std::ptrdiff_t>(before * width));
    if (!same)
      fail("has the pair " + in_quotes(sides_[0]->name(pair[0])) + " and " +
           in_quotes(sides_[1]->name(pair[1])) + " of line " +
           std::to_string(table_.lines[before]) + " with another " +
           (width > 0 ? "target" : "label") +
           "; a pair can have only one: correct it, or give the mean");
    return true;
  }

  void append() {
    const std::int64_t number = table_.read++;
    const FactTexts texts = facts_.texts(fields_);
    if (RowFacts::leaves_out(texts, rules_)) {
      ++table_.unlabelled;
      return;
    }
    const std::array<std::uint32_t, 2> pair = {sample(0), sample(1)};
    table_.RowFacts::append(texts, rules_, [this](const std::string& what) { fail(what); });
    if (!format_.keeps_repeats && repeats(pair)) {
      ++table_.repeated;
      table_.labels.pop_back();
      return table_.targets.remove_last();
    }
    table_.pairs.push_back(pair);
    table_.numbers.push_back(number);
    table_.lines.push_back(lines_.number());
  }

  LineReader lines_;
  const PairFormat& format_;
  FactRules rules_;
  std::array<const SideSamples*, 2> sides_;
  PairTable& table_;
  CsvRecords records_;
  std::vector<std::string_view> fields_;
  std::size_t fields_in_line_ = 0;
  std::array<std::size_t, 2> ids_{};
  FactColumns facts_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
};

}  // namespace

void read_pairs(const std::string& file, const PairFormat& format,
                const std::array<const SideSamples*, 2>& sides, PairTable& table,
                Context& context) {
  PairReader(file, format, sides, table).read(context);
}

}  // namespace semblance::sources
