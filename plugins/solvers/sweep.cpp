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

template <class T>
struct Scratch {
  Scratch(std::size_t rows, std::size_t count)
      : partial(1, multiply_scratch(rows, count)), z(1, rows * count) {}
  Vectors<T> partial;
  Vectors<T> z;
};

/// The products for the rows of a block, a few rows at a time.
template <class T>
void fused_block(MatrixView x, std::size_t first, std::size_t step, const Vectors<T>* v,
                 std::size_t count, std::size_t group, const RowBody<T>& body, Scratch<T>& scratch,
                 Vectors<T>& sum) {
  T* z = scratch.z.row(0);
  for (std::size_t r = 0; r < x.rows; r += step) {
    const TallBlock part{x.row(r), std::min(step, x.rows - r), x.cols, x.stride};
    if (v) multiply(part, v->row(0), v->stride(), count, scratch.partial.row(0), z);
    body(group, first + r, part.rows, z);
    multiply_transposed(part, static_cast<const T*>(z), count, sum.row(0), sum.stride());
  }
}

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
bool sweep(const Rows& rows, const Grouping& grouping, const Vectors<T>* v, std::size_t count,
           const RowBody<T>& body, Vectors<double>& out, Context& context) {
  std::vector<Vectors<double>> sums(grouping.groups);
  std::atomic<bool> complete{true};
  const std::size_t step = rows_in_cache(rows.cols(), count);
  context.parallel_for(grouping.groups, [&](std::size_t group) {
    Vectors<double>& sum = sums[group] = Vectors<double>(count, out.cols());
    Scratch<T> scratch(step, count);
    Vectors<T> block_sum;
    if constexpr (std::is_same_v<T, float>) block_sum = Vectors<T>(count, out.cols());
    const bool done =
        for_blocks(rows, grouping, group, context, [&](std::size_t first, MatrixView x) {
          if constexpr (std::is_same_v<T, double>) {
            fused_block<T>(x, first, step, v, count, group, body, scratch, sum);
          } else {
            block_sum.fill(0);
            fused_block<T>(x, first, step, v, count, group, body, scratch, block_sum);
            const T* from = block_sum.row(0);
            double* to = sum.row(0);
            for (std::size_t i = 0; i < count * sum.stride(); ++i) to[i] += double{from[i]};
          }
        });
    if (!done) complete = false;
  });
  if (complete) add_groups(sums, count, out, context);
  return complete;
}

template bool sweep(const Rows&, const Grouping&, const Vectors<float>*, std::size_t,
                    const RowBody<float>&, Vectors<double>&, Context&);
template bool sweep(const Rows&, const Grouping&, const Vectors<double>*, std::size_t,
                    const RowBody<double>&, Vectors<double>&, Context&);

}  // namespace semblance::solvers
