// SPDX-License-Identifier: MIT
#include "machines/kronecker_machine.hpp"

#include <algorithm>
#include <chrono>

#include "semblance/error.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"
#include "symmetric_matrix.hpp"
#include "training/training_pairs.hpp"
#include "training_checks.hpp"

namespace semblance::pairs {
namespace {

/// Conjugate gradients need positive semi-definite kernels, and so do their functions.
void check_definite(MatrixView kernel, Side side, Context& context) {
  if (numerics::positive_semidefinite(kernel, numerics::spectrum_tolerance(kernel), context))
    return;
  throw Error("the kernel of " + std::string(name(side)) +
              " samples is not positive semi-definite; choose a kernel, or solver/kernel_ridge or "
              "kernel_svm with similarity/kronecker and a 'repair'");
}

}  // namespace

KroneckerMachine::~KroneckerMachine() = default;

void KroneckerMachine::bind_kernels(const Layout& input) {
  if (input.kind != LayoutKind::pair)
    throw Error("it learns from pairs, but each sample is a " + describe(input) +
                "; pairs come from source/pairs");
  layout_ = input;
  for (const Side side : both_sides)
    bind_part(side, part_of(input, side), std::string("the kernel of ") + name(side));
}

SquareMatrix KroneckerMachine::learn_kernel(Side side, const DistinctParts& samples,
                                            std::optional<double>& check_error, Context& context) {
  Similarity& kernel = part(side);
  const MatrixView rows = samples.rows.view();
  const std::size_t n = rows.rows;
  const double bytes = double(n) * double(n) * (sizeof(float) + 3 * sizeof(double));
  if (bytes > static_cast<double>(context.memory_budget()))
    throw MemoryError("the kernel of " + std::to_string(n) + " " + name(side) +
                      " samples takes 28 n^2 bytes, " + mebibytes(static_cast<std::size_t>(bytes)) +
                      ", but " + std::to_string(context.memory_budget() >> 20) +
                      " MiB are allowed; train on pairs of fewer samples, or raise --memory");
  learn_from_samples(kernel, MatrixRows(rows), {}, context);
  kernel.set_bases(rows, samples.numbers, context);
  FloatMatrix values(n, n);
  context.parallel_for(block_count(n), [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = block * block_rows, count = std::min(block_rows, n - first);
    kernel.apply(rows.rows_range(first, count), values.view().rows_range(first, count), context);
  });
  if (!common::all_finite(values.values))
    throw Error("the kernel of two " + std::string(name(side)) +
                " samples is not finite; scale their values, or choose another kernel");
  if (const auto found = common::symmetrise(values, context); !found.text.empty())
    throw Error("the kernel of " + std::string(name(side)) + " samples " + std::to_string(found.a) +
                " and " + std::to_string(found.b) + " (distinct ones, counted from 0)" +
                found.text);
  if (!kernel.positive_semidefinite()) check_definite(values.view(), side, context);
  std::vector<std::size_t> sizes;
  for (const std::size_t row : checked_rows(n)) sizes.push_back(rows.size(row));
  FloatMatrix checked = room_for(part_of(layout_, side), sizes);
  std::size_t at = 0;
  for (const std::size_t row : checked_rows(n))
    copy_rows(rows.rows_range(row, 1), checked.view().rows_range(at++, 1));
  check_error = check_similarity(kernel, rows, std::as_const(checked).view(), context);
  return {n, {values.values.begin(), values.values.end()}};
}

KroneckerMachine::Function KroneckerMachine::learn(
    const TrainingSet& training, std::size_t count, const std::string& remedy,
    const std::function<Function(VecTrick&, std::size_t)>& fit, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_finite(training.rows, context);
  std::array<SquareMatrix, 2> matrices;
  std::array<std::optional<double>, 2> errors;
  PairIndex pairs;
  for (const Side side : both_sides) {
    DistinctParts samples = distinct_parts(training.rows, layout_, side, {}, context);
    const std::size_t s = index_of(side);
    matrices[s] = learn_kernel(side, samples, errors[s], context);
    (side == Side::first ? pairs.first : pairs.second) = std::move(samples.of);
  }
  VecTrick products(std::move(matrices[0]), std::move(matrices[1]), std::move(pairs), context);

  Function all;
  all.converged = true;
  pairs_ = products.index();
  coefficients_.clear();
  intercepts_.clear();
  for (std::size_t t = 0; t < count; ++t) {
    Function made = fit(products, t);
    all.converged = all.converged && made.converged;
    all.stopped = all.stopped || made.stopped;
    all.iterations += made.iterations;
    all.objective += made.objective;
    all.squared_norm += made.squared_norm;
    if (all.course.empty() ||
        (!made.course.empty() && made.course.back().step > all.course.back().step))
      all.course = std::move(made.course);
    coefficients_.push_back(std::move(made.coefficients));
    intercepts_.push_back(made.intercept);
  }
  report.text("certificate", name(all.converged ? Certificate::converged
                                  : all.stopped ? stop_certificate(context)
                                                : Certificate::iteration_limit));
  if (!all.converged && !all.stopped) report.text("remedy", remedy);
  report.number("objective", all.objective);
  report.number("squared_norm", all.squared_norm);
  report_check(errors[0] && errors[1] ? std::max(errors[0], errors[1]) : std::nullopt, report);
  report.integer("iterations", static_cast<std::int64_t>(all.iterations));
  report.integer("first_samples", static_cast<std::int64_t>(products.k().order));
  report.integer("second_samples", static_cast<std::int64_t>(products.g().order));
  report.integer("parameters",
                 static_cast<std::int64_t>(pairs_.pairs() * functions() + functions()));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
  return all;
}

/// For each distinct first sample c, sum_j a_j k(a_j, c) by the second sample of j; then for each
/// pair (c, d) the sum of these by g(b, d).
std::vector<double> KroneckerMachine::values(MatrixView in, Context& context) const {
  std::array<DistinctParts, 2> samples;
  std::array<FloatMatrix, 2> compared;
  for (const Side side : both_sides) {
    const std::size_t s = index_of(side);
    samples[s] = distinct_parts(in, layout_, side);
    compared[s] = FloatMatrix(samples[s].rows.rows, part(side).bases());
    part(side).apply(std::as_const(samples[s].rows).view(), compared[s].view(), context);
  }
  const std::size_t q = compared[1].cols, count = functions();
  std::vector<double> found(in.rows * count), sums(compared[0].rows * q);
  for (std::size_t t = 0; t < count; ++t) {
    context.check_stop();
    std::ranges::fill(sums, 0.0);
    for (std::size_t c = 0; c < compared[0].rows; ++c) {
      const float* const k = compared[0].values.data() + c * compared[0].cols;
      double* const to = sums.data() + c * q;
      for (std::size_t j = 0; j < pairs_.pairs(); ++j)
        to[pairs_.second[j]] += coefficients_[t][j] * k[pairs_.first[j]];
    }
    for (std::size_t i = 0; i < in.rows; ++i) {
      const double* const by_second = sums.data() + samples[0].of[i] * q;
      const float* const g = compared[1].values.data() + samples[1].of[i] * q;
      double sum = 0;
      for (std::size_t b = 0; b < q; ++b) sum += by_second[b] * g[b];
      found[i * count + t] = sum + intercepts_[t];
    }
  }
  return found;
}

void KroneckerMachine::save_machine(StateWriter& state) const {
  if (functions() == 0) throw Error("the solver has not been trained");
  for (const Side side : both_sides) save_part(side, state);
  state.integers("firsts", std::vector<std::int64_t>(pairs_.first.begin(), pairs_.first.end()));
  state.integers("seconds", std::vector<std::int64_t>(pairs_.second.begin(), pairs_.second.end()));
  std::vector<double> all;
  for (const auto& function : coefficients_)
    all.insert(all.end(), function.begin(), function.end());
  state.doubles("coefficients", all);
  state.doubles("intercepts", intercepts_);
}

void KroneckerMachine::load_machine(const StateReader& state, Context& context) {
  for (const Side side : both_sides) load_part(side, state, context);
  const auto samples = [&](Side side, const char* entry) {
    const std::vector<std::int64_t> read = state.integers(entry);
    const auto most = static_cast<std::int64_t>(part(side).bases());
    if (std::ranges::any_of(read, [&](std::int64_t k) { return k < 0 || k >= most; }))
      throw Error("a saved pair has a sample that its kernel lacks; the state is damaged");
    return std::vector<std::uint32_t>(read.begin(), read.end());
  };
  PairIndex pairs{samples(Side::first, "firsts"), samples(Side::second, "seconds")};
  std::vector<double> intercepts = state.doubles("intercepts");
  const std::vector<double> all = state.doubles("coefficients");
  const std::size_t n = pairs.pairs(), count = intercepts.size();
  if (pairs.second.size() != n || count == 0 || n == 0 || all.size() != n * count)
    throw Error("the saved machine has " + std::to_string(all.size()) + " coefficients for " +
                std::to_string(count) + " functions of " + std::to_string(n) +
                " pairs; the state is damaged");
  coefficients_.clear();
  for (std::size_t t = 0; t < count; ++t)
    coefficients_.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(t * n),
                               all.begin() + static_cast<std::ptrdiff_t>((t + 1) * n));
  pairs_ = std::move(pairs);
  intercepts_ = std::move(intercepts);
}

}  // namespace semblance::pairs
