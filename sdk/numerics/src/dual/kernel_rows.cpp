// SPDX-License-Identifier: MIT
#include "kernel_rows.hpp"

#include <algorithm>
#include <utility>

#include "semblance_numerics/row_sums.hpp"

namespace semblance::numerics {

KernelRows::KernelRows(const DualProblem& problem)
    : p_(problem), split_(problem.parts[0].count), counts_{split_, problem.size() - split_} {}

void KernelRows::fetch(std::span<const std::uint32_t> variables, std::span<Row> rows,
                       Context& context) const {
  for (std::size_t part = 0; part < p_.parts.size(); ++part) {
    std::vector<std::uint32_t> wanted;
    std::vector<Row*> owners;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const std::uint32_t i = variables[k];
      if ((i >= split_) != (part == 1)) continue;
      wanted.push_back(static_cast<std::uint32_t>(p_.parts[part].first + i - part * split_));
      owners.push_back(&rows[k]);
    }
    std::vector<RowCache::Row> found(wanted.size());
    for (std::size_t q = 0; q < p_.parts.size(); ++q) {
      if (q == 0 || !p_.mirrored) p_.rows[part][q]->fetch(wanted, found, context);
      for (std::size_t k = 0; k < found.size(); ++k)
        owners[k]->pieces[q] = p_.mirrored ? found[k] : std::move(found[k]);
    }
  }
}

void KernelRows::compute_some(std::span<const std::uint32_t> variables,
                              std::span<const std::uint32_t> others, MutableMatrixView out) const {
  const auto rows_of = [&](std::span<const std::uint32_t> from) {
    std::vector<std::uint32_t> rows;
    rows.reserve(from.size());
    for (const std::uint32_t i : from)
      rows.push_back(static_cast<std::uint32_t>(p_.parts[0].first) + i);
    return rows;
  };
  p_.rows[0][0]->source().compute_some(rows_of(variables), rows_of(others), out);
}

bool KernelRows::adds_computed() const noexcept {
  return p_.parts.size() == 1 && !p_.mirrored &&
         RowCache::long_rows(p_.rows[0][0]->source(), counts_[0]);
}

KernelRows::Row KernelRows::cached(std::uint32_t variable) const {
  Row row;
  row.pieces[0] = p_.rows[0][0]->cached(static_cast<std::uint32_t>(p_.parts[0].first) + variable);
  return row;
}

void KernelRows::add_computed(std::span<const std::uint32_t> variables, std::span<const Row> rows,
                              std::span<const double> factors, std::span<const char> store,
                              std::span<double> sums, Context& context) const {
  constexpr std::size_t columns = RowCache::long_columns;
  RowCache& cache = *p_.rows[0][0];
  std::vector<std::uint32_t> missing, stored;
  std::vector<std::size_t> stored_at;  // among the missing ones
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].pieces[0]) continue;
    const auto row = static_cast<std::uint32_t>(p_.parts[0].first) + variables[k];
    if (store[k]) {
      stored.push_back(row);
      stored_at.push_back(missing.size());
    }
    missing.push_back(row);
  }
  const std::vector<std::shared_ptr<float>> room = cache.room(stored.size());
  context.parallel_for((counts_[0] + columns - 1) / columns, [&](std::size_t range) {
    const std::size_t begin = range * columns;
    std::vector<const float*> pieces(rows.size());
    cache.source().compute_in_parts(
        missing, {cache.columns().first + begin, std::min(columns, counts_[0] - begin)},
        [&](std::size_t column, MutableMatrixView values) {
          const std::size_t first = column - cache.columns().first;
          for (std::size_t s = 0; s < room.size(); ++s)
            std::copy_n(values.row(stored_at[s]), values.cols, room[s].get() + first);
          for (std::size_t k = 0, next = 0; k < rows.size(); ++k) {
            const float* const row = rows[k].pieces[0].get();
            pieces[k] = row ? row + first : values.row(next++);
          }
          add_rows(pieces.data(), factors.data(), pieces.size(), sums.data() + first, values.cols);
        });
  });
  cache.store(std::span(stored).first(room.size()), room);
}

KernelRows::Row KernelRows::copy(const Row& row, float* out) const {
  Row copied;
  for (std::size_t q = 0; q < p_.parts.size(); ++q) {
    float* const piece = p_.mirrored ? out : out + q * split_;
    if (q == 0 || !p_.mirrored) std::copy_n(row.pieces[q].get(), counts_[q], piece);
    copied.pieces[q] = RowCache::Row(RowCache::Row(), piece);
  }
  return copied;
}

void KernelRows::pick(const Row& row, std::span<const std::size_t> indices,
                      std::span<const std::size_t> to, float* out) const {
  // Pointers to the two pieces by index; the second is offset to its first one. The choice of
  // the piece follows no pattern, so a branch would be mispredicted.
  const float* const pieces[] = {row.pieces[0].get(), row.pieces[1].get()};
  const std::size_t starts[] = {0, split_};
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const std::size_t part = indices[k] >= split_;
    out[to[k]] = pieces[part][indices[k] - starts[part]];
  }
}

void KernelRows::add(std::span<const Row* const> rows, std::span<const double> factors,
                     std::span<double> sums, Context& context) const {
  constexpr std::size_t columns = 8192;
  const std::size_t parts = p_.mirrored ? 1 : p_.parts.size();
  for (std::size_t q = 0; q < parts; ++q) {
    const std::size_t count = counts_[q];
    double* const part = sums.data() + q * split_;
    const auto work = [&](std::size_t chunk) {
      std::vector<const float*> pieces;
      pieces.reserve(rows.size());
      for (const Row* row : rows) pieces.push_back(row->pieces[q].get() + chunk * columns);
      add_rows(pieces.data(), factors.data(), pieces.size(), part + chunk * columns,
               std::min(columns, count - chunk * columns));
    };
    const std::size_t chunks = (count + columns - 1) / columns;
    if (chunks > 2)
      context.parallel_for(chunks, work);
    else
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) work(chunk);
  }
}

}  // namespace semblance::numerics
