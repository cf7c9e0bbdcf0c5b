// SPDX-License-Identifier: MIT
#include "runtime/ranks/named_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/store/kept_rows.hpp"
#include "semblance/collectives.hpp"

namespace semblance {
namespace {

// What is sent at once, for it takes memory several times over.
constexpr std::size_t rows_sent_at_once = 1024;

/// The rows named, ascending.
std::vector<std::int32_t> named_by(const PairSet& pairs) {
  std::vector<std::int32_t> named;
  named.reserve(2 * pairs.list().size());
  for (const Pair& pair : pairs.list()) named.insert(named.end(), {pair.first, pair.second});
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
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
}

/// Of the rows from `first` on, as they are shared out, those that are named.
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
  const std::vector<std::int32_t> named = named_by(pairs);
  const auto training = static_cast<std::size_t>(
      std::ranges::lower_bound(named, static_cast<std::int64_t>(train_rows)) - named.begin());
  const auto all = std::make_shared<FloatMatrix>();
  append_gathered(*all, rows, {0, train_rows}, std::span(named).first(training), context);
  append_gathered(*all, rows, {train_rows, rows->rows() - train_rows},
                  std::span(named).subspan(training), context);
  std::vector<Pair> moved(pairs.list().begin(), pairs.list().end());
  const auto place = [&](std::int32_t row) {
    return static_cast<std::int32_t>(std::ranges::lower_bound(named, row) - named.begin());
  };
  for (Pair& pair : moved) pair = {place(pair.first), place(pair.second), pair.label};
  return {std::make_shared<LyingRows>(std::as_const(*all).view(), all),
          PairSet::listed(std::move(moved))};
}

}  // namespace semblance
