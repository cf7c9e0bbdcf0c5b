// SPDX-License-Identifier: MIT
#include "newton/l1_quadratic.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "problem/dot.hpp"
#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"

namespace semblance::linear {
namespace {

constexpr int descent_passes = 3;  // before a step in the subspace
constexpr int most_rounds = 200;
constexpr double least_ridge = 1e-13;  // of the largest diagonal entry: H may be singular

class Solver {
 public:
  Solver(const L1Quadratic& problem, std::vector<double>& v, Context& context)
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
    for (double raise = 0; raise < 1; raise = std::max(1e-12, 100 * raise)) {
      for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b <= a; ++b) factor.row(a)[b] = h_.row(face_[a])[face_[b]];
        factor.row(a)[a] *= 1 + raise;
      }
      const numerics::Factorisation result = factorise(factor, context_);
      if (result == numerics::Factorisation::stopped) return false;
      if (result == numerics::Factorisation::indefinite) continue;
      numerics::blas::solve(n, factor.row(0), factor.stride(), x.data());
      return true;
    }
    throw Error("a Hessian cannot be factorized; scale the columns alike");
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

}  // namespace

bool minimise(const L1Quadratic& problem, double tolerance, std::vector<double>& v,
              Context& context) {
  return Solver(problem, v, context).solve(tolerance);
}

std::size_t l1_quadratic_bytes(std::size_t entries) noexcept {
  return (2 * entries * padded(entries) + 8 * entries) * sizeof(double);
}

}  // namespace semblance::linear
