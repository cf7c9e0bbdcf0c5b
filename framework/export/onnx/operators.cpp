// SPDX-License-Identifier: MIT
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>

#include "export/onnx/tensor.hpp"
#include "semblance/error.hpp"

namespace semblance::onnx_door {
namespace {

using Shape = std::vector<std::size_t>;

void check_tensors(bool sound, const std::string& what) {
  if (!sound) throw Error("the ONNX file cannot be computed: " + what);
}

/// The index in a tensor for each value of a larger one.
std::vector<std::size_t> places(const Shape& of, const Shape& in) {
  const std::size_t count = Tensor{Kind::float32, in, {}}.size();
  std::vector<std::size_t> result(count);
  const std::size_t missing = in.size() - of.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, stride = 1, place = 0;
    for (std::size_t d = in.size(); d-- > 0;) {
      const std::size_t at = rest % in[d];
      rest /= in[d];
      if (d < missing) continue;
      if (of[d - missing] != 1) place += at * stride;
      stride *= of[d - missing];
    }
    result[i] = place;
  }
  return result;
}

Shape common(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto of = [&](const Shape& s) {
      const std::size_t missing = shape.size() - s.size();
      return d < missing ? std::size_t{1} : s[d - missing];
    };
    const std::size_t x = of(a), y = of(b);
    check_tensors(x == y || x == 1 || y == 1, "two shapes do not fit");
    shape[d] = x == 1 ? y : x;
  }
  return shape;
}

/// The numbers of values before the axis, along it, and after it.
struct Axes {
  std::size_t before = 1, along = 1, behind = 1;
};

Axes axes_of(const Shape& shape, std::size_t axis) {
  check_tensors(axis < shape.size(), "an axis does not exist");
  Axes axes;
  for (std::size_t d = 0; d < axis; ++d) axes.before *= shape[d];
  axes.along = shape[axis];
  for (std::size_t d = axis + 1; d < shape.size(); ++d) axes.behind *= shape[d];
  return axes;
}

double paired(const std::string& operation, double x, double y) {
  if (operation == "Add") return x + y;
  if (operation == "Sub") return x - y;
  if (operation == "Mul") return x * y;
  if (operation == "Div") return x / y;
  if (operation == "Greater") return x > y ? 1 : 0;
  if (operation == "Equal") return x == y ? 1 : 0;
  if (std::isnan(x) || std::isnan(y)) return std::nan("");
  return operation == "Min" ? std::min(x, y) : std::max(x, y);
}

using Function = double (*)(double);
const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all = {
      {"Exp", [](double x) { return std::exp(x); }},
      {"Log", [](double x) { return std::log(x); }},
      {"Sqrt", [](double x) { return std::sqrt(x); }},
      {"Tanh", [](double x) { return std::tanh(x); }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Abs", [](double x) { return std::abs(x); }},
      {"IsNaN", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }}};
  return all;
}

}  // namespace

void round_values(Tensor& tensor) {
  if (tensor.kind != Kind::float32) return;
  for (double& value : tensor.values) value = double{static_cast<float>(value)};
}

Tensor by_pairs(const std::string& operation, const Tensor& a, const Tensor& b) {
  check_tensors(a.kind == b.kind, operation + " of two kinds of numbers");
  const bool compares = operation == "Greater" || operation == "Equal";
  Tensor result{compares ? Kind::boolean : a.kind, common(a.shape, b.shape), {}};
  const auto of_a = places(a.shape, result.shape), of_b = places(b.shape, result.shape);
  result.values.resize(of_a.size());
  for (std::size_t i = 0; i < of_a.size(); ++i)
    result.values[i] = paired(operation, a.values[of_a[i]], b.values[of_b[i]]);
  round_values(result);
  return result;
}

Tensor by_value(const std::string& operation, const Tensor& a) {
  const auto found = functions().find(operation);
  check_tensors(found != functions().end(), "it has the operator '" + operation + "'");
  Tensor result{operation == "IsNaN" ? Kind::boolean : a.kind, a.shape, a.values};
  for (double& value : result.values) value = found->second(value);
  round_values(result);
  return result;
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  check_tensors(a.kind == b.kind && condition.kind == Kind::boolean, "Where of two kinds");
  Tensor result{a.kind, common(condition.shape, common(a.shape, b.shape)), {}};
  const auto of_c = places(condition.shape, result.shape);
  const auto of_a = places(a.shape, result.shape), of_b = places(b.shape, result.shape);
  for (std::size_t i = 0; i < of_c.size(); ++i)
    result.values.push_back(condition.values[of_c[i]] != 0 ? a.values[of_a[i]] : b.values[of_b[i]]);
  return result;
}

Tensor cast(const Tensor& a, Kind kind) {
  Tensor result{kind, a.shape, a.values};
  round_values(result);
  return result;
}

