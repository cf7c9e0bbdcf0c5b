// SPDX-License-Identifier: MIT
#include "semblance/two_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

#include "semblance/error.hpp"
#include "semblance/row_error.hpp"

namespace semblance {
namespace {

constexpr std::size_t leading = 3;  // two numbers and a size

bool is_pair_number(float value) {
  return value >= 0 && value <= static_cast<float>(largest_pair_number) &&
         value == std::floor(value);
}

bool has_columns(const Layout& part) { return part.kind == LayoutKind::sparse; }

std::size_t stored(const Layout& part, std::size_t size) {
  return has_columns(part) ? 2 * size : size;
}

/// The sizes of both samples. Throws Error if the row holds no such samples.
std::array<std::size_t, 2> sizes_in(std::span<const float> row, const Layout& pair) {
  const auto refuse = [&](const std::string& what) { throw Error("is no pair: " + what); };
  if (row.size() < leading || !std::all_of(row.begin(), row.begin() + leading, is_pair_number))
    refuse("its first three values are not the numbers and the size of its samples");
  const Layout &first = pair.parts.at(0), &second = pair.parts.at(1);
  const auto size = static_cast<std::size_t>(row[2]);
  const std::size_t rest = row.size() - leading;
  if (stored(first, size) > rest)
    refuse("its first sample has " + std::to_string(size) + " values, more than the row");
  std::size_t other = rest - stored(first, size);
  if (has_columns(second)) {
    if (other % 2 != 0) refuse("its second sample's entries have not one column each");
    other /= 2;
  }
  const auto check = [&](const Layout& part, std::size_t has, const char* which) {
    if (part.ragged() ? has % part.depth != 0 : has != part.size())
      refuse(std::string("its ") + which + " sample has " + std::to_string(has) +
             " values, but should be a " + describe(part));
  };
  check(first, size, "first");
  check(second, other, "second");
  return {size, other};
}

void check_columns(std::span<const float> columns, const Layout& part, const char* which) {
  float before = -1;
  for (const float column : columns) {
    if (!is_pair_number(column) || column <= before || column >= static_cast<float>(part.width))
      throw Error(std::string("is no pair: its ") + which +
                  " sample's columns do not ascend to below " + std::to_string(part.width));
    before = column;
  }
}

void copy_part(const PairPart& part, MutableMatrixView to, std::size_t row) {
  std::ranges::copy(part.values, to.row(row));
  if (!to.sparse()) return;
  const auto columns = to.columns_of(row);
  std::ranges::transform(part.columns, columns.begin(),
                         [](float column) { return static_cast<std::uint32_t>(column); });
}

/// Collects distinct samples, whose values it copies.
class Collected {
 public:
  Collected(const Layout& pair, std::span<const Side> sides)
      : pair_(pair), sides_(sides), part_(part_of(pair, sides.front())) {}

  Collected& add(MatrixView pairs) {
    for (std::size_t i = 0; i < pairs.rows; ++i)
      in_row(i, [&] {
        const PairView view(pairs.row_span(i), pair_);
        for (const Side side : sides_) add(view.part(side), view.content(side));
      });
    return *this;
  }

  Collected& add(const Rows& pairs, std::span<const std::uint32_t> chosen, Context& context) {
    if (!chosen.empty()) {
      for (const std::uint32_t row : chosen) add(pairs.view(row, 1));
      return *this;
    }
    for (std::size_t block = 0; block < block_count(pairs.rows()); ++block) {
      context.check_stop();
      const std::size_t first = block * block_rows;
      const std::size_t count = std::min(block_rows, pairs.rows() - first);
      add(pairs.view(first, count));
      pairs.release(first, count);
    }
    return *this;
  }

  DistinctParts take() {
    DistinctParts made;
    made.rows = room_for(part_, sizes_);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const std::span<const float> held(values_.data() + begins_[i], stored(part_, sizes_[i]));
      const std::size_t columns = held.size() - sizes_[i];
      copy_part({0, held.subspan(columns), held.first(columns)}, made.rows.view(), i);
    }
    made.numbers = std::move(numbers_);
    made.of = std::move(of_);
    return made;
  }

