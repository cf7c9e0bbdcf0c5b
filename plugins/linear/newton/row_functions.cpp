// SPDX-License-Identifier: MIT
#include "newton/row_functions.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "newton/newton_memory.hpp"
#include "semblance/collectives.hpp"
#include "semblance_numerics/blas.hpp"
#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

// What a product with the rows costs on a GPU, beside one here: the exact Hessians are made here.
constexpr double gpu_price = 1.0 / 16;

/// Whether the products of all rows, computed once, are cheaper than those of columns.
bool by_rows(const LinearTask& task) noexcept {
  return task.training.rows.rows() <= task.dimension();
}

/// Whether rows are so few that their products cost less than the sweeps that exact steps save: 360
/// rows of 8,000 columns and three classes took 1.1 s so, and 7.0 s by conjugate gradients. Depends
/// only on sizes, so that the bits do as well.
bool few_rows(const LinearTask& task, std::size_t problems) noexcept {
  constexpr std::size_t columns_per_row = 4, rows_per_problem = 300;
  const std::size_t rows = task.training.rows.rows();
  return !task.sparse() && columns_per_row * rows <= task.dimension() &&
         rows <= rows_per_problem * problems;
}

/// A problem's active rows, by place among the own ones and among all, and their factor of K + D.
struct ActiveRows {
  std::vector<std::size_t> own, all;
  std::vector<double> shifts;  // D
  Vectors<double> factor;
};

}  // namespace

RowFunctions::RowFunctions(const LinearTask& task, std::size_t problems, Context& context)
    : task_(task),
      problems_(problems),
      context_(context),
      first_row_(context.collectives().own(RowParts(task.training.rows.rows())).first_row) {
  if (!task.sparse()) on_gpu_ = gpu::TallMatrix::of(task.training.rows, context);
}

template <class T>
bool RowFunctions::sweep(Sweep<T> sweep) const {
  const Rows& rows = task_.training.rows;
  if (task_.sparse()) return run_sparse_sweep<T>(rows, task_.centre, sweep, context_);
  sweep.on_gpu = on_gpu_.get();
  return run_sweep<T>(rows, sweep, context_);
}

template <class T>
Vectors<T> RowFunctions::gather(const Vectors<double>& from, Live live) const {
  Vectors<T> to(live.size(), dimension());
  for (std::size_t a = 0; a < live.size(); ++a)
    std::transform(from.row(live[a]), from.row(live[a]) + dimension(), to.row(a),
                   [](double x) { return static_cast<T>(x); });
  return to;
}

/// `totals`: the sums of the factors, for the constant appended to each row.
void RowFunctions::scatter(const Vectors<double>& sums, std::span<const double> totals, Live live,
                           Vectors<double>& out) const {
  const std::size_t cols = task_.training.rows.cols();
  for (std::size_t a = 0; a < live.size(); ++a) {
    std::copy_n(sums.row(a), cols, out.row(live[a]));
    if (task_.bias != 0) out.row(live[a])[cols] = task_.bias * totals[a];
  }
}

bool RowFunctions::multiply(const Vectors<double>& v, Live live, std::span<double> f) {
  const std::size_t n = live.size(), cols = task_.training.rows.cols();
  const Vectors<double> own = gather<double>(v, live);
  const auto body = [&](std::span<const std::size_t> rows, double* z, double*) {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t a = 0; a < n; ++a)
        f[place(rows[r], live[a])] =
            task_.bias != 0 ? z[r * n + a] + task_.bias * own.row(a)[cols] : z[r * n + a];
  };
  return sweep<double>({&own, n, body, {}, nullptr});
}

bool RowFunctions::transpose(std::span<const double> z, Live live, Vectors<double>& out) {
  const std::size_t n = live.size();
  Vectors<double> sums(n, dimension());
  std::vector<double> totals(n);
  const auto body = [&](std::span<const std::size_t> rows, double* factors, double* tally) {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t a = 0; a < n; ++a)
        tally[a] += factors[r * n + a] = z[place(rows[r], live[a])];
  };
  const auto takes = [&](std::size_t row) {
    return std::ranges::any_of(live, [&](std::size_t c) { return z[place(row, c)] != 0; });
  };
  if (!sweep<double>({nullptr, n, body, takes, &sums, totals})) return false;
  scatter(sums, totals, live, out);
  return true;
}

