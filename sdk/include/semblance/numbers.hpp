// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>

#include "semblance/formula.hpp"

/// The numbers that a measure's formula is evaluated with, if it is a template over their type:
/// float for blocks, double for the check, Dual for the gradient, Written for an exported model.
/// Functions come with `using std::exp;` and the like, so that each type finds its own.
namespace semblance {

/// A number and its derivative by one variable.
struct Dual {
  double value = 0;
  double slope = 0;

  constexpr Dual() = default;
  constexpr Dual(double v, double s = 0) noexcept : value(v), slope(s) {}

  friend Dual operator-(Dual a) { return {-a.value, -a.slope}; }
  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(Dual a, Dual b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(Dual a, Dual b) {
    const double ratio = a.value / b.value;
    return {ratio, (a.slope - ratio * b.slope) / b.value};
  }
  Dual& operator+=(Dual b) { return *this = *this + b; }
  Dual& operator-=(Dual b) { return *this = *this - b; }
  Dual& operator*=(Dual b) { return *this = *this * b; }
  Dual& operator/=(Dual b) { return *this = *this / b; }
  friend bool operator==(Dual a, Dual b) { return a.value == b.value; }
  friend auto operator<=>(Dual a, Dual b) { return a.value <=> b.value; }

  /// @name At a kink, the slope of one side
  /// @{
  friend Dual min(Dual a, Dual b) { return b.value < a.value ? b : a; }
  friend Dual max(Dual a, Dual b) { return a.value < b.value ? b : a; }
  friend Dual abs(Dual a) { return a.value < 0 ? -a : a.value > 0 ? a : Dual(); }
  /// @}
  friend Dual exp(Dual a) { return {std::exp(a.value), a.slope * std::exp(a.value)}; }
  friend Dual log(Dual a) { return {std::log(a.value), a.slope / a.value}; }
  friend Dual sqrt(Dual a) { return {std::sqrt(a.value), a.slope / (2 * std::sqrt(a.value))}; }
  friend Dual tanh(Dual a) {
    const double t = std::tanh(a.value);
    return {t, a.slope * (1 - t * t)};
  }
};

/// A value of a formula that is being written: arithmetic appends its steps.
class Written {
 public:
  Written(double number) : number_(number) {}
  Written(Formula& formula, Formula::Value value) : formula_(&formula), value_(value) {}

  /// As a value of the formula, of the type of `like`.
  Formula::Value in(Formula& formula, Formula::Value like) const {
    return formula_ ? value_ : formula.number(number_, like);
  }

  friend Written operator-(Written a) { return Written(0) - a; }
  friend Written operator+(Written a, Written b) { return of(a, b, std::plus(), &Formula::add); }
  friend Written operator-(Written a, Written b) {
    return of(a, b, std::minus(), &Formula::subtract);
  }
  friend Written operator*(Written a, Written b) {
    return of(a, b, std::multiplies(), &Formula::multiply);
  }
  friend Written operator/(Written a, Written b) {
    return of(a, b, std::divides(), &Formula::divide);
  }
  Written& operator+=(Written b) { return *this = *this + b; }
  friend Written min(Written a, Written b) {
    return of(
        a, b, [](double x, double y) { return std::min(x, y); }, &Formula::minimum);
  }
  friend Written max(Written a, Written b) {
    return of(
        a, b, [](double x, double y) { return std::max(x, y); }, &Formula::maximum);
  }
  friend Written abs(Written a) { return of(a, std::fabs, &Formula::absolute); }
  friend Written exp(Written a) { return of(a, std::exp, &Formula::exponential); }
  friend Written log(Written a) { return of(a, std::log, &Formula::logarithm); }
  friend Written sqrt(Written a) { return of(a, std::sqrt, &Formula::square_root); }
  friend Written tanh(Written a) { return of(a, std::tanh, &Formula::hyperbolic_tangent); }
  friend Written power(Written a, std::int64_t exponent) {
    if (!a.formula_) return std::pow(a.number_, static_cast<double>(exponent));
    return {*a.formula_, a.formula_->power(a.value_, static_cast<std::size_t>(exponent))};
  }
  friend Written if_positive(Written a, Written then, Written otherwise) {
    if (!a.formula_) return a.number_ > 0 ? then : otherwise;
    Formula& formula = *a.formula_;
    // NaN is not below the least number and takes `then`, which it makes NaN.
    const auto least = formula.number(std::numeric_limits<float>::denorm_min(), a.value_);
    return {formula, formula.where_greater(least, a.value_, otherwise.in(formula, a.value_),
                                           then.in(formula, a.value_))};
  }

 private:
  template <class Function>
  static Written of(Written a, Written b, const Function& function,
                    Formula::Value (Formula::*step)(Formula::Value, Formula::Value)) {
    Formula* const formula = a.formula_ ? a.formula_ : b.formula_;
    if (!formula) return function(a.number_, b.number_);
    const Formula::Value like = a.formula_ ? a.value_ : b.value_;
    return {*formula, (formula->*step)(a.in(*formula, like), b.in(*formula, like))};
  }
  static Written of(Written a, double (*function)(double),
                    Formula::Value (Formula::*step)(Formula::Value)) {
    if (!a.formula_) return function(a.number_);
    return {*a.formula_, (a.formula_->*step)(a.value_)};
  }

  Formula* formula_ = nullptr;  ///< null: only a number
  Formula::Value value_;
  double number_ = 0;
};

/// `base` to a power of at least 1, by products.
template <class Number>
Number power(Number base, std::int64_t exponent) {
  Number result = base;
  for (std::int64_t k = 1; k < exponent; ++k) result = result * base;
  return result;
}

/// `otherwise` if a <= 0, else `then`. Both are computed, and the one that is not chosen may be
/// anything.
template <class Number>
Number if_positive(Number a, Number then, Number otherwise) {
  return a <= Number(0) ? otherwise : then;
}

}  // namespace semblance
