// SPDX-License-Identifier: MIT
#include "assignment.hpp"

#include <algorithm>
#include <limits>

namespace semblance::graphs {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// An assignment that grows by one row at a time along shortest augmenting paths, with potentials
/// that prove it the cheapest for its rows (Jonker & Volgenant 1987, without their starting steps).
class Assignment {
 public:
  Assignment(std::span<const double> costs, std::size_t rows, std::size_t columns)
      : costs_(costs),
        columns_(columns),
        row_of_(columns, nobody),
        column_of_(rows, nobody),
        row_potential_(rows),
        column_potential_(columns),
        distance_(columns),
        before_(columns) {}

  void add(std::uint32_t row) {
    const std::size_t end = nearest_free_column(row);
    const double length = distance_[end];
    row_potential_[row] += length;
    for (const std::uint32_t j : done_) {
      row_potential_[row_of_[j]] += length - distance_[j];
      column_potential_[j] -= length - distance_[j];
    }
    for (auto j = static_cast<std::uint32_t>(end);;) {
      const std::uint32_t i = before_[j];
      row_of_[j] = i;
      std::swap(j, column_of_[i]);
      if (i == row) return;
    }
  }

  std::vector<std::uint32_t> columns() && { return std::move(column_of_); }

 private:
  /// Dijkstra's search from a row without a column. Afterwards `done_` has the columns nearer than
  /// the one returned.
  std::size_t nearest_free_column(std::uint32_t row) {
    open_.resize(columns_);
    for (std::uint32_t j = 0; j < columns_; ++j) open_[j] = j;
    std::ranges::fill(distance_, std::numeric_limits<double>::infinity());
    done_.clear();
    double length = 0;
    for (std::uint32_t i = row;;) {
      const double* const costs = costs_.data() + i * columns_;
      std::size_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < open_.size(); ++k) {
        const std::uint32_t j = open_[k];
        const double found = length + costs[j] - row_potential_[i] - column_potential_[j];
        if (found < distance_[j]) distance_[j] = found, before_[j] = i;
        if (distance_[j] < least || (distance_[j] == least && row_of_[j] == nobody))
          least = distance_[j], nearest = k;
      }
      const std::uint32_t j = open_[nearest];
      if (row_of_[j] == nobody) return j;
      open_[nearest] = open_.back();
      open_.pop_back();
      done_.push_back(j);
      length = least;
      i = row_of_[j];
    }
  }

  std::span<const double> costs_;
  std::size_t columns_;
  std::vector<std::uint32_t> row_of_, column_of_;
  std::vector<double> row_potential_, column_potential_, distance_;
  std::vector<std::uint32_t> before_, open_, done_;
};

}  // namespace

std::vector<std::uint32_t> least_assignment(std::span<const double> costs, std::size_t rows,
                                            std::size_t columns,
                                            const std::function<void()>& poll) {
  Assignment assignment(costs, rows, columns);
  for (std::uint32_t i = 0; i < rows; ++i) {
    poll();
    assignment.add(i);
  }
  return std::move(assignment).columns();
}

}  // namespace semblance::graphs
