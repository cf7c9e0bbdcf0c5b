// SPDX-License-Identifier: MIT
#include "semblance/distance.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "row_checks.hpp"
#include "semblance/basis_checks.hpp"
#include "semblance/row_error.hpp"
#include "semblance/tiny_rows.hpp"

namespace semblance {

using namespace basis_checks;
using namespace row_checks;

namespace {

/// The number of evenly spaced bases whose distances to all bases make up the median.
constexpr std::size_t width_rows = 50;

/// The number, if the text is a finite number above 0.
std::optional<double> positive_number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end || !(value > 0) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace

void Distance::check_parameters() const {
  if (width_ != "auto" && !positive_number(width_))
    throw Error("width: '" + width_ +
                "' is neither a number above 0 nor auto (the median distance between bases)");
}

void Distance::prepare(const Layout& input) {
  check_has_values(input);
  refuse_sparse(input);
  check_layout(input);
  layout_ = input;
}

double Distance::operations() const noexcept {
  return static_cast<double>(layout_.width) * static_cast<double>(layout_.width) *
         static_cast<double>(layout_.depth);
}

void Distance::keep(FloatMatrix bases, Context& context) {
  check_not_empty(bases.view());
  check_rows(bases.view(), layout_, RowError::Of::bases);
  refuse_tiny(std::as_const(bases).view());
  bases_ = std::move(bases);
  prepare_bases(std::as_const(bases_).view(), context);
}

void Distance::set_bases(MatrixView bases, std::span<const std::int64_t>, Context& context) {
  keep(FloatMatrix(bases), context);
  learn_width(context);
}

void Distance::learn_width(Context& context) {
  if (const auto given = positive_number(width_)) {
    learned_width_ = *given;
    return;
  }
  learned_width_ = 1;
  if (as_ == "negative") return;
  if (bases_.rows == 1)
    throw Error("there is one basis only, and no distance to set width by; give width a number");
  const std::size_t count = std::min(width_rows, bases_.rows);
  const auto taken = [&](std::size_t i) { return i * bases_.rows / count; };
  FloatMatrix all(count, bases_.rows);
  context.parallel_for(count, [&](std::size_t i) {
    try {
      distances(std::as_const(bases_).view().rows_range(taken(i), 1), 0,
                all.view().rows_range(i, 1), context);
    } catch (const RowError& problem) {
      throw problem.about(RowError::Of::bases, taken(i));
    }
  });
  std::vector<float> between;
  between.reserve(all.values.size());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < bases_.rows; ++j)
      if (j != taken(i)) between.push_back(all.view().row(i)[j]);
  const auto middle = between.begin() + static_cast<std::ptrdiff_t>(between.size() / 2);
  std::ranges::nth_element(between, middle);
  learned_width_ = *middle;
  if (!(learned_width_ > 0) || !std::isfinite(learned_width_))
    throw Error("the median distance between bases is " + std::to_string(learned_width_) +
                ", which is no width; give width a number, or use as: negative");
}

float Distance::similarity(double d) const noexcept {
  const double scaled = d / learned_width_;
  if (as_ == "gaussian") return static_cast<float>(std::exp(-scaled * scaled / 2));
  if (as_ == "exponential") return static_cast<float>(std::exp(-scaled));
  if (as_ == "inverse") return static_cast<float>(1 / (1 + scaled));
  return static_cast<float>(-d);
}

void Distance::save(StateWriter& state) const {
  state.floats("bases", bases_.view());
  state.number("width", learned_width_);
}

void Distance::load(const StateReader& state, Context& context) {
  keep(saved_bases(state, layout_), context);
  learned_width_ = state.number("width");
  if (!(learned_width_ > 0) || !std::isfinite(learned_width_))
    throw Error("the saved width is " + std::to_string(learned_width_) +
                ", not a number above 0; train the model again");
}

void Distance::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_room(bases(), out);
  apply_range(in, 0, out, context);
}

void Distance::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                           Context& context) const {
  check_range(bases(), first, out);
  if (out.rows != in.rows)
    throw Error("there are " + std::to_string(in.rows) + " rows, but room for the results of " +
                std::to_string(out.rows));
  check_rows(in, layout_, RowError::Of::block);
  distances(in, first, out, context);
  const bool negative = as_ == "negative";
  for (std::size_t i = 0; i < in.rows; ++i) {
    const std::span<float> values(out.row(i), out.cols);
    if (!all_finite(values)) {
      const std::size_t bad = first_not_finite(values);
      throw RowError(RowError::Of::block, i,
                     "the distance of basis " + std::to_string(first + bad) + " and ",
                     " (both counted from 0) " + is_what(values[bad]) +
                         "; remove values that are not finite, or scale the samples");
    }
    for (float& value : values) value = negative ? -value : similarity(value);
  }
}

void Distance::compare_with_itself(MatrixView rows, float* values) const {
  check_rows(rows, layout_, RowError::Of::block);
  for (std::size_t i = 0; i < rows.rows; ++i)
    values[i] = similarity(self_distance(rows.row_span(i)));
}

}  // namespace semblance
