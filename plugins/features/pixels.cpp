// SPDX-License-Identifier: MIT
#include <numeric>

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::features {
namespace {

/// The pixel values themselves, as a vector.
class Pixels final : public RowFeature, public Exportable {
 public:
  void check_parameters() const override {
    if (scale_ == 0)
      throw Error("'scale: 0' makes all values 0; omit it, or set a factor such as 0.00392");
  }
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<Pixels> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  double scale_ = 1.0 / 255;
  bool grey_ = false;
};

Layout Pixels::prepare(const Layout& input) {
  if (input.kind != LayoutKind::image)
    throw Error("pixels needs images, not a " + describe(input) +
                "; connect it to a source of images");
  return Layout::vector(grey_ ? input.height * input.width : input.size());
}

void Pixels::transform(std::span<const float> in, std::span<float> out) const {
  const std::size_t plane = layout().height * layout().width, channels = layout().depth;
  const bool average = grey_ && channels > 1;
  const auto scale = static_cast<float>(average ? scale_ / double(channels) : scale_);
  for (std::size_t p = 0; p < out.size(); ++p) {
    float value = in[p];
    if (average)
      for (std::size_t channel = 1; channel < channels; ++channel) value += in[channel * plane + p];
    out[p] = value * scale;
  }
}

Formula::Value Pixels::write(Formula& formula, Formula::Value in) const {
  const std::size_t plane = layout().height * layout().width, channels = layout().depth;
  if (!grey_ || channels == 1) return formula.multiply(in, formula.number(scale_, in));
  std::vector<std::size_t> columns(plane);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  Formula::Value sum = formula.gather(in, columns);
  for (std::size_t channel = 1; channel < channels; ++channel) {
    for (std::size_t& column : columns) column += plane;
    sum = formula.add(sum, formula.gather(in, columns));
  }
  return formula.multiply(sum, formula.number(scale_ / double(channels), sum));
}

Declaration<Pixels> Pixels::declare() {
  return Declaration<Pixels>("feature/pixels", "The pixel values as a vector")
      .parameter("scale", &Pixels::scale_,
                 "factor applied to every value; 1/255 maps bytes to [0, 1]")
      .parameter("grey", &Pixels::grey_, "average the channels into one")
      .accepts({LayoutKind::image})
      .gives(LayoutKind::vector)
      .documentation("Values stay in planar order: channel, row, column.")
      .complexity("one copy")
      .inexpensive()
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20, shift: 1}
        pixels: {is: feature/pixels, from: glyphs}
        x:      {is: normalizer/unit_length, center: true, from: pixels}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_pixels() { return Pixels::declare().entry(); }

}  // namespace semblance::features
