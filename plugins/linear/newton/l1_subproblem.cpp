// SPDX-License-Identifier: MIT
#include "newton/l1_subproblem.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "newton/newton_memory.hpp"
#include "problem/sweep.hpp"
#include "semblance_numerics/blas.hpp"

namespace semblance::linear {
namespace {

constexpr int descent_passes = 3;  // before a step in the subspace
constexpr int most_rounds = 200;
constexpr double least_ridge = 1e-13;  // of the largest diagonal entry: H may be singular

class QuadraticSolver {
 public:
  QuadraticSolver(const L1Quadratic& problem, std::vector<double>& v, Context& context)
      : context_(context), k_(problem.w.size()), h_(k_, k_), r_(problem.slope), v_(v) {
    double largest = 0;
    for (std::size_t i = 0; i < k_; ++i) {
      const double* from = problem.gram.row(i);
      for (std::size_t j = 0; j <= i; ++j) h_.row(i)[j] = h_.row(j)[i] = problem.factor * from[j];
      largest = std::max(largest, h_.row(i)[i]);
    }
    ridge_ = least_ridge * std::max(largest, 1.0);
    for (std::size_t i = 0; i < k_; ++i) h_.row(i)[i] += ridge_;
    v_ = problem.w;
  }

  bool solve(double tolerance) {
    for (int round = 0; round < most_rounds; ++round) {
      for (int pass = 0; pass < descent_passes; ++pass) descend();
      if (violation() <= tolerance) return true;
      if (context_.stop_requested() != StopReason::none || !step()) return false;
      if (violation() <= tolerance) return true;
    }
    return true;
  }

 private:
  /// One pass of coordinate descent.
  void descend() {
    for (std::size_t j = 0; j < k_; ++j) {
      const double curvature = h_.row(j)[j], target = curvature * v_[j] - r_[j];
      const double shrunk = std::max(0.0, std::abs(target) - 1) * sign_of(target) / curvature;
      change(j, shrunk);
    }
  }

  void change(std::size_t j, double value) {
    const double change = value - v_[j];
    if (change == 0) return;
    v_[j] = value;
    cblas_daxpy(numerics::blas::narrow(k_), change, h_.row(j), 1, r_.data(), 1);
  }

  double violation() const {
    double worst = 0;
    for (std::size_t j = 0; j < k_; ++j)
      worst = std::max(worst, v_[j] != 0 ? std::abs(r_[j] + sign_of(v_[j])) : std::abs(r_[j]) - 1);
    return worst;
  }

  /// Moves to the minimum of the face with the signs of v, or to the minimum on the way there.
  bool step() {
    face_.clear();
    for (std::size_t j = 0; j < k_; ++j)
      if (v_[j] != 0) face_.push_back(j);
    if (face_.empty()) return true;
    std::vector<double> direction;
    for (const std::size_t j : face_) direction.push_back(-(r_[j] + sign_of(v_[j])));
    if (!solve_face(direction)) return false;
    go(direction);
    return true;
  }

  bool solve_face(std::vector<double>& x) const {
    const std::size_t n = face_.size();
    Vectors<double> factor(n, n);
    const auto fill = [&](std::size_t a, double* to) {
      for (std::size_t b = 0; b <= a; ++b) to[b] = h_.row(face_[a])[face_[b]];
    };
    if (!raised_factor(std::vector<double>(n), fill, factor, context_)) return false;
    numerics::blas::solve(n, factor.row(0), factor.stride(), x.data());
    return true;
  }

  /// Minimises along the direction. The objective is a parabola between the points where an entry
  /// becomes 0; its slope grows from piece to piece.
  void go(const std::vector<double>& direction) {
    const std::size_t n = face_.size();
    std::vector<double> image(k_);  // H direction
    for (std::size_t a = 0; a < n; ++a)
      cblas_daxpy(numerics::blas::narrow(k_), direction[a], h_.row(face_[a]), 1, image.data(), 1);
    double slope = 0, curvature = 0;
    std::vector<std::pair<double, std::size_t>> kinks;
    for (std::size_t a = 0; a < n; ++a) {
      const std::size_t j = face_[a];
      slope += (r_[j] + sign_of(v_[j])) * direction[a];
      curvature += image[j] * direction[a];
      const double t = -v_[j] / direction[a];
      if (t > 0 && t < 1) kinks.emplace_back(t, a);
    }
    if (!(slope < 0) || !(curvature > 0)) return;
    std::sort(kinks.begin(), kinks.end());
    double t = -slope / curvature;
    std::size_t at = n;  // the entry that is 0 at the minimum
    for (const auto& [place, a] : kinks) {
      if (t <= place) break;
      slope += 2 * std::abs(direction[a]);
      if (slope + place * curvature >= 0) {
        t = place;
        at = a;
        break;
      }
      t = -slope / curvature;
    }
    for (std::size_t a = 0; a < n; ++a)
      v_[face_[a]] = a == at ? 0 : v_[face_[a]] + t * direction[a];
    cblas_daxpy(numerics::blas::narrow(k_), t, image.data(), 1, r_.data(), 1);
  }

