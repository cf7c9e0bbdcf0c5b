// SPDX-License-Identifier: MIT
#include "contrast.hpp"
#include "semblance/plugin.hpp"

namespace {
using namespace semblance;

/// from - gain * against, with the gain that leaves least of `from`.
class Projection final : public Contrast {
 public:
  static Declaration<Projection> declare() {
    return Declaration<Projection>("contrast/projection", "Subtracts the best multiple");
  }

  void fit(const Rows& from, const Rows& against, Context&) override {
    const MatrixView x = from.view(0, from.rows()), y = against.view(0, against.rows());
    double product = 0, square = 0;
    for (std::size_t r = 0; r < x.rows; ++r)
      for (std::size_t k = 0; k < x.cols; ++k) {
        product += static_cast<double>(x.row(r)[k]) * static_cast<double>(y.row(r)[k]);
        square += static_cast<double>(y.row(r)[k]) * static_cast<double>(y.row(r)[k]);
      }
    from.release(0, from.rows());
    against.release(0, against.rows());
    gain_ = square > 0 ? product / square : 0;
  }

  void apply(MatrixView from, MatrixView against, MutableMatrixView out, Context&) const override {
    for (std::size_t r = 0; r < out.rows; ++r)
      for (std::size_t k = 0; k < out.cols; ++k)
        out.row(r)[k] = from.row(r)[k] - static_cast<float>(gain_) * against.row(r)[k];
  }

  void save(StateWriter& state) const override { state.number("gain", gain_); }
  void load(const StateReader& state, Context&) override { gain_ = state.number("gain"); }

 private:
  double gain_ = 0;
};

}  // namespace

SEMBLANCE_PLUGIN("test_contrast", "0.1.0", "MIT", Projection)
