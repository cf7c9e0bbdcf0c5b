// SPDX-License-Identifier: MIT
#include "problem/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

namespace semblance::linear {
namespace {

/// Visits the blocks of one part in order, then releases their pages.
template <class F>
bool for_blocks(const Rows& rows, const RowParts& parts, std::size_t part, Context& context,
                const F& f) {
  const std::size_t end = parts.first_row(part + 1);
  for (std::size_t first = parts.first_row(part); first < end; first += block_rows) {
    if (context.stop_requested() != StopReason::none) return false;
    const std::size_t count = std::min(block_rows, end - first);
    f(first, rows.view(first, count));
    rows.release(first, count);
  }
  return true;
}

/// The working memory of one task.
template <class T>
class Worker {
 public:
  /// `sums`: the part's sums over rows, then the tallies.
  Worker(const Sweep<T>& sweep, std::size_t cols, double* sums)
      : sweep_(sweep),
        stride_(sweep.out == nullptr ? 0 : sweep.out->stride()),
        sum_(sums),
        tallies_(sums + sweep.count * stride_),
        step_(common::rows_in_cache(cols, sweep.count)),
        partial_(1, common::multiply_scratch(step_, sweep.count)),
        z_(1, step_ * sweep.count) {
    if (sweep.out == nullptr) return;
    if constexpr (std::is_same_v<T, float>) block_sum_ = Vectors<T>(sweep.count, sweep.out->cols());
  }

  /// Adds the products for the rows of a block, a few rows at a time.
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
      for (std::size_t i = 0; i < sweep_.count * stride_; ++i) sum_[i] += double{from[i]};
    }
  }

 private:
  void add_rows(std::size_t cols) {
    const common::TallBlock part{pointers_.data(), rows_.size(), cols};
    T* z = z_.row(0);
    const std::size_t n = sweep_.count;
    if (sweep_.vectors != nullptr)
      common::multiply(part, sweep_.vectors->row(0), sweep_.vectors->stride(), n, partial_.row(0),
                       z);
    sweep_.body(rows_, z, tallies_);
    if (sweep_.out != nullptr) {
      if constexpr (std::is_same_v<T, float>)
        common::multiply_transposed(part, static_cast<const T*>(z), n, block_sum_.row(0),
                                    block_sum_.stride());
      else
        common::multiply_transposed(part, static_cast<const T*>(z), n, sum_, stride_);
    }
    rows_.clear();
    pointers_.clear();
  }

  const Sweep<T>& sweep_;
  std::size_t stride_;
  double* sum_;
  double* tallies_;
  std::size_t step_;
  Vectors<T> partial_;
  Vectors<T> z_;
  Vectors<T> block_sum_;
  std::vector<std::size_t> rows_;
  std::vector<const float*> pointers_;
};

/// The sweep with both products on a GPU and the body, between them, on the CPU.
template <class T>
bool sweep_on_gpu(const Rows& rows, const Sweep<T>& sweep, Context& context) {
  const std::size_t n = sweep.count;
  std::vector<T> z(rows.rows() * n);
  if (sweep.vectors != nullptr)
    sweep.on_gpu->multiply(sweep.vectors->row(0), sweep.vectors->stride(), n, z.data());
  const RowParts parts(rows.rows());
  std::atomic<bool> complete{true};
  const auto visit = [&](std::size_t part, std::span<double> tallies) {
    if (context.stop_requested() != StopReason::none) complete = false;
    std::vector<std::size_t> taken;
    std::vector<T> own;
    for (std::size_t r = parts.first_row(part); r < parts.first_row(part + 1); ++r) {
      T* const of_row = z.data() + r * n;
      if (sweep.takes && !sweep.takes(r)) {
        std::fill_n(of_row, n, T{0});
        continue;
      }
      taken.push_back(r);
      own.insert(own.end(), of_row, of_row + n);
    }
    if (taken.empty()) return;
    sweep.body(taken, own.data(), tallies.data());
    for (std::size_t i = 0; i < taken.size(); ++i)
      std::copy_n(own.data() + i * n, n, z.data() + taken[i] * n);
  };
  if (sweep.tallies.empty())
    context.parallel_for(parts.count(), [&](std::size_t part) { visit(part, {}); });
  else
    sum_over_parts(context, parts, sweep.tallies, visit);
  if (!complete || context.stop_requested() != StopReason::none) return false;
  if (sweep.out != nullptr) sweep.on_gpu->sum(z.data(), n, sweep.out->row(0), sweep.out->stride());
  return true;
}

}  // namespace

template <class T>
bool run_sweep(const Rows& rows, const Sweep<T>& sweep, Context& context) {
  // Between collectives the answer does not change, so several ranks leave here together.
  if (context.stop_requested() != StopReason::none) return false;
  if (sweep.on_gpu != nullptr) return sweep_on_gpu(rows, sweep, context);
  const RowParts parts(rows.rows());
  std::atomic<bool> complete{true};
  const auto visit = [&](std::size_t part, std::span<double> sums) {
    Worker<T> worker(sweep, rows.cols(), sums.data());
    if (!for_blocks(rows, parts, part, context,
                    [&](std::size_t first, MatrixView x) { worker.add_block(first, x); }))
      complete = false;
  };
  const std::size_t sums = sweep.out == nullptr ? 0 : sweep.count * sweep.out->stride();
  if (sums + sweep.tallies.size() == 0) {
    const OwnParts own = context.collectives().own(parts);
    context.parallel_for(own.count, [&](std::size_t p) { visit(own.first + p, {}); });
    return complete;
  }
  std::vector<double> total(sums + sweep.tallies.size());
  sum_over_parts(context, parts, total, visit);
  if (sweep.out != nullptr) std::copy_n(total.begin(), sums, sweep.out->row(0));
  std::copy_n(total.begin() + static_cast<std::ptrdiff_t>(sums), sweep.tallies.size(),
              sweep.tallies.begin());
  return complete;
}

template bool run_sweep(const Rows&, const Sweep<float>&, Context&);
template bool run_sweep(const Rows&, const Sweep<double>&, Context&);

}  // namespace semblance::linear
