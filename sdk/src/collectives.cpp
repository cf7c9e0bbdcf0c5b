// SPDX-License-Identifier: MIT
#include "semblance/collectives.hpp"

#include <algorithm>
#include <bit>

#include "semblance/error.hpp"
#include "sum_tree.hpp"

namespace semblance {
namespace {

class OnlyRank final : public Collectives {
 public:
  std::size_t rank() const noexcept override { return 0; }
  std::size_t ranks() const noexcept override { return 1; }
  std::vector<std::byte> gather(std::span<const std::byte> own) override {
    return {own.begin(), own.end()};
  }
  void broadcast(std::size_t, std::span<std::byte>) override {}
  void add_up(std::size_t, std::vector<PartSum> own, std::span<double> total) override {
    if (!own.empty()) std::ranges::copy(own.front().values, total.begin());
  }
};

}  // namespace

Collectives::~Collectives() = default;

bool Collectives::all(bool own) {
  const std::vector<char> answers = gather(std::vector<char>{own});
  return std::ranges::find(answers, 0) == answers.end();
}

Collectives& only_rank() noexcept {
  static OnlyRank alone;
  return alone;
}

Collectives& Context::collectives() noexcept { return only_rank(); }

void sum_over_parts(Context& context, const RowParts& parts, std::span<double> total,
                    const std::function<void(std::size_t, std::span<double>)>& body) {
  Collectives& ranks = context.collectives();
  const OwnParts own = ranks.own(parts);
  SumTree tree(parts.count());
  context.parallel_for(own.count, [&](std::size_t p) {
    PartSum sum{0, own.first + p, std::vector<double>(total.size(), 0.0)};
    body(sum.index, sum.values);
    tree.add(std::move(sum));
  });
  std::ranges::fill(total, 0.0);
  ranks.add_up(parts.count(), tree.take(), total);
}

std::size_t sums_at_once(std::size_t rows, std::size_t threads) noexcept {
  // A thread works on one part, while one node per level of the tree waits for its sibling.
  const std::size_t parts = RowParts(rows).count();
  threads = std::max<std::size_t>(threads, 1);
  return std::min(parts, threads * (std::bit_width(parts / threads) + 1));
}

FloatMatrix gather_rows(const Rows& rows, std::span<const std::int64_t> positions,
                        Context& context) {
  Collectives& ranks = context.collectives();
  const RowParts parts(rows.rows());
  // By rank, and within a rank in the order of `positions`: the order of arrival.
  std::vector<std::vector<std::size_t>> by_rank(ranks.ranks());
  std::vector<OwnParts> owners;
  for (std::size_t r = 0; r < ranks.ranks(); ++r)
    owners.push_back(parts_of(parts, r, ranks.ranks()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto row = static_cast<std::size_t>(positions[i]);
    const auto owner = std::ranges::find_if(owners, [&](auto& o) { return o.has_row(row); });
    if (owner == owners.end()) throw Error("internal error: a row that nobody has is wanted");
    by_rank[static_cast<std::size_t>(owner - owners.begin())].push_back(i);
  }
  const std::vector<std::size_t>& here = by_rank[ranks.rank()];
  std::vector<FloatMatrix> own(here.size());
  context.parallel_for(here.size(), [&](std::size_t k) {
    const auto row = static_cast<std::size_t>(positions[here[k]]);
    own[k] = FloatMatrix(rows.view(row, 1));
    rows.release(row, 1);
  });
  std::vector<float> mine;
  std::vector<std::size_t> my_sizes;
  std::vector<std::uint32_t> my_columns;
  bool ragged = false, sparse = false;
  for (const FloatMatrix& row : own) {
    mine.insert(mine.end(), row.values.begin(), row.values.end());
    my_sizes.push_back(row.values.size());
    my_columns.insert(my_columns.end(), row.columns.begin(), row.columns.end());
    ragged = ragged || !row.offsets.empty();
    sparse = sparse || row.is_sparse;
  }
  ragged = ranks.any(ragged);
  sparse = ragged && ranks.any(sparse);
  const std::vector<std::size_t> sizes = ranks.gather(my_sizes);
  const std::vector<float> values = ranks.gather(mine);
  const std::vector<std::uint32_t> columns =
      sparse ? ranks.gather(my_columns) : std::vector<std::uint32_t>();
  std::vector<std::size_t> ordered(positions.size());
  std::size_t at = 0;
  for (const auto& places : by_rank)
    for (const std::size_t i : places) ordered[i] = sizes[at++];
  FloatMatrix all = ragged ? FloatMatrix::ragged(rows.cols(), ordered)
                           : FloatMatrix(positions.size(), rows.cols());
  if (sparse) all.make_sparse();
  const MutableMatrixView out = all.view();
  std::size_t from = 0;
  for (const auto& places : by_rank)
    for (const std::size_t i : places) {
      std::copy_n(values.data() + from, ordered[i], out.row(i));
      if (sparse) std::copy_n(columns.data() + from, ordered[i], out.columns_of(i).data());
      from += ordered[i];
    }
  return all;
}

void for_each_own_block(const Rows& rows, Context& context,
                        const std::function<void(std::size_t, std::size_t, MatrixView)>& body) {
  const OwnParts own = context.collectives().own(RowParts(rows.rows()));
  context.parallel_for(block_count(own.rows), [&](std::size_t b) {
    const std::size_t first = own.first_row + b * block_rows;
    const std::size_t count = std::min(block_rows, own.end_row() - first);
    body(first / block_rows, first, rows.view(first, count));
    rows.release(first, count);
  });
}

}  // namespace semblance
