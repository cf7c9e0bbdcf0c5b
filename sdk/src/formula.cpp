// SPDX-License-Identifier: MIT
#include "semblance/formula.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "semblance/component.hpp"
#include "semblance/error.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {
namespace {

using Step = Formula::Step;

void check_formula(bool sound, const char* what) {
  if (!sound) throw Error(std::string("a formula does not fit together: ") + what);
}

}  // namespace

Exportable::~Exportable() = default;
SupportVectors::~SupportVectors() = default;
SupportVectorKernel::~SupportVectorKernel() = default;
LinearWeights::~LinearWeights() = default;
TakesSupportVectors::~TakesSupportVectors() = default;
TakesLiblinearMachine::~TakesLiblinearMachine() = default;

Formula::Value write_part(const Component& part, const std::string& what, Formula& formula,
                          Formula::Value in) {
  const auto* exportable = dynamic_cast<const Exportable*>(&part);
  if (!exportable) throw Error(what + " cannot be written as a formula");
  return exportable->write(formula, in);
}

const Step& Formula::at(Value a) const {
  check_formula(a.step < steps_.size(), "a step takes one that does not exist");
  return steps_[a.step];
}

Formula::Value Formula::append(Step step) {
  constants_ += step.floats.size() + step.doubles.size();
  if (constants_ > most_constants)
    throw Error("it has " + std::to_string(constants_) + " constants, and more than " +
                std::to_string(most_constants) +
                " are too many for a compiler; use fewer bases, or fewer columns");
  step.note = note_;
  steps_.push_back(std::move(step));
  return {steps_.size() - 1};
}

std::size_t Formula::common_width(std::span<const Value> arguments) const {
  std::size_t width = 1;
  for (const Value a : arguments) width = std::max(width, at(a).width);
  for (const Value a : arguments)
    check_formula(at(a).width == width || at(a).width == 1, "arguments of different widths");
  return width;
}

void Formula::check_same_kind(std::span<const Value> arguments) const {
  for (const Value a : arguments)
    check_formula(at(a).wide == at(arguments.front()).wide, "float32 together with float64");
}

Formula::Value Formula::input(std::size_t width) {
  check_formula(steps_.empty(), "a second input");
  check_formula(width > 0, "an input without values");
  return append({.operation = Operation::input, .of = {}, .width = width});
}

Formula::Value Formula::input(std::vector<std::size_t> columns, std::size_t row_width) {
  check_formula(!columns.empty() && std::ranges::max(columns) < row_width,
                "columns that do not exist");
  const Value made = input(columns.size());
  steps_.back().columns = std::move(columns);
  steps_.back().row_width = row_width;
  return made;
}

/// Nothing where it is not computed value by value from an input that lacks columns.
const Step* Formula::shortened_input(std::size_t number) const {
  const Step& step = steps_[number];
  if (steps_.front().columns.empty()) return nullptr;
  if (step.operation == Operation::input) return &step;
  const bool mixes =
      step.operation == Operation::gather || step.operation == Operation::concatenate ||
      (step.operation >= Operation::products && step.operation <= Operation::smallest);
  for (const std::size_t of : step.of) {
    if (mixes || steps_[of].width != step.width) continue;
    if (const Step* const found = shortened_input(of)) return found;
  }
  return nullptr;
}

std::size_t Formula::row_width(Value a) const {
  const Step* const input = shortened_input(a.step);
  return input ? input->row_width : at(a).width;
}