  Context& context_;
  std::size_t k_;
  Vectors<double> h_;
  std::vector<double> r_;  // slope of the smooth part at v
  std::vector<double>& v_;
  double ridge_ = 0;
  std::vector<std::size_t> face_;
};

// The least number of violating columns that a working set takes in, if there are enough.
constexpr std::size_t least_entering = 64;

bool serves(const std::vector<std::size_t>& columns, const std::vector<std::size_t>& used,
            const std::vector<std::pair<double, std::size_t>>& violating, double worst) {
  const auto has = [&](std::size_t j) {
    return std::binary_search(columns.begin(), columns.end(), j);
  };
  return std::all_of(used.begin(), used.end(), has) &&
         std::all_of(violating.begin(), violating.end(),
                     [&](const auto& v) { return -v.first < 0.1 * worst || has(v.second); });
}

}  // namespace

bool minimise(const L1Quadratic& problem, double tolerance, std::vector<double>& v,
              Context& context) {
  return QuadraticSolver(problem, v, context).solve(tolerance);
}

std::size_t l1_quadratic_bytes(std::size_t entries) noexcept {
  return (2 * entries * padded(entries) + 8 * entries) * sizeof(double);
}

double violation(double w, double slope) {
  return w != 0 ? std::abs(slope + sign_of(w)) : std::max(0.0, std::abs(slope) - 1);
}

WorkingSets::WorkingSets(const LinearTask& task, const numerics::SquaredLosses& losses,
                         std::size_t memory, Context& context)
    : task_(task),
      losses_(losses),
      context_(context),
      n_(losses.problems()),
      d_(task.dimension()),
      memory_(memory),
      most_columns_(most_columns()),
      grams_(n_),
      changed_(n_) {}

/// The largest working set. Depends only on sizes, so that the bits do not depend on the memory.
std::size_t WorkingSets::most_columns() const {
  const std::size_t rows = task_.training.rows.rows(), most = hessian_allowance(rows, d_);
  std::size_t columns = d_;
  while (columns > 2 && n_ * ColumnGram::bytes(rows, columns) > most) columns -= (columns + 7) / 8;
  return columns;
}

void WorkingSets::choose(std::size_t c, const Vectors<double>& w_of,
                         const Vectors<double>& slope_of, double worst) {
  std::vector<std::pair<double, std::size_t>> outside;  // violation and column
  std::vector<std::size_t> chosen;
  const double *w = w_of.row(c), *slope = slope_of.row(c);
  for (std::size_t j = 0; j < d_; ++j) {
    if (w[j] != 0)
      chosen.push_back(j);
    else if (const double v = violation(0, slope[j]); v > 0)
      outside.emplace_back(-v, j);
  }
  if (grams_[c] && serves(grams_[c]->columns(), chosen, outside, worst)) return;
  const std::size_t wanted = std::max(least_entering, chosen.size());
  if (chosen.size() >= most_columns_) {
    // Not all used columns fit: take those that violate their condition most.
    for (const std::size_t j : chosen) outside.emplace_back(-violation(w[j], slope[j]), j);
    chosen.clear();
  }
  const std::size_t entering = std::min({wanted, outside.size(), most_columns_ - chosen.size()});
  std::partial_sort(outside.begin(), outside.begin() + static_cast<std::ptrdiff_t>(entering),
                    outside.end());
  for (std::size_t i = 0; i < entering; ++i) chosen.push_back(outside[i].second);
  std::sort(chosen.begin(), chosen.end());
  changed_[c] = std::move(chosen);
}

std::size_t WorkingSets::steps_at_once() const {
  const std::size_t rows = losses_.own().rows;
  std::size_t retained = 0, scratch = 0, widest = 0;
  for (std::size_t c = 0; c < n_; ++c) {
    const std::size_t k = changed_[c] ? changed_[c]->size()
                          : grams_[c] ? grams_[c]->columns().size()
                                      : 0;
    if (k == 0) continue;
    retained += ColumnGram::bytes(rows, k);
    scratch = std::max(scratch, ColumnGram::scratch_bytes(k) + l1_quadratic_bytes(k));
    widest = std::max(widest, k);
  }
  if (retained + scratch > memory_)
    throw MemoryError("working sets of up to " + std::to_string(widest) + " columns for " +
                      std::to_string(n_) + " problems take " +
                      std::to_string(((retained + scratch) >> 20) + 1) + " MiB, but " +
                      std::to_string(memory_ >> 20) +
                      " MiB are left; raise --memory, or lower C, which uses fewer columns");
  return (memory_ - retained) / std::max<std::size_t>(scratch, 1);
}

ColumnGram& WorkingSets::current(std::size_t c) {
  if (changed_[c]) {
    grams_[c].reset();  // first, so that both never exist at once
    grams_[c].emplace(task_.training.rows, task_.bias, RowWeights{task_.row_weights},
                      std::move(*changed_[c]), task_.centre);
    changed_[c].reset();
  }
  return *grams_[c];
}

std::size_t WorkingSets::widest() const noexcept {
  std::size_t columns = 0;
  for (const auto& gram : grams_)
    if (gram) columns = std::max(columns, gram->columns().size());
  return columns;
}

}  // namespace semblance::linear
