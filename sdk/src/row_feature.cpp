// SPDX-License-Identifier: MIT
#include "semblance/row_feature.hpp"

#include "row_checks.hpp"
#include "semblance/row_error.hpp"

namespace semblance {

using namespace row_checks;

Layout RowFeature::bind(const Layout& input) {
  const Layout output = prepare(input);
  layout_ = input;
  values_ = output.size();
  return output;
}

void RowFeature::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  if (in.cols != layout_.size() || in.ragged() != layout_.ragged() || out.rows != in.rows ||
      out.cols != values_)
    throw Error("cannot turn " + std::to_string(in.rows) + " rows of " + std::to_string(in.cols) +
                " values into " + std::to_string(out.rows) + " rows of " +
                std::to_string(out.cols) + "; it makes " + std::to_string(values_) + " values of " +
                std::to_string(layout_.size()));
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    const auto from = in.row_span(i);
    const auto to = out.row_span(i);
    in_row(i, [&] { transform(from, to); });
    if (all_finite(to) || !all_finite(from)) continue;
    const std::size_t bad = first_not_finite(to);
    throw RowError(RowError::Of::block, i, "value " + std::to_string(bad) + " made of ",
                   " (both counted from 0) " + is_what(to[bad]) +
                       ", though the row is finite; scale the samples, or make transform() write "
                       "finite numbers");
  }
}

}  // namespace semblance
