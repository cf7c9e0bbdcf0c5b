// SPDX-License-Identifier: MIT
#include "sparse/sparse_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <functional>

#include "sparse/lanes.hpp"

namespace semblance::linear {
namespace {

/// The number of columns that a task lays out at once.
constexpr std::size_t columns_per_task = 1024;

void for_columns(std::size_t cols, Context& context,
                 const std::function<void(std::size_t first, std::size_t end)>& body) {
  context.parallel_for((cols + columns_per_task - 1) / columns_per_task, [&](std::size_t task) {
    const std::size_t first = task * columns_per_task;
    body(first, std::min(first + columns_per_task, cols));
  });
}

template <class T>
class SparseSweep {
 public:
  SparseSweep(const Rows& rows, std::span<const double> centre, const Sweep<T>& sweep,
              Context& context)
      : rows_(rows),
        centre_(centre),
        sweep_(sweep),
        context_(context),
        n_(sweep.count),
        lanes_(padded_lanes(n_)),
        parts_(rows.rows()) {}

  bool run() {
    if (sweep_.vectors != nullptr) lay_out();
    if (sweep_.out != nullptr) {
      factors_.resize(rows_.rows() * lanes_);
      taken_.resize(rows_.rows());
    }
    std::vector<double> tallies(std::max<std::size_t>(sweep_.tallies.size(), 1));
    sum_over_parts(context_, parts_, tallies, [&](std::size_t part, std::span<double> sums) {
      visit_part(part, sums.data());
    });
    std::copy_n(tallies.begin(), sweep_.tallies.size(), sweep_.tallies.begin());
    if (complete_ && sweep_.out != nullptr) sum_up();
    return complete_;
  }

 private:
  /// V by columns.
  void lay_out() {
    by_column_.resize(rows_.cols() * lanes_);
    for_columns(rows_.cols(), context_, [&](std::size_t first, std::size_t end) {
      for (std::size_t l = 0; l < n_; ++l) {
        const T* from = sweep_.vectors->row(l);
        for (std::size_t j = first; j < end; ++j) by_column_[j * lanes_ + l] = double{from[j]};
      }
    });
    at_centre_.assign(lanes_, 0.0);
    for (std::size_t j = 0; j < centre_.size(); ++j)
      for (std::size_t l = 0; l < n_; ++l) at_centre_[l] += by_column_[j * lanes_ + l] * centre_[j];
  }

  void visit_part(std::size_t part, double* tallies) {
    const std::size_t end = parts_.first_row(part + 1);
    for (std::size_t first = parts_.first_row(part); first < end; first += block_rows) {
      if (context_.stop_requested() != StopReason::none) {
        complete_ = false;
        return;
      }
      const std::size_t count = std::min(block_rows, end - first);
      visit_block(first, rows_.view(first, count), tallies);
      rows_.release(first, count);
    }
  }

  void visit_block(std::size_t first, MatrixView block, double* tallies) {
    std::vector<std::size_t> numbers;
    numbers.reserve(block.rows);
    std::vector<T> z;
    z.reserve(block.rows * n_);
    std::vector<double> products(lanes_);
    for (std::size_t r = 0; r < block.rows; ++r) {
      if (sweep_.takes && !sweep_.takes(first + r)) continue;
      numbers.push_back(first + r);
      if (sweep_.vectors != nullptr) {
        std::ranges::transform(at_centre_, products.begin(), std::negate<>());
        add_products(entries_of(block, r), by_column_.data(), lanes_, products.data());
      }
      for (std::size_t l = 0; l < n_; ++l) z.push_back(static_cast<T>(products[l]));
    }
    sweep_.body(numbers, z.data(), tallies);
    if (sweep_.out == nullptr) return;
    for (std::size_t r = 0; r < numbers.size(); ++r) {
      taken_[numbers[r]] = 1;
      for (std::size_t l = 0; l < n_; ++l)
        factors_[numbers[r] * lanes_ + l] = double{z[r * n_ + l]};
    }
  }