bool RowFunctions::curve(const Vectors<double>& v, Live live, std::span<const float> curvatures,
                         std::span<const double> shifts, Vectors<double>& out) {
  const std::size_t n = live.size(), cols = task_.training.rows.cols();
  const Vectors<float> own = gather<float>(v, live);
  std::vector<float> constants(n);
  for (std::size_t a = 0; a < n; ++a) {
    const float appended = task_.bias != 0 ? static_cast<float>(task_.bias) * own.row(a)[cols] : 0;
    constants[a] = appended - static_cast<float>(shifts[live[a]]);
  }
  Vectors<double> sums(n, dimension());
  std::vector<double> totals(n);
  const auto body = [&](std::span<const std::size_t> rows, float* z, double* tally) {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t a = 0; a < n; ++a) {
        float& f = z[r * n + a];
        const float curvature = curvatures[place(rows[r], live[a])];
        f = curvature != 0 ? curvature * (f + constants[a]) : 0;
        tally[a] += f;
      }
  };
  const auto takes = [&](std::size_t row) {
    return std::ranges::any_of(live, [&](std::size_t c) { return curvatures[place(row, c)] != 0; });
  };
  if (!sweep<float>({&own, n, body, takes, &sums, totals})) return false;
  scatter(sums, totals, live, out);
  return true;
}

double RowFunctions::squared_length() {
  const Rows& rows = task_.training.rows;
  const RowParts parts(rows.rows());
  const std::size_t stride = std::max<std::size_t>(parts.rows() / 1000, 1);
  std::vector<double> sums(2);  // of squares, and number of rows
  sum_over_parts(context_, parts, sums, [&](std::size_t part, std::span<double> sum) {
    const std::size_t first = (parts.first_row(part) + stride - 1) / stride * stride;
    for (std::size_t i = first; i < parts.first_row(part + 1); i += stride, ++sum[1])
      for (const float x : rows.view(i, 1).row_span(0)) sum[0] += double{x} * x;
    // Pages between them were also loaded.
    rows.release(parts.first_row(part), parts.rows_of(part));
  });
  return sums[0] / sums[1] + task_.bias * task_.bias;
}

RowSteps::RowSteps(const LinearTask& task, std::size_t problems, std::size_t memory,
                   std::size_t allowance, Context& context)
    : RowFunctions(task, problems, context),
      memory_(memory),
      allowance_(allowance),
      by_rows_(by_rows(task)),
      few_rows_(may_be_exact() && few_rows(task, problems)),
      hessians_(problems) {
  openblas_set_num_threads(1);  // the threads are the context's
  if (!few_rows_) preconditioner_.emplace(task, problems, memory, context);
}

bool RowSteps::may_be_exact() const {
  return square_bytes(by_rows_ ? task().training.rows.rows() : dimension()) <= allowance_;
}

bool RowSteps::worth_exact(std::size_t products, double active) const {
  if (few_rows_) return true;
  const auto d = static_cast<double>(dimension()),
             rows = static_cast<double>(task().training.rows.rows());
  // Products with sparse rows are cheaper, but that does not help if they do not converge.
  const double price = 2 * (on_gpu() ? gpu_price : 1) * rows * d;
  // Products of all rows take no longer than sweeps for those of the active ones.
  const double least = by_rows_ ? std::min(active, d) : d, most = by_rows_ ? d : active;
  const double cost = least * least * (most / 2 + least / 6);
  // A few milliseconds: not worth a less accurate step.
  constexpr double negligible = 1e7;
  return cost <= negligible || (products > 0 && price * static_cast<double>(products) >= cost);
}

