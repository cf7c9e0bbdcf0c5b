// SPDX-License-Identifier: MIT
#include "sweep.hpp"

#include <atomic>
#include <type_traits>

namespace semblance::solvers {
namespace {

/// Visits the blocks of one group in order, then gives their pages back.
template <class F>
bool for_blocks(const Rows& rows, const Grouping& grouping, std::size_t group, Context& context,
                const F& f) {
  const std::size_t end = grouping.first_row(group + 1);
  for (std::size_t first = grouping.first_row(group); first < end; first += block_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const std::size_t count = std::min(block_rows, end - first);
    f(first, rows.view(first, count));
    rows.release(first, count);
  }
  return true;
}

/// What one task works with.
template <class T>
class Worker {
 public:
  Worker(const Sweep<T>& sweep, std::size_t cols, std::size_t group)
      : sweep_(sweep),
        group_(group),
        step_(rows_in_cache(cols, sweep.count)),
        partial_(1, multiply_scratch(step_, sweep.count)),
        z_(1, step_ * sweep.count) {
    if (sweep.out == nullptr) return;
    sum_ = Vectors<double>(sweep.count, sweep.out->cols());
    if constexpr (std::is_same_v<T, float>) block_sum_ = Vectors<T>(sweep.count, sum_.cols());
  }

  /// The products for the rows of a block, a few rows at a time.
  void add_block(std::size_t first, MatrixView x) {
    if constexpr (std::is_same_v<T, float>) {
      if (sweep_.out != nullptr) block_sum_.fill(0);
    }
    for (std::size_t r = 0; r < x.rows; ++r) {
      if (sweep_.takes && !sweep_.takes(first + r)) continue;
      rows_.push_back(first + r);
      pointers_.push_back(x.row(r));
      if (rows_.size() == step_) add_rows(x.cols);
    }
    if (!rows_.empty()) add_rows(x.cols);
    if constexpr (std::is_same_v<T, float>) {
      if (sweep_.out == nullptr) return;
      const T* from = block_sum_.row(0);
      double* to = sum_.row(0);
      for (std::size_t i = 0; i < sweep_.count * sum_.stride(); ++i) to[i] += double{from[i]};
    }
  }

  Vectors<double> take_sum() { return std::move(sum_); }

 private:
  void add_rows(std::size_t cols) {
    const TallBlock part{pointers_.data(), rows_.size(), cols};
    T* z = z_.row(0);
    const std::size_t n = sweep_.count;
    if (sweep_.vectors != nullptr)
      multiply(part, sweep_.vectors->row(0), sweep_.vectors->stride(), n, partial_.row(0), z);
    sweep_.body(group_, rows_, z);
    if (sweep_.out != nullptr) {
      if constexpr (std::is_same_v<T, float>)
        multiply_transposed(part, static_cast<const T*>(z), n, block_sum_.row(0),
                            block_sum_.stride());
      else
        multiply_transposed(part, static_cast<const T*>(z), n, sum_.row(0), sum_.stride());
    }
    rows_.clear();
    pointers_.clear();
  }

  const Sweep<T>& sweep_;
  std::size_t group_;
  std::size_t step_;
  Vectors<T> partial_;
  Vectors<T> z_;
  Vectors<T> block_sum_;
  Vectors<double> sum_;
  std::vector<std::size_t> rows_;
  std::vector<const float*> pointers_;
};

void add_groups(const std::vector<Vectors<double>>& groups, std::size_t count, Vectors<double>& out,
                Context& context) {
  context.parallel_for(count, [&](std::size_t c) {
    double* sum = out.row(c);
    std::copy_n(groups[0].row(c), out.stride(), sum);
    for (std::size_t g = 1; g < groups.size(); ++g) {
      const double* add = groups[g].row(c);
      for (std::size_t j = 0; j < out.stride(); ++j) sum[j] += add[j];
    }
  });
}

}  // namespace

Grouping::Grouping(std::size_t all_rows, std::size_t doubles_each) : rows(all_rows) {
  constexpr std::size_t most = 32;
  constexpr std::size_t most_doubles = std::size_t{16} << 20;
  const std::size_t fitting = most_doubles / std::max<std::size_t>(doubles_each, 1);
  groups = std::clamp<std::size_t>(std::min(most, fitting), 4, most);
  groups = std::clamp<std::size_t>(groups, 1, std::max<std::size_t>(block_count(rows), 1));
}

template <class T>
bool run_sweep(const Rows& rows, const Grouping& grouping, const Sweep<T>& sweep,
               Context& context) {
  std::vector<Vectors<double>> sums(grouping.groups);
  std::atomic<bool> complete{true};
  context.parallel_for(grouping.groups, [&](std::size_t group) {
    Worker<T> worker(sweep, rows.cols(), group);
    if (!for_blocks(rows, grouping, group, context,
                    [&](std::size_t first, MatrixView x) { worker.add_block(first, x); }))
      complete = false;
    sums[group] = worker.take_sum();
  });
  if (complete && sweep.out != nullptr) add_groups(sums, sweep.count, *sweep.out, context);
  return complete;
}

template bool run_sweep(const Rows&, const Grouping&, const Sweep<float>&, Context&);
template bool run_sweep(const Rows&, const Grouping&, const Sweep<double>&, Context&);

}  // namespace semblance::solvers
