// SPDX-License-Identifier: MIT

#include "descriptor_coder.hpp"

namespace semblance::normalizers {
namespace {

/// Hard assignment: each cell's nearest word.
class VectorQuantization final : public DescriptorCoder {
 public:
  static Declaration<VectorQuantization> declare();

 private:
  std::size_t neighbours() const override { return 1; }
  void weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
               std::span<float> weights) const override;
};

void VectorQuantization::weights(std::span<const float>, std::span<const std::uint32_t>,
                                 std::span<float> weights) const {
  weights[0] = 1;
}

Declaration<VectorQuantization> VectorQuantization::declare() {
  Declaration<VectorQuantization> declaration("normalizer/vector_quantization",
                                              "Encodes each cell by its nearest visual word");
  declare_coder(declaration);
  return declaration
      .documentation(
          "The nearest word gets the weight 1. Summed over a grid, this is the bag of words.\n\n" +
          coder_documentation())
      .reference("Csurka et al., Visual categorization with bags of keypoints, 2004")
      .complexity(
          "fit: 2 x words x depth operations per sampled descriptor and iteration; apply: as many "
          "per cell")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        sift:   {is: feature/sift_grid, step: 4, bins: [3], from: glyphs}
        words:  {is: normalizer/vector_quantization, words: 64, from: sift}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/chi_square}, from: words}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_vector_quantization() { return VectorQuantization::declare().entry(); }

}  // namespace semblance::normalizers