Tensor expand(const Tensor& a, const Tensor& shape) {
  Shape wanted;
  for (const double extent : shape.values) wanted.push_back(static_cast<std::size_t>(extent));
  Tensor result{a.kind, common(a.shape, wanted), {}};
  for (const std::size_t place : places(a.shape, result.shape))
    result.values.push_back(a.values[place]);
  return result;
}

Tensor matrix_product(const Tensor& a, const Tensor& b) {
  check_tensors(
      a.kind == b.kind && a.shape.size() == 2 && b.shape.size() == 2 && a.shape[1] == b.shape[0],
      "MatMul of two shapes that do not fit");
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto view = [](const Tensor& t) {
    return Eigen::Map<const Matrix>(t.values.data(), static_cast<Eigen::Index>(t.shape[0]),
                                    static_cast<Eigen::Index>(t.shape[1]));
  };
  Tensor result{a.kind, {a.shape[0], b.shape[1]}, std::vector<double>(a.shape[0] * b.shape[1])};
  Eigen::Map<Matrix>(result.values.data(), static_cast<Eigen::Index>(result.shape[0]),
                     static_cast<Eigen::Index>(result.shape[1]))
      .noalias() = view(a) * view(b);
  round_values(result);
  return result;
}

Tensor concatenate(const std::vector<const Tensor*>& parts, std::size_t axis) {
  check_tensors(!parts.empty(), "Concat of nothing");
  Tensor result{parts.front()->kind, parts.front()->shape, {}};
  check_tensors(axis < result.shape.size(), "an axis does not exist");
  result.shape[axis] = 0;
  for (const Tensor* part : parts) {
    check_tensors(part->kind == result.kind && part->shape.size() == result.shape.size(),
                  "Concat of two kinds");
    for (std::size_t d = 0; d < result.shape.size(); ++d)
      check_tensors(d == axis || part->shape[d] == result.shape[d],
                    "Concat of shapes that do not fit");
    result.shape[axis] += part->shape[axis];
  }
  const std::size_t before = axes_of(result.shape, axis).before;
  for (std::size_t i = 0; i < before; ++i)
    for (const Tensor* part : parts) {
      const std::size_t count = part->values.size() / std::max<std::size_t>(before, 1);
      const auto first = part->values.begin() + static_cast<std::ptrdiff_t>(i * count);
      result.values.insert(result.values.end(), first, first + static_cast<std::ptrdiff_t>(count));
    }
  return result;
}

Tensor gather(const Tensor& a, const Tensor& columns, std::size_t axis) {
  check_tensors(columns.shape.size() == 1, "Gather by more than one dimension");
  const Axes axes = axes_of(a.shape, axis);
  Tensor result{a.kind, a.shape, {}};
  result.shape[axis] = columns.values.size();
  for (std::size_t i = 0; i < axes.before; ++i)
    for (const double column : columns.values) {
      const auto at = static_cast<std::size_t>(column);
      check_tensors(column >= 0 && at < axes.along, "Gather of a column that does not exist");
      for (std::size_t k = 0; k < axes.behind; ++k)
        result.values.push_back(a.values[(i * axes.along + at) * axes.behind + k]);
    }
  return result;
}

Tensor reduce(const std::string& operation, const Tensor& a, std::size_t axis, bool keeps) {
  const Axes axes = axes_of(a.shape, axis);
  check_tensors(axes.along > 0, operation + " of nothing");
  Tensor result{a.kind, a.shape, {}};
  if (keeps)
    result.shape[axis] = 1;
  else
    result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  for (std::size_t i = 0; i < axes.before; ++i)
    for (std::size_t k = 0; k < axes.behind; ++k) {
      const auto value = [&](std::size_t j) {
        return a.values[(i * axes.along + j) * axes.behind + k];
      };
      double total = value(0);
      const char* pair = operation == "ReduceSum"   ? "Add"
                         : operation == "ReduceMax" ? "Max"
                                                    : "Min";
      for (std::size_t j = 1; j < axes.along; ++j) total = paired(pair, total, value(j));
      result.values.push_back(total);
    }
  round_values(result);
  return result;
}

Tensor arg_max(const Tensor& a, std::size_t axis) {
  const Axes axes = axes_of(a.shape, axis);
  Tensor result{Kind::int64, a.shape, {}};
  result.shape.erase(result.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  for (std::size_t i = 0; i < axes.before; ++i)
    for (std::size_t k = 0; k < axes.behind; ++k) {
      std::size_t best = 0;
      for (std::size_t j = 1; j < axes.along; ++j)
        if (a.values[(i * axes.along + j) * axes.behind + k] >
            a.values[(i * axes.along + best) * axes.behind + k])
          best = j;
      result.values.push_back(static_cast<double>(best));
    }
  return result;
}

}  // namespace semblance::onnx_door
