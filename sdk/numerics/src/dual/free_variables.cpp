// SPDX-License-Identifier: MIT
#include "free_variables.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/row_sums.hpp"
#include "subproblem.hpp"

namespace semblance::numerics {
namespace {

// Kernel values are floats: rounding changes the eigenvalues by less than this share of the largest
// diagonal value.
constexpr double ridge = 1e-6;

// Each costs two solutions with the factor; beyond this number a new factor of fewer variables is
// cheaper.
constexpr std::size_t most_stops_per_factor = 24;

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

FreeVariables::FreeVariables(std::vector<double> kernel, std::size_t count)
    : count_(count), factor_(std::move(kernel)) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, factor_[i * count + i]);
  if (!(largest > 0)) return;
  for (std::size_t i = 0; i < count; ++i) factor_[i * count + i] += ridge * largest;
  usable_ =
      blas::factorise(count, factor_.data(), count) && constrain(std::vector<double>(count, 1.0));
}

std::vector<double> FreeVariables::solved(std::vector<double> right) const {
  blas::solve(count_, factor_.data(), count_, right.data());
  return right;
}

/// False if the new constraint follows from the previous ones.
bool FreeVariables::constrain(std::vector<double> constraint) {
  std::vector<double> solution = solved(constraint);
  std::vector<double> row;
  double rest = inner_product(constraint, solution);
  const double whole = rest;
  for (std::size_t k = 0; k < schur_.size(); ++k) {
    double value = inner_product(constraints_[k], solution);
    for (std::size_t l = 0; l < k; ++l) value -= row[l] * schur_[k][l];
    row.push_back(value / schur_[k][k]);
    rest -= row.back() * row.back();
  }
  if (!(rest > 1e-12 * whole)) return false;
  row.push_back(std::sqrt(rest));
  schur_.push_back(std::move(row));
  constraints_.push_back(std::move(constraint));
  solutions_.push_back(std::move(solution));
  return true;
}

/// v with C'Z v = -C'u.
std::vector<double> FreeVariables::multipliers(const std::vector<double>& u) const {
  std::vector<double> v;
  for (std::size_t k = 0; k < schur_.size(); ++k) {
    double value = -inner_product(constraints_[k], u);
    for (std::size_t l = 0; l < k; ++l) value -= schur_[k][l] * v[l];
    v.push_back(value / schur_[k][k]);
  }
  for (std::size_t k = schur_.size(); k-- > 0;) {
    for (std::size_t l = k + 1; l < schur_.size(); ++l) v[k] -= schur_[l][k] * v[l];
    v[k] /= schur_[k][k];
  }
  return v;
}

// With u = K^-1 f and Z = K^-1 C the step to the minimum where C'd = 0 is d = -(u + Z v), with
// C'Z v = -C'u. After a share t of it u becomes (1 - t) u - t Z v.
FreeVariables::Move FreeVariables::minimise(std::span<const double> gradients,
                                            std::span<const double> below,
                                            std::span<const double> above, std::size_t most_stops) {
  Move move{std::vector<double>(count_), {}};
  std::vector<char> stays(count_);
  std::vector<double> u = solved({gradients.begin(), gradients.end()}), shift(count_);
  for (;;) {
    const std::vector<double> v = multipliers(u);
    std::fill(shift.begin(), shift.end(), 0.0);
    for (std::size_t k = 0; k < v.size(); ++k)
      for (std::size_t i = 0; i < count_; ++i) shift[i] += v[k] * solutions_[k][i];
    double share = 1;
    std::optional<Stop> first;
    for (std::size_t i = 0; i < count_; ++i) {
      if (stays[i]) continue;
      const double step = -(u[i] + shift[i]);
      const double room = step > 0 ? above[i] - move.changes[i] : below[i] + move.changes[i];
      if (std::abs(step) * share <= room) continue;
      share = std::max(0.0, room) / std::abs(step);
      first = {i, step > 0};
    }
    for (std::size_t i = 0; i < count_; ++i) {
      if (!stays[i]) move.changes[i] -= share * (u[i] + shift[i]);
      u[i] = (1 - share) * u[i] - share * shift[i];
    }
    if (!first) return move;
    move.changes[first->variable] = first->above ? above[first->variable] : -below[first->variable];
    move.stops.push_back(*first);
    stays[first->variable] = 1;
    std::vector<double> constraint(count_);
    constraint[first->variable] = 1;
    if (move.stops.size() >= most_stops || !constrain(std::move(constraint))) return move;
  }
}

void Subproblem::minimise_free() {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < capacity_; ++i)
    if (at(values, i) > at(lowers, i) && at(values, i) < at(uppers, i)) free.push_back(i);
  const std::size_t count = free.size();
  if (count < 2) return;
  std::vector<double> matrix(count * count), slopes(count), below(count), above(count);
  for (std::size_t r = 0; r < count; ++r) {
    const float* row = kernel(free[r]);
    for (std::size_t c = 0; c <= r; ++c) matrix[r * count + c] = double{row[free[c]]};
    slopes[r] = at(gradients, free[r]);
    below[r] = at(values, free[r]) - at(lowers, free[r]);
    above[r] = at(uppers, free[r]) - at(values, free[r]);
  }
  FreeVariables system(std::move(matrix), count);
  if (!system.usable()) return;
  const FreeVariables::Move move = system.minimise(slopes, below, above, most_stops_per_factor);
  std::vector<const float*> rows;
  for (std::size_t r = 0; r < count; ++r) {
    rows.push_back(kernel(free[r]));
    at(values, free[r]) += move.changes[r];
  }
  for (const auto& [r, at_upper] : move.stops)
    at(values, free[r]) = at(at_upper ? uppers : lowers, free[r]);
  add_rows(rows.data(), move.changes.data(), count, array(gradients), stride_);
  for (const std::size_t i : free) limit(i);
}

}  // namespace semblance::numerics
