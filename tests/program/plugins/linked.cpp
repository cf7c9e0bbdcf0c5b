// SPDX-License-Identifier: MIT
// A feature whose values come from a library linked to its plugin.
#include "semblance/feature.hpp"
#include "semblance/plugin.hpp"

extern "C" float semblance_test_shift();

namespace semblance {
namespace {

class Linked final : public Feature {
 public:
  static Declaration<Linked> declare() {
    return Declaration<Linked>("feature/linked", "Adds a number that a library knows");
  }
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t r = 0; r < in.rows; ++r)
      for (std::size_t c = 0; c < in.cols; ++c)
        out.row(r)[c] = in.row(r)[c] + semblance_test_shift();
  }
};

}  // namespace
}  // namespace semblance

SEMBLANCE_PLUGIN("linked", "1.0.0", "MIT", semblance::Linked)
