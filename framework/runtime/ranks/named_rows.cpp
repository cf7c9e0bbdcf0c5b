// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "runtime/ranks/exchange.hpp"
#include "runtime/store/kept_rows.hpp"
#include "semblance/collectives.hpp"

namespace semblance {
namespace {

// The number of rows per message, which takes memory several times over.
constexpr std::size_t rows_sent_at_once = 1024;

constexpr std::int32_t not_named = -1;

/// The position of each row among the named rows; not_named: none.
std::vector<std::int32_t> places_of_named(const PairSet& pairs, std::size_t rows) {
  std::vector<std::int32_t> places(rows, not_named);
  for (const Pair& pair : pairs.list())
    for (const std::int32_t row : {pair.first, pair.second})
      places[static_cast<std::size_t>(row)] = 0;
  std::int32_t next = 0;
  for (std::int32_t& place : places)
    if (place != not_named) place = next++;
  return places;
}

void append(FloatMatrix& to, const FloatMatrix& rows) {
  const bool ragged = !rows.offsets.empty();
  if (to.rows == 0) {
    to = rows;
    return;
  }
  const std::size_t before = to.values.size();
  to.values.insert(to.values.end(), rows.values.begin(), rows.values.end());
  to.rows += rows.rows;
  for (std::size_t i = 1; ragged && i <= rows.rows; ++i)
    to.offsets.push_back(before + rows.offsets[i]);
  if (!rows.is_sparse) return;
  to.columns.insert(to.columns.end(), rows.columns.begin(), rows.columns.end());
}

/// Appends the named rows among those from `first` on, as they are distributed.
void append_gathered(FloatMatrix& to, const std::shared_ptr<const Rows>& all, RowSpan span,
                     std::span<const std::int32_t> named, Context& context) {
  const RowRange rows(all, span.first, span.count);
  for (std::size_t from = 0; from < named.size(); from += rows_sent_at_once) {
    std::vector<std::int64_t> positions;
    for (const std::int32_t row :
         named.subspan(from, std::min(rows_sent_at_once, named.size() - from)))
      positions.push_back(row - static_cast<std::int64_t>(span.first));
    append(to, gather_rows(rows, positions, context));
  }
}

}  // namespace

NamedRows named_rows(const std::shared_ptr<const Rows>& rows, std::size_t train_rows,
                     const PairSet& pairs, Context& context) {
  const std::vector<std::int32_t> places = places_of_named(pairs, rows->rows());
  std::vector<std::int32_t> named;
  std::size_t training = 0;
  for (std::size_t row = 0; row < places.size(); ++row) {
    if (places[row] == not_named) continue;
    named.push_back(static_cast<std::int32_t>(row));
    if (row < train_rows) ++training;
  }
  const auto all = std::make_shared<FloatMatrix>();
  append_gathered(*all, rows, {0, train_rows}, std::span(named).first(training), context);
  append_gathered(*all, rows, {train_rows, rows->rows() - train_rows},
                  std::span(named).subspan(training), context);
  std::vector<Pair> moved(pairs.list().begin(), pairs.list().end());
  const auto place = [&](std::int32_t row) { return places[static_cast<std::size_t>(row)]; };
  for (Pair& pair : moved) pair = {place(pair.first), place(pair.second), pair.label};
  return {std::make_shared<MatrixRows>(std::as_const(*all).view(), all),
          PairSet::listed(std::move(moved))};
}

}  // namespace semblance