std::vector<std::size_t> Formula::columns(Value a) const {
  if (const Step* const input = shortened_input(a.step)) return input->columns;
  std::vector<std::size_t> all(at(a).width);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Formula::Value Formula::constant(std::span<const float> values) {
  check_formula(!values.empty(), "a constant without values");
  return append({.operation = Operation::constant,
                 .of = {},
                 .width = values.size(),
                 .floats = {values.begin(), values.end()}});
}

Formula::Value Formula::constant(std::span<const double> values) {
  check_formula(!values.empty(), "a constant without values");
  return append({.operation = Operation::constant,
                 .of = {},
                 .width = values.size(),
                 .wide = true,
                 .doubles = {values.begin(), values.end()}});
}

Formula::Value Formula::number(double value, Value like) {
  if (at(like).wide) return constant(std::span<const double>(&value, 1));
  const auto narrow = static_cast<float>(value);
  return constant(std::span<const float>(&narrow, 1));
}

Formula::Value Formula::widen(Value a) {
  if (at(a).wide) return a;
  return append(
      {.operation = Operation::widen, .of = {a.step}, .width = at(a).width, .wide = true});
}

Formula::Value Formula::narrow(Value a) {
  if (!at(a).wide) return a;
  return append({.operation = Operation::narrow, .of = {a.step}, .width = at(a).width});
}

Formula::Value Formula::unary(Operation operation, Value a) {
  const bool wide = at(a).wide;
  return append({.operation = operation, .of = {a.step}, .width = at(a).width, .wide = wide});
}

Formula::Value Formula::binary(Operation operation, Value a, Value b) {
  const std::array arguments{a, b};
  check_same_kind(arguments);
  const bool wide = at(a).wide;
  return append({.operation = operation,
                 .of = {a.step, b.step},
                 .width = common_width(arguments),
                 .wide = wide});
}

Formula::Value Formula::reduce(Operation operation, Value a) {
  const bool wide = at(a).wide;
  return append({.operation = operation, .of = {a.step}, .width = 1, .wide = wide});
}

Formula::Value Formula::mean(Value a) {
  return divide(sum(a), number(static_cast<double>(at(a).width), a));
}

Formula::Value Formula::power(Value a, std::size_t exponent) {
  check_formula(exponent > 0, "a power below 1");
  Value result = a, square = a;
  bool any = false;
  for (std::size_t rest = exponent;;) {
    if (rest % 2 == 1) {
      result = any ? multiply(result, square) : square;
      any = true;
    }
    rest /= 2;
    if (rest == 0) return result;
    square = multiply(square, square);
  }
}

Formula::Value Formula::where_greater(Value a, Value b, Value then, Value otherwise) {
  const std::array compared{a, b}, chosen{then, otherwise};
  const std::array all{a, b, then, otherwise};
  check_same_kind(compared);
  check_same_kind(chosen);
  const bool wide = at(then).wide;
  return append({.operation = Operation::where_greater,
                 .of = {a.step, b.step, then.step, otherwise.step},
                 .width = common_width(all),
                 .wide = wide});
}

Formula::Value Formula::where_missing(Value a, Value then, Value otherwise) {
  const std::array chosen{then, otherwise};
  const std::array all{a, then, otherwise};
  check_same_kind(chosen);
  const bool wide = at(then).wide;
  return append({.operation = Operation::where_missing,
                 .of = {a.step, then.step, otherwise.step},
                 .width = common_width(all),
                 .wide = wide});
}

Formula::Value Formula::products(Value a, std::span<const double> matrix) {
  const std::size_t width = at(a).width;
  check_formula(at(a).wide, "a matrix of float64 with float32");
  check_formula(!matrix.empty() && matrix.size() % width == 0, "a matrix of another width");
  return append({.operation = Operation::products,
                 .of = {a.step},
                 .width = matrix.size() / width,
                 .wide = true,
                 .doubles = {matrix.begin(), matrix.end()}});
}

Formula::Value Formula::with_rows(Operation operation, Value a, MatrixView matrix) {
  const std::size_t width = at(a).width;
  const bool wide = at(a).wide;
  check_formula(matrix.rows > 0 && matrix.cols == width, "a matrix of another width");
  check_formula(!matrix.ragged() || matrix.sparse(), "rows that differ in size");
  if (matrix.rows > most_constants / width)
    throw Error("it has " + std::to_string(matrix.rows) + " x " + std::to_string(width) +
                " constants, and more than " + std::to_string(most_constants) +
                " are too many for a compiler; use fewer bases, or fewer columns");
  std::vector<float> values(matrix.rows * width);
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (std::size_t k = 0; k < matrix.size(i); ++k)
      values[i * width + (matrix.sparse() ? matrix.columns_of(i)[k] : k)] = matrix.row(i)[k];
  Step step{.operation = operation, .of = {a.step}, .width = matrix.rows, .wide = wide};
  if (wide)
    step.doubles.assign(values.begin(), values.end());
  else
    step.floats = std::move(values);
  return append(std::move(step));
}

Formula::Value Formula::concatenate(std::span<const Value> parts) {
  check_formula(!parts.empty(), "nothing to put side by side");
  if (parts.size() == 1) return parts.front();
  check_same_kind(parts);
  Step step{.operation = Operation::concatenate, .of = {}, .wide = at(parts.front()).wide};
  for (const Value part : parts) {
    step.of.push_back(part.step);
    step.width += at(part).width;
  }
  return append(std::move(step));
}

Formula::Value Formula::gather(Value a, std::vector<std::size_t> columns) {
  check_formula(!columns.empty() && std::ranges::max(columns) < at(a).width,
                "columns that do not exist");
  Step step{.operation = Operation::gather, .of = {a.step}, .width = columns.size()};
  step.wide = at(a).wide;
  step.columns = std::move(columns);
  return append(std::move(step));
}

}  // namespace semblance
