// SPDX-License-Identifier: MIT
#include "probability_calibrator.hpp"

#include <algorithm>

#include "quality.hpp"

namespace semblance::calibrators {

Layout ProbabilityCalibrator::bind(const Layout& input) {
  classes_ = input.size();
  return input;
}

void ProbabilityCalibrator::fit(const HeldOutScores& held_out, Report& report, Context& context) {
  learn(held_out, report, context);
  FloatMatrix after(held_out.scores.rows, held_out.scores.cols);
  apply(held_out.scores, after.view(), context);
  report_quality(held_out, std::as_const(after).view(), report, context);
}

void ProbabilityCalibrator::apply(MatrixView in, MutableMatrixView out, Context&) const {
  for (std::size_t i = 0; i < in.rows; ++i) map(in.row_span(i), {out.row(i), out.cols});
}

void normalize(std::span<const double> shares, std::span<float> probabilities) {
  double sum = 0;
  for (const double share : shares) sum += share;
  for (std::size_t c = 0; c < shares.size(); ++c)
    probabilities[c] =
        static_cast<float>(sum > 0 ? shares[c] / sum : 1 / static_cast<double>(shares.size()));
}

Formula::Value normalized(Formula& formula, Formula::Value shares) {
  const auto sum = formula.sum(shares), zero = formula.number(0, sum);
  const auto equal = formula.number(1 / static_cast<double>(formula.width(shares)), sum);
  return formula.narrow(formula.where_greater(sum, zero, formula.divide(shares, sum), equal));
}

Formula::Value shares_of_logarithms(Formula& formula, Formula::Value logarithms) {
  return formula.exponential(formula.subtract(logarithms, formula.largest(logarithms)));
}

}  // namespace semblance::calibrators
