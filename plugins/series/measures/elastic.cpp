// SPDX-License-Identifier: MIT
#include "measures/elastic.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "measures/series_checks.hpp"
#include "need_sequence.hpp"
#include "semblance/row_error.hpp"

namespace semblance::series {

double ElasticDistance::operations() const noexcept {
  // About ten operations per cell, and three per channel.
  const double steps = static_cast<double>(layout().width);
  const double cells = std::min(1.0, 2 * window_ / 100) * steps * steps;
  return cells * (10 + 3 * static_cast<double>(layout().depth));
}

double ElasticDistance::finish(double accumulated, std::size_t, std::size_t, std::size_t) const {
  return accumulated;
}

void ElasticDistance::check_layout(const Layout& layout) const {
  need_sequence(layout, "a measure of series");
}

void ElasticDistance::prepare_bases(MatrixView bases, Context&) {
  check_finite(bases, layout(), RowError::Of::bases);
  lanes_.set(*this, bases, layout(), dependent());
}

void ElasticDistance::distances(MatrixView in, std::size_t first, MutableMatrixView out,
                                Context& context) const {
  check_finite(in, layout(), RowError::Of::block);
  std::vector<double> sums(in.rows * out.cols);
  lanes_.compare(*this, in, first, out.cols, window_, sums.data(), context);
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t j = 0; j < out.cols; ++j)
      out.row(i)[j] = static_cast<float>(finish(sums[i * out.cols + j], in.size(i) / layout().depth,
                                                lanes_.base_steps(first + j), lanes_.parts()));
}

ByTimeDifference::ByTimeDifference(std::size_t longest, std::function<double(double)> f)
    : longest_(longest), f_(std::move(f)), values_(made(longest)) {}

std::vector<float> ByTimeDifference::made(std::size_t longest) const {
  std::vector<float> values(2 * longest + 1);
  for (std::size_t k = 0; k <= longest; ++k)
    values[longest + k] = values[longest - k] = static_cast<float>(f_(static_cast<double>(k)));
  return values;
}

}  // namespace semblance::series
