// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "semblance/matrix.hpp"

namespace semblance {

/// The computation of a trained machine for one row, written in plain operators over vectors.
/// `semblance export` turns it into a C function or an ONNX graph. Each step takes the results of
/// earlier steps. Values are float32, or float64 if `wide`. Both arguments of an operator have the
/// same type and the same width, unless one of them is a single value, which is broadcast. All
/// members throw Error if arguments do not fit, or if there are more constants than compilers can
/// take.
class Formula {
 public:
  enum class Operation {
    input,               ///< the row
    constant,            ///< the same for all rows
    widen,               ///< float32 to float64
    narrow,              ///< float64 to float32
    add,                 ///< a + b
    subtract,            ///< a - b
    multiply,            ///< a * b
    divide,              ///< a / b
    minimum,             ///< the smaller of a and b
    maximum,             ///< the larger of a and b
    exponential,         ///< exp a
    logarithm,           ///< ln a
    square_root,         ///< sqrt a
    hyperbolic_tangent,  ///< tanh a
    absolute,            ///< |a|
    products,            ///< <m, a> for each row m of a matrix
    squared_distances,   ///< |m - a|^2
    chi_square_sums,     ///< sum of (m - a)^2 / (m + a), where m + a is not 0
    harmonic_sums,       ///< sum of 2 m a / (m + a), where m + a is not 0
    intersections,       ///< sum of min(m, a)
    sum,                 ///< of all values
    largest,             ///< of all values
    smallest,            ///< of all values
    concatenate,         ///< all values of a, then of b, ...
    gather,              ///< the values of some columns
    where_greater,       ///< c where a > b, else d
    where_missing,       ///< b where a is NaN, else c
    sine,                ///< sin a
    cosine               ///< cos a
  };

  /// A step's result.
  struct Value {
    std::size_t step = 0;
  };

  struct Step {
    Operation operation = Operation::input;
    std::vector<std::size_t> of = {};       ///< its arguments
    std::size_t width = 0;                  ///< number of values of the result
    bool wide = false;                      ///< the result is float64
    std::vector<float> floats = {};         ///< a constant, or a matrix of `width` rows
    std::vector<double> doubles = {};       ///< the same if wide
    std::vector<std::size_t> columns = {};  ///< of gather, and of an input without some columns
    std::size_t row_width = 0;              ///< of an input: the number of values of the row
    std::string note = {};                  ///< the part of the machine that it belongs to
  };

  /// The most constants that a formula may have, in values.
  static constexpr std::size_t most_constants = std::size_t{1} << 26;

  /// @name What there is at first
  /// @{
  Value input(std::size_t width);
  /// The values in these columns of a row of `row_width` values, most of which are 0.
  Value input(std::vector<std::size_t> columns, std::size_t row_width);
  Value constant(std::span<const float> values);
  Value constant(std::span<const double> values);
  /// A single value of the type of `like`.
  Value number(double value, Value like);
  /// @}

  /// @name Value by value
  /// @{
  Value widen(Value a);
  Value narrow(Value a);
  Value add(Value a, Value b) { return binary(Operation::add, a, b); }
  Value subtract(Value a, Value b) { return binary(Operation::subtract, a, b); }
  Value multiply(Value a, Value b) { return binary(Operation::multiply, a, b); }
  Value divide(Value a, Value b) { return binary(Operation::divide, a, b); }
  Value minimum(Value a, Value b) { return binary(Operation::minimum, a, b); }
  Value maximum(Value a, Value b) { return binary(Operation::maximum, a, b); }
  Value exponential(Value a) { return unary(Operation::exponential, a); }
  Value logarithm(Value a) { return unary(Operation::logarithm, a); }
  Value square_root(Value a) { return unary(Operation::square_root, a); }
  Value hyperbolic_tangent(Value a) { return unary(Operation::hyperbolic_tangent, a); }
  Value sine(Value a) { return unary(Operation::sine, a); }
  Value cosine(Value a) { return unary(Operation::cosine, a); }
  Value absolute(Value a) { return unary(Operation::absolute, a); }
  /// `a` to a power of at least 1, by products.
  Value power(Value a, std::size_t exponent);
  Value where_greater(Value a, Value b, Value then, Value otherwise);
  Value where_missing(Value a, Value then, Value otherwise);
  /// @}

  /// @name With each row of a matrix
  /// One value per row of `matrix`, whose rows have the width of `a`. With a float64 matrix, `a`
  /// must be wide. Sparse rows are expanded.
  /// @{
  Value products(Value a, MatrixView matrix) { return with_rows(Operation::products, a, matrix); }
  Value products(Value a, std::span<const double> matrix);
  Value squared_distances(Value a, MatrixView matrix) {
    return with_rows(Operation::squared_distances, a, matrix);
  }
  Value chi_square_sums(Value a, MatrixView matrix) {
    return with_rows(Operation::chi_square_sums, a, matrix);
  }
  Value harmonic_sums(Value a, MatrixView matrix) {
    return with_rows(Operation::harmonic_sums, a, matrix);
  }
  Value intersections(Value a, MatrixView matrix) {
    return with_rows(Operation::intersections, a, matrix);
  }
  /// @}

  /// @name Over the values of a row
  /// @{
  Value sum(Value a) { return reduce(Operation::sum, a); }
  Value largest(Value a) { return reduce(Operation::largest, a); }
  Value smallest(Value a) { return reduce(Operation::smallest, a); }
  Value mean(Value a);
  Value concatenate(std::span<const Value> parts);
  Value gather(Value a, std::vector<std::size_t> columns);
  /// @}

  std::size_t width(Value a) const { return at(a).width; }
  /// @name The row whose values, one by one, `a` is computed from
  /// A formula with a constant for each column of a row writes those of columns().
  /// @{
  std::size_t row_width(Value a) const;
  /// The column of each value of `a`: all of the row, unless the input lacks some.
  std::vector<std::size_t> columns(Value a) const;
  /// @}
  bool wide(Value a) const { return at(a).wide; }
  const std::vector<Step>& steps() const noexcept { return steps_; }
  /// The number of values of all constants.
  std::size_t constants() const noexcept { return constants_; }

  /// Sets the note of all following steps, for readers of the exported code: "svm:
  /// solver/linear_svm".
  void set_note(std::string note) { note_ = std::move(note); }

 private:
  const Step& at(Value a) const;
  const Step* shortened_input(std::size_t step) const;
  Value unary(Operation operation, Value a);
  Value binary(Operation operation, Value a, Value b);
  Value reduce(Operation operation, Value a);
  Value with_rows(Operation operation, Value a, MatrixView matrix);
  std::size_t common_width(std::span<const Value> arguments) const;
  void check_same_kind(std::span<const Value> arguments) const;
  Value append(Step step);

  std::vector<Step> steps_;
  std::size_t constants_ = 0;
  std::string note_;
};

/// An optional interface of components whose learned function can be written as a formula. Machines
/// made of such components can be exported.
class Exportable {
 public:
  virtual ~Exportable();

  /// Appends the computation of apply() for the row `in` and returns its result as float32. Sparse
  /// rows are passed with their zeros. The result is NaN for rows that apply() would refuse. Throws
  /// Error with one sentence if the parameters do not allow a formula.
  virtual Formula::Value write(Formula& formula, Formula::Value in) const = 0;
};

/// Writes `part` as a formula. Throws Error if it is not Exportable; `what` names it in the
/// message: "the kernel".
Formula::Value write_part(const class Component& part, const std::string& what, Formula& formula,
                          Formula::Value in);

}  // namespace semblance
