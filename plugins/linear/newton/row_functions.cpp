// SPDX-License-Identifier: MIT
#include "newton/row_functions.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>

#include "newton/distributed.hpp"
#include "newton/newton_memory.hpp"
#include "semblance/collectives.hpp"
#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

// What a product with the rows costs on a GPU, beside one here: the exact Hessians are made here.
constexpr double gpu_price = 1.0 / 16;

/// Whether rows are so few that their products, computed once, cost less than the sweeps that exact
/// steps save: 360 rows of 8,000 columns and three classes took 1.1 s so, and 7.0 s by conjugate
/// gradients. Depends only on sizes, so that the bits do as well.
bool few_rows(const LinearTask& task, std::size_t problems, std::size_t allowance) noexcept {
  constexpr std::size_t columns_per_row = 4, rows_per_problem = 300;
  const std::size_t rows = task.training.rows.rows(), d = task.dimension();
  return !task.sparse() && columns_per_row * rows <= d && rows <= rows_per_problem * problems &&
         RowGram::bytes(rows, d) <= allowance;
}

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

RowSteps::RowSteps(const LinearTask& task, std::size_t problems, PreconditionerKind kind,
                   std::size_t memory, std::size_t allowance, Context& context)
    : RowFunctions(task, problems, context),
      memory_(memory),
      allowance_(allowance),
      few_rows_(kind == PreconditionerKind::automatic && few_rows(task, problems, allowance)),
      hessians_(problems) {
  openblas_set_num_threads(1);  // the threads are the context's
  if (!few_rows_) preconditioner_.emplace(task, problems, kind, memory, context);
}

bool RowSteps::may_be_exact() const {
  return ExactHessian::bytes(task().training.rows.rows(), dimension()) <= allowance_;
}

bool RowSteps::worth_exact(std::size_t products, double active) const {
  if (few_rows_) return true;
  const auto d = static_cast<double>(dimension());
  // Products with sparse rows are cheaper, but that does not help if they do not converge.
  const double price =
      2 * (on_gpu() ? gpu_price : 1) * static_cast<double>(task().training.rows.rows()) * d;
  return products > 0 && price * static_cast<double>(products) >= ExactHessian::cost(active, d);
}

ExactHessian RowSteps::new_hessian(std::size_t problem) const {
  return {task().training.rows, task().bias, RowWeights{task().row_weights},
          owner_of(problem, context()), task().centre};
}

/// The number of exact steps that fit into memory at once; throws Error if none fits.
std::size_t RowSteps::at_once(std::size_t problems) const {
  const std::size_t rows = task().training.rows.rows(), d = dimension(),
                    own_rows = context().collectives().own(RowParts(rows)).rows,
                    scratch = ExactHessian::scratch_bytes(rows, d);
  std::size_t retained = preconditioner_ ? preconditioner_->retained_bytes() : 0, count = 0;
  if (products_) retained += RowGram::bytes(rows, 0), count = problems;
  for (std::size_t c = 0; c < hessians_.size(); ++c) {
    if (!hessians_[c]) continue;
    ++count;
    retained += owns(c, context()) ? ExactHessian::bytes(rows, d) : own_rows * sizeof(std::size_t);
  }
  if (retained + scratch > memory_)
    throw MemoryError(
        "the exact steps of " + std::to_string(count) + " problems of " + std::to_string(d) +
        " columns take " + std::to_string(((retained + scratch) >> 20) + 1) + " MiB, but " +
        std::to_string(memory_ >> 20) +
        " MiB are left; raise --memory, or scale the columns alike (normalizer/zscore), "
        "which makes such steps unnecessary");
  return std::clamp<std::size_t>((memory_ - retained) / scratch, 1,
                                 std::max<std::size_t>(problems, 1));
}

