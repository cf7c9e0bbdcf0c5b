// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "semblance/component.hpp"
#include "semblance/report.hpp"

namespace semblance {

/// What is judged: one row of class scores a sample.
struct Scored {
  MatrixView scores;                     ///< samples x classes
  std::span<const std::int32_t> labels;  ///< one a row; -1 where unknown
  std::span<const std::string> classes;
};

/// Kind `evaluator`: judges scores.
class Evaluator : public Component {
 public:
  ~Evaluator() override;
  virtual void evaluate(const Scored& test, Report& report, Context& context) const = 0;
};

}  // namespace semblance
