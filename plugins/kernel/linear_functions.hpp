// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::kernel {

/// The mean of dense training samples, or of the chosen ones, in float32, if they are so far from 0
/// that inner products about the mean are more exact than about 0: if its squared length exceeds
/// the mean squared length of the centred samples. Else empty. A machine with a free bias does not
/// depend on the centre, which only moves the bias.
std::vector<float> far_centre(const TrainingSet& training, Context& context,
                              std::span<const std::uint32_t> chosen = {});

/// The linear functions sum_i b_i (x_i - centre) of some problems, and their values on the training
/// samples, in double: float32 kernel values lose their differences if samples are far from 0 or
/// columns have very different scales.
class LinearFunctions {
 public:
  /// b of a training sample in a problem; 0 if the sample is no part of it.
  using Coefficient = std::function<double(std::size_t problem, std::size_t row)>;
  /// Whether a sample is part of a problem, so that its value is wanted.
  using Wanted = std::function<bool(std::size_t problem, std::size_t row)>;

  LinearFunctions(const TrainingSet& training, std::span<const float> centre, std::size_t problems,
                  Coefficient coefficient, Wanted wanted, Context& context);

  /// The number of problems computed at once.
  std::size_t at_once() const;

  /// f without its bias for the problems [first, first + count), one row per training sample.
  std::vector<double> values(std::size_t first, std::size_t count) const;

 private:
  std::vector<double> weights(std::size_t first, std::size_t count) const;
  double product(MatrixView view, std::size_t i, const double* weights) const;

  const TrainingSet& training_;
  std::span<const float> centre_;
  std::size_t problems_;
  Coefficient coefficient_;
  Wanted wanted_;
  Context& context_;
  std::size_t cols_;
};

}  // namespace semblance::kernel