/// The number of exact steps that fit into memory at once; throws Error if none fits. `scratch`:
/// bytes of one of them.
std::size_t RowSteps::at_once(std::size_t scratch) const {
  const std::size_t rows = task().training.rows.rows(), d = dimension(),
                    own_rows = context().collectives().own(RowParts(rows)).rows;
  std::size_t retained = preconditioner_ ? preconditioner_->retained_bytes() : 0;
  // K, and the vectors of a step.
  if (by_rows_)
    retained += square_bytes(rows) + (3 * padded(d) + 2 * own_rows) * problems() * sizeof(double);
  for (const auto& hessian : hessians_)
    if (hessian) retained += ColumnGram::bytes(own_rows, d);
  if (retained + scratch > memory_)
    throw MemoryError(
        "the exact steps of " + std::to_string(problems()) + " problems of " + std::to_string(d) +
        " columns take " + std::to_string(((retained + scratch) >> 20) + 1) + " MiB, but " +
        std::to_string(memory_ >> 20) +
        " MiB are left; raise --memory, or scale the columns alike (normalizer/zscore), "
        "which makes such steps unnecessary");
  return (memory_ - retained) / scratch;
}

bool RowSteps::solve(const numerics::SquaredLosses& losses, const Vectors<double>& gradient,
                     Live live, Vectors<double>& steps) {
  if (!by_rows_) {
    const std::size_t rows = task().training.rows.rows(),
                      each = ColumnGram::bytes(rows, dimension());
    std::vector<std::size_t> stored, others;
    auto count = static_cast<std::size_t>(
        std::ranges::count_if(hessians_, [](const auto& hessian) { return hessian.has_value(); }));
    for (const std::size_t c : live) {
      const bool fits = hessians_[c] || ++count * each <= allowance_;
      (fits ? stored : others).push_back(c);
    }
    if (!solve_by_columns(losses, gradient, stored, steps)) return false;
    for (const std::size_t c : others) {  // one at a time, in place of one that is stored
      const bool done = solve_by_columns(losses, gradient, {&c, 1}, steps);
      hessians_[c].reset();
      if (!done) return false;
    }
    return true;
  }
  const Rows& rows = task().training.rows;
  if (products_.count() == 0) {
    at_once(row_products_bytes(rows.rows()));
    products_ = row_products(rows, task().bias, task().centre, context());
    if (products_.count() == 0) return false;
  }
  // Problems that share sweeps affect each other's last bits, so it depends only on sizes.
  const std::size_t each = square_bytes(rows.rows()),
                    most = std::clamp<std::size_t>(allowance_ / each, 1, problems());
  at_once(most * each);
  for (std::size_t first = 0; first < live.size(); first += most)
    if (!solve_by_rows(losses, gradient, live.subspan(first, std::min(most, live.size() - first)),
                       steps))
      return false;
  return true;
}

bool RowSteps::solve_by_columns(const numerics::SquaredLosses& losses,
                                const Vectors<double>& gradient, Live live,
                                Vectors<double>& steps) {
  const bool alone = context().collectives().ranks() == 1;
  const auto update = [&](std::size_t c) {
    return hessians_[c]->update(losses.active_samples(c), context());
  };
  for (const std::size_t c : live) {
    if (!hessians_[c])
      hessians_[c].emplace(task().training.rows, task().bias, RowWeights{task().row_weights},
                           std::vector<std::size_t>(), task().centre);
    // Needs rows from other ranks, so all ranks do it together.
    if (!alone && !update(c)) return false;
  }
  const auto body = [&](std::size_t i) {
    const std::size_t c = live[i];
    return (!alone || update(c)) &&
           hessians_[c]->solve(losses.working_cost(c), gradient.row(c), steps.row(c), context());
  };
  return for_each_at_once(live.size(), at_once(ColumnGram::scratch_bytes(dimension())), context(),
                          body) &&
         context().stop_requested() == StopReason::none;
}

