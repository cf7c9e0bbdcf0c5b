// SPDX-License-Identifier: MIT
#include <array>

#include "descriptor_coder.hpp"
#include "llc_weights.hpp"

namespace semblance::normalizers {
namespace {

/// Locality-constrained linear coding: represents each cell as a combination of its nearest words.
class Llc final : public DescriptorCoder {
 public:
  static Declaration<Llc> declare();

 private:
  std::size_t neighbours() const override { return static_cast<std::size_t>(neighbours_); }
  void weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
               std::span<float> weights) const override;

  std::int64_t neighbours_ = 5;
  double beta_ = 1e-4;
  bool sum_to_one_ = false;
};

void Llc::weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
                  std::span<float> weights) const {
  std::array<const float*, most_llc_words> rows{};
  for (std::size_t k = 0; k < words.size(); ++k)
    rows[k] = vocabulary().words().view().row(words[k]);
  llc_weights(descriptor, std::span<const float* const>(rows.data(), words.size()), beta_,
              sum_to_one_, weights);
}

Declaration<Llc> Llc::declare() {
  Declaration<Llc> declaration("normalizer/llc",
                               "Encodes each cell as a combination of its nearest visual words");
  declaration
      .parameter("neighbours", &Llc::neighbours_,
                 "k, the number of nearest words that get a weight", at_least(1),
                 at_most(most_llc_words))
      .parameter("beta", &Llc::beta_, "regularization of the weights, as a share of the trace",
                 above(0), at_most(1))
      .parameter("sum_to_one", &Llc::sum_to_one_, "make the weights of a cell add up to 1");
  declare_coder(declaration);
  return declaration
      .documentation(
          "Approximated locality-constrained linear coding: of the k nearest words B, the weights "
          "c minimize |x - B^T c|^2 + lambda |c|^2. With `sum_to_one` they add up to 1, as in the "
          "original paper, and lambda is beta times the trace of (B - 1 x^T)(B - 1 x^T)^T; without "
          "it, as in the ML3 paper, lambda is beta times the trace of B B^T.\n\n" +
          coder_documentation())
      .reference(
          "Wang et al., Locality-constrained linear coding for image classification, CVPR 2010, "
          "section 3; ML3, section 5 (indoor scene recognition)")
      .complexity(
          "fit: 2 x words x depth operations per sampled descriptor and iteration; apply: as many "
          "per cell, plus k^2 depth")
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        sift:   {is: feature/sift_grid, step: 4, bins: [3], from: glyphs}
        words:  {is: normalizer/llc, words: 64, neighbours: 5, pool: max, bands: 2, from: sift}
        svm:    {is: solver/linear_svm, from: words}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_llc() { return Llc::declare().entry(); }

}  // namespace semblance::normalizers