  /// out = sum_r z_r x_r^T. Each task goes through all rows for some columns.
  void sum_up() {
    const std::vector<std::size_t> bounds = balanced_columns(rows_, context_.threads());
    std::vector<double> sums(rows_.cols() * lanes_);
    context_.parallel_for(bounds.size() - 1, [&](std::size_t task) {
      for (std::size_t first = 0; first < rows_.rows(); first += block_rows) {
        if (context_.stop_requested() != StopReason::none) complete_ = false;
        if (!complete_) return;
        const MatrixView block = rows_.view(first, std::min(block_rows, rows_.rows() - first));
        for (std::size_t r = 0; r < block.rows; ++r)
          if (taken_[first + r])
            add_row(entries_within(entries_of(block, r), bounds[task], bounds[task + 1]),
                    &factors_[(first + r) * lanes_], lanes_, sums.data());
        rows_.release(first, block.rows);
      }
    });
    std::vector<double> totals(lanes_);
    for (std::size_t row = 0; !centre_.empty() && row < taken_.size(); ++row)
      for (std::size_t l = 0; taken_[row] && l < n_; ++l) totals[l] += factors_[row * lanes_ + l];
    for_columns(rows_.cols(), context_, [&](std::size_t first, std::size_t end) {
      for (std::size_t l = 0; l < n_; ++l) {
        double* to = sweep_.out->row(l);
        for (std::size_t j = first; j < end; ++j)
          to[j] = sums[j * lanes_ + l] - (centre_.empty() ? 0 : totals[l] * centre_[j]);
      }
    });
  }

  const Rows& rows_;
  std::span<const double> centre_;
  const Sweep<T>& sweep_;
  Context& context_;
  std::size_t n_;
  std::size_t lanes_;
  RowParts parts_;
  std::vector<double> by_column_;  // cols x lanes
  std::vector<double> at_centre_;  // V m
  std::vector<double> factors_;    // rows x lanes
  std::vector<char> taken_;
  std::atomic<bool> complete_{true};
};

}  // namespace

template <class T>
bool run_sparse_sweep(const Rows& rows, std::span<const double> centre, const Sweep<T>& sweep,
                      Context& context) {
  return SparseSweep<T>(rows, centre, sweep, context).run();
}

template bool run_sparse_sweep(const Rows&, std::span<const double>, const Sweep<float>&, Context&);
template bool run_sparse_sweep(const Rows&, std::span<const double>, const Sweep<double>&,
                               Context&);

std::vector<std::size_t> balanced_columns(const Rows& rows, std::size_t ranges) {
  constexpr std::size_t sampled_rows = 512;
  std::vector<std::size_t> bounds{0};
  if (ranges > 1) {
    std::vector<std::size_t> counts(rows.cols());
    std::size_t all = 0, before = 0, column = 0;
    const std::size_t step = std::max<std::size_t>(rows.rows() / sampled_rows, 1);
    for (std::size_t row = 0; row < rows.rows(); row += step)
      for (const std::uint32_t of_value : rows.view(row, 1).columns_of(0)) {
        ++counts[of_value];
        ++all;
      }
    for (std::size_t t = 1; t < ranges && all > 0; ++t) {
      while (before + counts[column] <= all * t / ranges) before += counts[column++];
      bounds.push_back(column);
    }
  }
  bounds.push_back(rows.cols());
  return bounds;
}

double sparse_values(const Rows& rows) {
  auto values = static_cast<double>(rows.rows());
  for (std::size_t first = 0; first < rows.rows(); first += block_rows)
    values +=
        static_cast<double>(rows.view(first, std::min(block_rows, rows.rows() - first)).values());
  return values;
}

std::size_t sparse_sweep_bytes(std::size_t rows, std::size_t cols, std::size_t count) noexcept {
  return padded_lanes(count) * (2 * cols + rows) * sizeof(double) + rows;
}

}  // namespace semblance::linear
