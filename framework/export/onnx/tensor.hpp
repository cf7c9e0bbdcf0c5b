// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace semblance::onnx_door {

/// The type of a tensor's values. Float32 values are rounded after each operator.
enum class Kind { float32, float64, int64, boolean };

/// A tensor of any kind; all its values are float64, which holds the integers in question.
struct Tensor {
  Kind kind = Kind::float32;
  std::vector<std::size_t> shape;  ///< slowest first
  std::vector<double> values;

  std::size_t size() const noexcept {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    return count;
  }
};

/// Rounds to the kind.
void round_values(Tensor& tensor);

/// @name Operators, by ONNX's definition
/// They throw Error where arguments do not fit.
/// @{

/// Computes value by value, with ONNX's rules for shapes that differ (broadcasting).
Tensor by_pairs(const std::string& operation, const Tensor& a, const Tensor& b);
Tensor by_value(const std::string& operation, const Tensor& a);
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor cast(const Tensor& a, Kind kind);
Tensor expand(const Tensor& a, const Tensor& shape);
Tensor matrix_product(const Tensor& a, const Tensor& b);
Tensor concatenate(const std::vector<const Tensor*>& parts, std::size_t axis);
Tensor gather(const Tensor& a, const Tensor& columns, std::size_t axis);
/// ReduceSum, ReduceMax or ReduceMin.
Tensor reduce(const std::string& operation, const Tensor& a, std::size_t axis, bool keeps);
/// The index of the largest value along the axis, without the axis; ties go to the first.
Tensor arg_max(const Tensor& a, std::size_t axis);
/// @}

}  // namespace semblance::onnx_door
