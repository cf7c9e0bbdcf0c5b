// SPDX-License-Identifier: MIT
#include "unit_length.hpp"

#include "affine.hpp"
#include "block_statistics.hpp"
#include "row_kernels.hpp"

namespace semblance {

Layout UnitLength::bind(const Layout& input) {
  cols_ = input.size();
  centre_.assign(cols_, 0.0f);
  return input;
}

void UnitLength::fit(const TrainingSet& training, Context& context) {
  check_width(cols_, training.rows.cols());
  if (!center_) return;
  const auto means = column_means(training.rows, context);
  centre_.assign(means.begin(), means.end());
}

void UnitLength::apply(MatrixView in, MutableMatrixView out, Context&) const {
  check_width(centre_.size(), in.cols);
  const float* centre = centre_.data();
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* x = in.row(i);
    float* y = out.row(i);
    check_finite(x, in.cols, i, "of the block");
    const double norm = centred_norm(x, centre, in.cols);
    const double scale = norm > 0 ? 1 / norm : 0.0;  // in double: tiny rows must not overflow
    for (std::size_t c = 0; c < in.cols; ++c)
      y[c] = static_cast<float>((double(x[c]) - double(centre[c])) * scale);
  }
}

void UnitLength::save(StateWriter& state) const {
  state.floats("centre", {centre_.data(), 1, centre_.size(), centre_.size()});
}

void UnitLength::load(const StateReader& state, Context&) {
  FloatMatrix centre = state.floats("centre");
  check_width(cols_, centre.values.size());
  centre_ = std::move(centre.values);
}

Declaration<UnitLength> UnitLength::declare() {
  return Declaration<UnitLength>("normalizer/unit_length", "Divides each row by its own l2 norm")
      .parameter("center", &UnitLength::center_, "subtract the mean of the training rows first")
      .documentation("A row of zeros stays unchanged.")
      .complexity("apply: two passes over a row in cache; fit: one pass if centred")
      .inexpensive()
      .keeps_columns()
      .distributed()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/unit_length, from: hog}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