bool RowSteps::solve(const numerics::SquaredLosses& losses, const Vectors<double>& gradient,
                     Live live, Vectors<double>& steps) {
  if (few_rows_ && context().collectives().ranks() == 1)
    return solve_few_rows(losses, gradient, live, steps);
  const std::size_t each = ExactHessian::bytes(task().training.rows.rows(), dimension());
  std::vector<std::size_t> stored, others;
  auto count = static_cast<std::size_t>(
      std::ranges::count_if(hessians_, [](const auto& hessian) { return hessian.has_value(); }));
  for (const std::size_t c : live) {
    if (!hessians_[c] && (count + 1) * each <= allowance_) {
      hessians_[c].emplace(new_hessian(c));
      ++count;
    }
    (hessians_[c] ? stored : others).push_back(c);
  }
  if (!solve_stored(losses, gradient, stored, steps)) return false;
  for (const std::size_t c : others) {  // one at a time, in place of one that is stored
    hessians_[c].emplace(new_hessian(c));
    const bool done = solve_stored(losses, gradient, {&c, 1}, steps);
    hessians_[c].reset();
    if (!done) return false;
  }
  return true;
}

bool RowSteps::solve_stored(const numerics::SquaredLosses& losses, const Vectors<double>& gradient,
                            Live live, Vectors<double>& steps) {
  const bool alone = context().collectives().ranks() == 1;
  std::atomic<bool> complete{true};
  const auto update = [&](std::size_t c) {
    if (!hessians_[c]->update(losses.active_samples(c), context())) complete = false;
  };
  // Needs rows from other ranks, so all ranks do it together.
  for (const std::size_t c : alone ? Live() : live) update(c);
  std::vector<std::size_t> own;
  for (const std::size_t c : live)
    if (owns(c, context())) own.push_back(c);
  std::atomic<std::size_t> next{0};
  context().parallel_for(at_once(own.size()), [&](std::size_t) {
    for (std::size_t i = next++; i < own.size() && complete; i = next++) {
      const std::size_t c = own[i];
      if (alone) update(c);
      if (complete &&
          !hessians_[c]->solve(losses.working_cost(c), gradient.row(c), steps.row(c), context()))
        complete = false;
    }
  });
  share_vectors(live, steps, context());
  return context().stop_requested() == StopReason::none && complete;
}

/// All problems share the products of the rows: each row that has been active in one of them stays.
bool RowSteps::solve_few_rows(const numerics::SquaredLosses& losses,
                              const Vectors<double>& gradient, Live live, Vectors<double>& steps) {
  if (!products_)
    products_.emplace(task().training.rows, task().bias, RowWeights{task().row_weights});
  std::vector<std::vector<std::size_t>> active(problems());
  std::vector<std::size_t> all = products_->rows();
  for (const std::size_t c : live) {
    active[c] = losses.active_samples(c);
    std::vector<std::size_t> both;
    std::ranges::set_union(all, active[c], std::back_inserter(both));
    all = std::move(both);
  }
  const std::size_t tasks = at_once(live.size());
  if (!products_->update(all, context())) return false;
  std::atomic<bool> complete{true};
  std::atomic<std::size_t> next{0};
  context().parallel_for(tasks, [&](std::size_t) {
    for (std::size_t i = next++; i < live.size(); i = next++) {
      const std::size_t c = live[i];
      if (!products_->solve(active[c], losses.working_cost(c), gradient.row(c), steps.row(c),
                            context()))
        complete = false;
    }
  });
  return complete;
}

numerics::SquaredLosses::Data losses_of(const LinearTask& task, std::size_t first,
                                        std::size_t count) {
  return {.losses = task.losses(first, count),
          .samples = task.training.rows.rows(),
          .cost = task.costs.back(),
          .weights = task.row_weights};
}

std::vector<Solution> minimise(const LinearTask& task, std::size_t first, std::size_t count,
                               PreconditionerKind kind, const numerics::NewtonOptions& options,
                               std::size_t held, Context& context,
                               const numerics::StartAt& start_at) {
  numerics::SquaredLosses losses(losses_of(task, first, count), context);
  const std::size_t rows = task.training.rows.rows(), d = task.dimension(),
                    taken = held + newton_bytes(losses.own().rows, d, count, context.threads()),
                    all = context.memory_budget();
  RowSteps steps(task, count, kind, all > taken ? all - taken : 0, hessian_allowance(rows, d),
                 context);
  return numerics::newton(steps, losses, task.costs, options, context, start_at);
}

}  // namespace semblance::linear