 private:
  void add(const PairPart& part, std::span<const float> content) {
    const std::string_view bytes(reinterpret_cast<const char*>(content.data()),
                                 content.size_bytes());
    const std::size_t hash = std::hash<std::string_view>()(bytes) + part.number;
    const auto [begin, end] = known_.equal_range(hash);
    for (auto it = begin; it != end; ++it)
      if (is_same(it->second, part, content)) return of_.push_back(it->second);
    const auto made = static_cast<std::uint32_t>(sizes_.size());
    known_.emplace(hash, made);
    of_.push_back(made);
    numbers_.push_back(part.number);
    sizes_.push_back(part.values.size());
    begins_.push_back(values_.size());
    values_.insert(values_.end(), content.begin(), content.end());
  }

  bool is_same(std::uint32_t k, const PairPart& part, std::span<const float> content) const {
    return numbers_[k] == part.number && sizes_[k] == part.values.size() &&
           std::memcmp(values_.data() + begins_[k], content.data(), content.size_bytes()) == 0;
  }

  const Layout& pair_;
  std::span<const Side> sides_;
  const Layout& part_;
  std::unordered_multimap<std::size_t, std::uint32_t> known_;
  std::vector<float> values_;
  std::vector<std::size_t> begins_, sizes_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::uint32_t> of_;
};

}  // namespace

PairView::PairView(std::span<const float> row, const Layout& pair) {
  const auto sizes = sizes_in(row, pair);
  std::size_t at = leading;
  for (const Side side : both_sides) {
    const auto k = index_of(side);
    const std::size_t held = stored(pair.parts[k], sizes[k]), columns = held - sizes[k];
    contents_[k] = row.subspan(at, held);
    parts_[k] = {static_cast<std::uint32_t>(row[k]), contents_[k].subspan(columns),
                 contents_[k].first(columns)};
    check_columns(parts_[k].columns, pair.parts[k], k == 0 ? "first" : "second");
    at += held;
  }
}

std::size_t pair_size(const Layout& pair, std::size_t first, std::size_t second) {
  return leading + stored(pair.parts.at(0), first) + stored(pair.parts.at(1), second);
}

std::size_t part_size(std::span<const float> row, const Layout& pair, Side side) {
  return sizes_in(row, pair)[index_of(side)];
}

void write_pair(const PairPart& first, const PairPart& second, const Layout& pair,
                std::span<float> row) {
  if (row.size() != pair_size(pair, first.values.size(), second.values.size()))
    throw Error("a pair of " + std::to_string(first.values.size()) + " and " +
                std::to_string(second.values.size()) + " values does not fit into a row of " +
                std::to_string(row.size()));
  for (const std::size_t number :
       {std::size_t{first.number}, std::size_t{second.number}, first.values.size()})
    if (number > largest_pair_number)
      throw Error("a sample of a pair has the number or the size " + std::to_string(number) +
                  "; the largest is " + std::to_string(largest_pair_number));
  row[0] = static_cast<float>(first.number);
  row[1] = static_cast<float>(second.number);
  row[2] = static_cast<float>(first.values.size());
  auto to = row.begin() + leading;
  for (const PairPart* part : {&first, &second}) {
    to = std::ranges::copy(part->columns, to).out;
    to = std::ranges::copy(part->values, to).out;
  }
}

DistinctParts distinct_parts(MatrixView pairs, const Layout& pair, Side side) {
  return Collected(pair, {&side, 1}).add(pairs).take();
}

DistinctParts distinct_parts(const Rows& pairs, const Layout& pair, Side side,
                             std::span<const std::uint32_t> chosen, Context& context) {
  return Collected(pair, {&side, 1}).add(pairs, chosen, context).take();
}

DistinctParts distinct_samples(MatrixView pairs, const Layout& pair) {
  return Collected(pair, both_sides).add(pairs).take();
}

DistinctParts distinct_samples(const Rows& pairs, const Layout& pair,
                               std::span<const std::uint32_t> chosen, Context& context) {
  return Collected(pair, both_sides).add(pairs, chosen, context).take();
}

}  // namespace semblance
