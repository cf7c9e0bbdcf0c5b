// SPDX-License-Identifier: MIT
#include <algorithm>

#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"
#include "semblance_numerics/pooling_regions.hpp"

namespace semblance::features {
namespace {

/// Maximum or sum over the cells of each horizontal band of a grid.
class BandPooling final : public RowFeature {
 public:
  static Declaration<BandPooling> declare() {
    return Declaration<BandPooling>("feature/band_pooling",
                                    "Maximum or sum over horizontal bands of a grid of cells")
        .parameter("bands", &BandPooling::bands_, "number of horizontal bands, from the top",
                   at_least(1), at_most(1024))
        .parameter("whole", &BandPooling::whole_, "append a pool of the whole grid")
        .parameter("pool", &BandPooling::pool_, "how a band's cells are combined, value by value",
                   choices({"max", "sum"}))
        .accepts({LayoutKind::grid})
        .gives(LayoutKind::vector)
        .documentation(
            "Bands are as equal in height as whole rows of cells allow. Two vocabularies of 1024 "
            "words, each pooled over two bands, give the 4096 values of the ML3 paper.")
        .reference("ML3, section 5 (indoor scene recognition); Fornoni and Caputo 2012")
        .complexity("one pass over the row")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        bands:  {is: feature/band_pooling, bands: 3, pool: sum, from: hog}
        svm:    {is: solver/linear_svm, from: bands}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout& input) override {
    if (input.kind != LayoutKind::grid)
      throw Error("band_pooling needs grids of cells, not a " + describe(input) +
                  "; connect it to codes of local features");
    regions_ = {input.height, static_cast<std::size_t>(bands_), whole_};
    regions_.check();
    return Layout::vector(regions_.count() * input.depth);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const std::size_t depth = layout().depth, row = layout().width * depth, bands = regions_.bands;
    const bool maximum = pool_ == "max";
    const auto merge = [&](const float* from, float* to) {
      if (maximum)
        for (std::size_t k = 0; k < depth; ++k) to[k] = std::max(to[k], from[k]);
      else
        for (std::size_t k = 0; k < depth; ++k) to[k] += from[k];
    };
    for (std::size_t b = 0; b < bands; ++b) {
      float* pooled = out.data() + b * depth;
      const float* cell = in.data() + regions_.first_row(b) * row;
      const float* end = in.data() + regions_.first_row(b + 1) * row;
      std::copy_n(cell, depth, pooled);
      for (cell += depth; cell != end; cell += depth) merge(cell, pooled);
    }
    if (!whole_) return;
    float* all = out.data() + bands * depth;
    std::copy_n(out.data(), depth, all);
    for (std::size_t b = 1; b < bands; ++b) merge(out.data() + b * depth, all);
  }

  std::int64_t bands_ = 2;
  bool whole_ = false;
  std::string pool_ = "max";
  numerics::PoolingRegions regions_;
};

}  // namespace

ComponentEntry declare_band_pooling() { return BandPooling::declare().entry(); }

}  // namespace semblance::features
