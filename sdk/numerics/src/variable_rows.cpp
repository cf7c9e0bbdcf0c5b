// SPDX-License-Identifier: MIT
#include "variable_rows.hpp"

#include <algorithm>
#include <utility>

#include "semblance_numerics/row_sums.hpp"

namespace semblance::numerics {

VariableRows::VariableRows(const DualProblem& problem, const OwnVariables& own)
    : p_(problem),
      split_(problem.parts[0].count),
      own_split_(static_cast<std::size_t>(
          std::ranges::lower_bound(own.list(), static_cast<std::uint32_t>(split_)) -
          own.list().begin())),
      counts_{own_split_, own.count() - own_split_} {}

void VariableRows::fetch(std::span<const std::uint32_t> variables, std::span<Row> rows,
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
      p_.rows[part][q]->fetch(wanted, found, context);
      for (std::size_t k = 0; k < found.size(); ++k) owners[k]->pieces[q] = std::move(found[k]);
    }
  }
}

VariableRows::Row VariableRows::copy(const Row& row, float* out) const {
  Row copied;
  for (std::size_t q = 0; q < p_.parts.size(); ++q) {
    float* const piece = out + q * own_split_;
    std::copy_n(row.pieces[q].get(), counts_[q], piece);
    copied.pieces[q] = RowCache::Row(RowCache::Row(), piece);
  }
  return copied;
}

void VariableRows::pick(const Row& row, std::span<const std::size_t> places,
                        std::span<const std::size_t> to, float* out) const {
  // Pointers to the two pieces by place; the second is offset to its first place. The choice of the
  // piece follows no pattern, so a branch would be mispredicted.
  const float* const pieces[] = {row.pieces[0].get(), row.pieces[1].get()};
  const std::size_t starts[] = {0, own_split_};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t part = places[k] >= own_split_;
    out[to[k]] = pieces[part][places[k] - starts[part]];
  }
}

void VariableRows::add(std::span<const Row* const> rows, std::span<const double> factors,
                       std::span<double> sums, Context& context) const {
  constexpr std::size_t columns = 8192;
  for (std::size_t q = 0; q < p_.parts.size(); ++q) {
    const std::size_t count = counts_[q];
    double* const part = sums.data() + q * own_split_;
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

void VariableRows::add(std::span<const Row* const> rows, std::span<const double> factors,
                       std::span<const std::uint32_t> places, std::span<double> sums) const {
  const auto second = std::lower_bound(places.begin(), places.end(), own_split_);
  const auto first_count = static_cast<std::size_t>(second - places.begin());
  for (std::size_t q = 0; q < p_.parts.size(); ++q) {
    const auto part = q == 0 ? places.first(first_count) : places.subspan(first_count);
    const std::size_t start = q * own_split_;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const float* const row = rows[r]->pieces[q].get();
      for (const std::uint32_t i : part) sums[i] += factors[r] * double{row[i - start]};
    }
  }
}

}  // namespace semblance::numerics