bool RowSteps::solve_by_rows(const numerics::SquaredLosses& losses, const Vectors<double>& gradient,
                             Live live, Vectors<double>& steps) {
  const std::size_t d = dimension();
  std::vector<ActiveRows> active(problems());
  for (const std::size_t c : live) {
    active[c].own = losses.active_samples(c);
    active[c].all = context().collectives().gather(active[c].own);
  }
  std::atomic<bool> complete{true};
  context().parallel_for(live.size(), [&](std::size_t a) {
    ActiveRows& rows = active[live[a]];
    for (const std::size_t i : rows.all)
      rows.shifts.push_back(1 / (2 * losses.working_cost(live[a]) * losses.weight(i)));
    rows.factor = Vectors<double>(rows.all.size(), rows.all.size());
    const auto fill = [&](std::size_t i, double* to) {
      for (std::size_t j = 0; j <= i; ++j) to[j] = products_.row(rows.all[i])[rows.all[j]];
    };
    if (!raised_factor(rows.shifts, fill, rows.factor, context())) complete = false;
  });
  if (!complete) return false;
  Vectors<double> left(problems(), d), correction(problems(), d), sum(problems(), d);
  std::vector<double> f(losses.own().rows * problems()), z(f.size());
  // z = what `of` makes of A v at the active rows of each problem; then sum = A^T z.
  const auto through_rows = [&](const Vectors<double>& v, const auto& of) {
    if (!multiply(v, live, f)) return false;
    std::ranges::fill(z, 0.0);
    for (const std::size_t c : live) {
      const std::vector<std::size_t>& own = active[c].own;
      std::vector<double> values;
      for (const std::size_t i : own) values.push_back(f[place(i, c)]);
      values = context().collectives().gather(values);
      of(active[c], values);
      const auto first = std::ranges::lower_bound(active[c].all, own.empty() ? 0 : own.front());
      for (std::size_t k = 0; k < own.size(); ++k)
        z[place(own[k], c)] = values[static_cast<std::size_t>(first - active[c].all.begin()) + k];
    }
    return transpose(z, live, sum);
  };
  const auto add = [&](const Vectors<double>& terms, double sign, Vectors<double>& to) {
    for (const std::size_t c : live)
      for (std::size_t j = 0; j < d; ++j) to.row(c)[j] += sign * terms.row(c)[j];
  };
  for (const std::size_t c : live) std::fill_n(steps.row(c), d, 0.0);
  add(gradient, -1, left);
  // The second time corrects the rounding in the first one's differences of large terms.
  for (int turn = 0;; ++turn) {
    if (!through_rows(left, [](const ActiveRows& rows, std::vector<double>& values) {
          if (values.empty()) return;
          numerics::blas::solve(values.size(), rows.factor.row(0), rows.factor.stride(),
                                values.data());
        }))
      return false;
    for (const std::size_t c : live) std::copy_n(left.row(c), d, correction.row(c));
    add(sum, -1, correction);
    add(correction, 1, steps);
    if (turn == 1) return true;
    add(correction, -1, left);
    if (!through_rows(correction, [](const ActiveRows& rows, std::vector<double>& values) {
          for (std::size_t i = 0; i < values.size(); ++i) values[i] /= rows.shifts[i];
        }))
      return false;
    add(sum, -1, left);
  }
}

numerics::SquaredLosses::Data losses_of(const LinearTask& task, std::size_t first,
                                        std::size_t count) {
  return {.losses = task.losses(first, count),
          .samples = task.training.rows.rows(),
          .cost = task.costs.back(),
          .weights = task.row_weights};
}

std::vector<Solution> minimise(const LinearTask& task, std::size_t first, std::size_t count,
                               const numerics::NewtonOptions& options, std::size_t held,
                               Context& context, const numerics::StartAt& start_at) {
  numerics::SquaredLosses losses(losses_of(task, first, count), context);
  const std::size_t rows = task.training.rows.rows(), d = task.dimension(),
                    taken = held + newton_bytes(losses.own().rows, d, count, context.threads()),
                    all = context.memory_budget();
  RowSteps steps(task, count, all > taken ? all - taken : 0, hessian_allowance(rows, d), context);
  return numerics::newton(steps, losses, task.costs, options, context, start_at);
}

}  // namespace semblance::linear
