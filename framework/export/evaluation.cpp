// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "export/c_text.hpp"
#include "export/proof.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

using Operation = Formula::Operation;
using Step = Formula::Step;
using Values = std::vector<double>;

double summand_of(Operation operation, double m, double a) {
  const double t = m + a;
  switch (operation) {
    case Operation::squared_distances:
      return (m - a) * (m - a);
    case Operation::chi_square_sums:
      return t == 0 ? 0 : (m - a) * (m - a) / t;
    case Operation::harmonic_sums:
      return t == 0 ? 0 : 2 * m * a / t;
    case Operation::intersections:
      return m < a ? m : a;
    default:
      return m * a;
  }
}

Values with_matrix(const Step& step, const Values& a) {
  Values result(step.width);
  for (std::size_t i = 0; i < step.width; ++i)
    for (std::size_t k = 0; k < a.size(); ++k) {
      const std::size_t at = i * a.size() + k;
      result[i] += summand_of(step.operation, step.wide ? step.doubles[at] : step.floats[at], a[k]);
    }
  return result;
}

double single(Operation operation, double a, double b, double c, double d, bool turned) {
  switch (operation) {
    case Operation::narrow:
    case Operation::widen:
      return a;
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::minimum:
      return a < b || std::isnan(a) ? a : b;
    case Operation::maximum:
      return a > b || std::isnan(a) ? a : b;
    case Operation::exponential:
      return std::exp(a);
    case Operation::logarithm:
      return std::log(a);
    case Operation::square_root:
      return std::sqrt(a);
    case Operation::hyperbolic_tangent:
      return std::tanh(a);
    case Operation::absolute:
      return std::abs(a);
    case Operation::sine:
      return std::sin(a);
    case Operation::cosine:
      return std::cos(a);
    case Operation::where_greater:
      return (a > b) != turned ? c : d;
    case Operation::where_missing:
      return std::isnan(a) ? b : c;
    default:
      throw Error("internal error: no operator on single values");
  }
}

double reduced_to(Operation operation, const Values& a) {
  double result = a[0];
  for (std::size_t i = 1; i < a.size(); ++i) {
    const bool better = operation == Operation::largest ? a[i] > result : a[i] < result;
    if (operation == Operation::sum)
      result += a[i];
    else if (better || std::isnan(a[i]))
      result = a[i];
  }
  return result;
}

Values value_of(const Step& step, std::span<const float> row, const std::vector<Values>& known,
                std::span<const Decision> turned) {
  const auto is_turned = [&](std::size_t i) {
    return std::ranges::any_of(
        turned, [&](const Decision& d) { return d.step == known.size() && d.value == i; });
  };
  const auto argument = [&](std::size_t k, std::size_t i) {
    if (k >= step.of.size()) return 0.0;
    const Values& values = known[step.of[k]];
    return values.size() == 1 ? values[0] : values[i];
  };
  Values result;
  switch (step.operation) {
    case Operation::input:
      return {row.begin(), row.end()};
    case Operation::constant:
      if (step.wide) return step.doubles;
      return {step.floats.begin(), step.floats.end()};
    case Operation::concatenate:
      for (const std::size_t of : step.of)
        result.insert(result.end(), known[of].begin(), known[of].end());
      return result;
    case Operation::gather:
      for (const std::size_t column : step.columns) result.push_back(known[step.of[0]][column]);
      return result;
    case Operation::sum:
    case Operation::largest:
    case Operation::smallest:
      return {reduced_to(step.operation, known[step.of[0]])};
    default:
      break;
  }
  if (has_matrix(step.operation)) return with_matrix(step, known[step.of[0]]);
  for (std::size_t i = 0; i < step.width; ++i)
    result.push_back(single(step.operation, argument(0, i), argument(1, i), argument(2, i),
                            argument(3, i), is_turned(i)));
  return result;
}

double largest_magnitude(const Values& values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace

std::vector<Values> evaluate(const Formula& formula, std::span<const float> row,
                             std::span<const Decision> turned) {
  std::vector<Values> values;
  for (const Step& step : formula.steps()) values.push_back(value_of(step, row, values, turned));
  return values;
}

namespace {

double one_of(const Values& values, std::size_t i) { return values[values.size() == 1 ? 0 : i]; }

/// The decisions that rounding may turn, and that make a difference.
std::vector<Decision> close_decisions(const Formula& formula, const std::vector<Values>& values,
                                      double tolerance) {
  std::vector<Decision> close;
  for (std::size_t s = 0; s < values.size(); ++s) {
    const Step& step = formula.steps()[s];
    if (step.operation != Operation::where_greater) continue;
    const Values &a = values[step.of[0]], &b = values[step.of[1]];
    // The scale of all values compared at once, such as the decision values of all pairs of
    // classes.
    const double size = std::max(largest_magnitude(a), largest_magnitude(b));
    for (std::size_t i = 0; i < step.width; ++i) {
      const double one = one_of(values[step.of[2]], i), other = one_of(values[step.of[3]], i);
      const bool counts = std::isfinite(one) && std::isfinite(other) && one != other;
      if (counts && std::abs(one_of(a, i) - one_of(b, i)) <= tolerance * size)
        close.push_back({s, i});
    }
  }
  return close;
}

}  // namespace

bool explained_by_rounding(const Formula& formula, Formula::Value result,
                           std::span<const float> row, std::span<const float> one,
                           std::span<const float> other, double allowed, double tolerance) {
  constexpr std::size_t most = 6;  // all combinations of these are tried
  const auto close = close_decisions(formula, evaluate(formula, row), tolerance);
  if (close.empty() || close.size() > most) return false;
  bool one_found = false, other_found = false;
  for (std::size_t chosen = 0; chosen < std::size_t{1} << close.size(); ++chosen) {
    std::vector<Decision> turned;
    for (std::size_t k = 0; k < close.size(); ++k)
      if (chosen >> k & 1) turned.push_back(close[k]);
    const Values found = evaluate(formula, row, turned)[result.step];
    const auto same = [&](std::span<const float> scores) {
      for (std::size_t c = 0; c < scores.size(); ++c)
        if (!(std::abs(found[c] - double{scores[c]}) <= allowed)) return false;
      return true;
    };
    one_found = one_found || same(one);
    other_found = other_found || same(other);
  }
  return one_found && other_found;
}

}  // namespace semblance
