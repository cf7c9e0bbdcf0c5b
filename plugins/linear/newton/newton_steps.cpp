// SPDX-License-Identifier: MIT
#include "newton/newton_steps.hpp"

#include <cblas.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "newton/distributed.hpp"

namespace semblance::linear {
namespace {

// If 2C |x|^2 is large, the machine is close to one with hard margins: rows that a step makes
// inactive return one by one, over hundreds of steps. So the exact steps follow the optimum from
// the cost at which a row of mean length has about the regularizer's curvature, increasing by this
// factor, up to C.
constexpr double cost_factor = 3;

// Iterative steps also follow that path if C exceeds its initial cost by this factor; otherwise
// they find the active rows in a few steps.
constexpr double worth_path = 100;

// What a product with the rows costs on a GPU, beside one here: the exact Hessians are made here.
constexpr double gpu_price = 1.0 / 16;

// A step of at least this length, out of 1, has found the active rows of its cost.
constexpr double fitting_length = 0.7;

}  // namespace

NewtonSteps::NewtonSteps(SquaredLosses& problem, PreconditionerKind kind, std::size_t allowance,
                         std::size_t memory, bool along_path, Context& context)
    : problem_(problem),
      context_(context),
      allowance_(allowance),
      memory_(memory),
      along_path_(along_path),
      preconditioner_(problem, kind, memory, context),
      cg_(problem, preconditioner_),
      hessians_(problem.problems()) {
  openblas_set_num_threads(1);  // the threads are the context's
}

bool NewtonSteps::solve(const Vectors<double>& gradient, SquaredLosses::Live live,
                        const std::vector<CgTarget>& targets) {
  if (steps_.count() == 0) steps_ = Vectors<double>(problem_.problems(), problem_.dimension());
  std::vector<std::size_t> exactly, iteratively;
  for (const std::size_t c : live) (exact(c) ? exactly : iteratively).push_back(c);
  if (!solve_exactly(gradient, exactly)) return false;
  if (iteratively.empty()) return true;
  return preconditioner_.prepare(iteratively, cg_.sweeps()) &&
         cg_.solve(gradient, iteratively, targets, steps_);
}

std::vector<std::size_t> NewtonSteps::change_to_exact(SquaredLosses::Live live) {
  const auto d = static_cast<double>(problem_.dimension());
  // Products with sparse rows are cheaper, but that does not help if they do not converge.
  const double price = problem_.on_gpu() ? gpu_price : 1;
  const double product = 2 * price * static_cast<double>(problem_.data().rows.rows()) * d;
  std::vector<std::size_t> begun, waiting;
  for (const std::size_t c : live)
    if (!exact(c) && cg_.products(c) > 0) begun.push_back(c);
  if (begun.empty() || !allows(1)) return waiting;
  const std::vector<double> active = problem_.active_counts(begun);
  for (std::size_t i = 0; i < begun.size(); ++i) {
    const std::size_t c = begun[i];
    const double spent = product * static_cast<double>(cg_.products(c));
    if (spent < ExactHessian::cost(active[i], d)) continue;
    if (allows(exact_count() + 1))
      make_exact(c);
    else
      waiting.push_back(c);
  }
  return waiting;
}

std::vector<std::size_t> NewtonSteps::resume(std::span<const std::size_t> waiting,
                                             SquaredLosses::Live live) {
  std::vector<std::size_t> resumed;
  if (waiting.empty()) return resumed;
  for (std::size_t c = 0; c < hessians_.size(); ++c)
    if (exact(c) && std::ranges::find(live, c) == live.end()) hessians_[c].reset();
  for (const std::size_t c : waiting) {
    if (!allows(exact_count() + 1)) break;
    make_exact(c);
    resumed.push_back(c);
  }
  return resumed;
}

void NewtonSteps::make_exact(std::size_t problem) {
  // If iterative steps are on that path or at its end, exact ones continue from there.
  if (along_path_ && !on_path_) begin_path(problem);
  const auto& data = problem_.data();
  hessians_[problem].emplace(data.rows, data.bias, problem_.row_weights(),
                             owner_of(problem, context_), data.centre);
  exact_at_once(1);
  context_.log(LogLevel::debug,
               "problem " + std::to_string(problem) + " continues with exact steps");
}

double NewtonSteps::first_cost() {
  const auto& data = problem_.data();
  if (first_cost_ > 0) return first_cost_;
  const RowParts parts(data.rows.rows());
  const std::size_t stride = std::max<std::size_t>(parts.rows() / 1000, 1);
  std::vector<double> sums(2);  // of squares, and number of rows
  sum_over_parts(context_, parts, sums, [&](std::size_t part, std::span<double> sum) {
    const std::size_t first = (parts.first_row(part) + stride - 1) / stride * stride;
    for (std::size_t i = first; i < parts.first_row(part + 1); i += stride, ++sum[1])
      for (const float x : data.rows.view(i, 1).row_span(0)) sum[0] += double{x} * x;
    // Pages between them were also loaded.
    data.rows.release(parts.first_row(part), parts.rows_of(part));
  });
  const double square = sums[0] / sums[1] + data.bias * data.bias;
  first_cost_ = square * data.cost > 1 ? 1 / square : data.cost;
  return first_cost_;
}

void NewtonSteps::begin_stiff(SquaredLosses::Live live) {
  if (problem_.data().sparse || first_cost() * worth_path > problem_.data().cost) return;
  on_path_ = true;
  for (const std::size_t c : live) begin_path(c);
}

void NewtonSteps::begin_path(std::size_t problem) {
  problem_.set_working_cost(problem, std::min(first_cost(), problem_.cost(problem)));
}

bool NewtonSteps::follow_path(SquaredLosses::Live live, std::span<const double> lengths) {
  std::vector<std::size_t> on_path;
  std::size_t fitting = 0;
  for (const std::size_t c : live) {
    if (exact(c) || problem_.working_cost(c) >= problem_.cost(c)) continue;
    on_path.push_back(c);
    fitting += !(lengths[c] > 0) || lengths[c] >= fitting_length ? 1 : 0;
  }
  if (on_path.empty() || 2 * fitting < on_path.size()) return false;
  for (const std::size_t c : on_path)
    problem_.set_working_cost(c,
                              std::min(cost_factor * problem_.working_cost(c), problem_.cost(c)));
  return true;
}

void NewtonSteps::follow_path(std::size_t problem, double length) {
  const double cost = problem_.working_cost(problem);
  // A length of 0 is due to rounding: no further progress at this cost.
  if (length > 0 && length < fitting_length) return;
  problem_.set_working_cost(problem, std::min(cost_factor * cost, problem_.cost(problem)));
}

void NewtonSteps::change_cost() {
  preconditioner_.reset();
  for (std::size_t c = 0; c < hessians_.size(); ++c) {
    if (!exact(c))
      problem_.set_working_cost(c, problem_.cost(c));
    else  // the optimum for the smaller cost is known
      problem_.set_working_cost(c,
                                std::min(cost_factor * problem_.working_cost(c), problem_.cost(c)));
  }
}

std::size_t NewtonSteps::exact_count() const {
  return static_cast<std::size_t>(std::count_if(hessians_.begin(), hessians_.end(),
                                                [](const auto& h) { return h.has_value(); }));
}

/// Depends only on sizes, so that the bits do not depend on the memory.
bool NewtonSteps::allows(std::size_t exact_problems) const {
  return exact_problems * ExactHessian::bytes(problem_.data().rows.rows(), problem_.dimension()) <=
         allowance_;
}

std::size_t NewtonSteps::retained_bytes() const {
  std::size_t retained = preconditioner_.retained_bytes();
  for (std::size_t c = 0; c < hessians_.size(); ++c)
    if (exact(c))
      retained += owns(c, context_)
                      ? ExactHessian::bytes(problem_.data().rows.rows(), problem_.dimension())
                      : own_rows() * sizeof(std::size_t);
  return retained;
}

/// The number of exact steps that fit into memory at once; throws Error if none fits.
std::size_t NewtonSteps::exact_at_once(std::size_t problems) const {
  const std::size_t retained = retained_bytes();
  const std::size_t scratch =
      ExactHessian::scratch_bytes(problem_.data().rows.rows(), problem_.dimension());
  if (retained + scratch > memory_)
    throw MemoryError(
        "the exact steps of " + std::to_string(exact_count()) + " problems of " +
        std::to_string(problem_.dimension()) + " columns take " +
        std::to_string(((retained + scratch) >> 20) + 1) + " MiB, but " +
        std::to_string(memory_ >> 20) +
        " MiB are left; raise --memory, or scale the columns alike (normalizer/zscore), "
        "which makes such steps unnecessary");
  return std::clamp<std::size_t>((memory_ - retained) / scratch, 1,
                                 std::max<std::size_t>(problems, 1));
}

bool NewtonSteps::solve_exactly(const Vectors<double>& gradient, SquaredLosses::Live live) {
  if (live.empty()) return true;
  const bool alone = context_.collectives().ranks() == 1;
  if (!alone && !update_hessians(live)) return false;
  std::vector<std::size_t> own;
  for (const std::size_t c : live)
    if (owns(c, context_)) own.push_back(c);
  std::atomic<bool> complete{true};
  std::atomic<std::size_t> next{0};
  context_.parallel_for(exact_at_once(own.size()), [&](std::size_t) {
    for (std::size_t i = next++; i < own.size(); i = next++) {
      const std::size_t c = own[i];
      ExactHessian& hessian = *hessians_[c];
      if ((alone && !hessian.update(problem_.active_rows(c), context_)) ||
          !hessian.solve(problem_.working_cost(c), gradient.row(c), steps_.row(c), context_))
        complete = false;
    }
  });
  share_vectors(live, steps_, context_);
  return complete;
}

/// Needs rows from other ranks, so all ranks do it at once.
bool NewtonSteps::update_hessians(SquaredLosses::Live live) {
  std::vector<ExactHessian*> hessians;
  std::vector<std::vector<std::size_t>> active;
  for (const std::size_t c : live) {
    hessians.push_back(&*hessians_[c]);
    active.push_back(problem_.active_rows(c));
  }
  return update_together(hessians, std::move(active), context_);
}

}  // namespace semblance::linear
