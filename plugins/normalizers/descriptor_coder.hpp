// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance_numerics/pooling_regions.hpp"
#include "vocabulary.hpp"

namespace semblance::normalizers {

/// The common base of codings of local features: a vocabulary learned by k-means from descriptors
/// of the training samples, and weights of a few words for each cell, optionally pooled.
class DescriptorCoder : public Normalizer {
 public:
  Layout bind(const Layout& input) override;
  void fit(const TrainingSet& training, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 protected:
  /// Words with a weight, at most.
  virtual std::size_t neighbours() const = 0;
  /// The weights of a descriptor's nearest words.
  virtual void weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
                       std::span<float> weights) const = 0;

  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }

  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static void declare_coder(Declaration<T>& declaration) {
    declaration
        .parameter("words", &DescriptorCoder::words_, "size of the vocabulary", at_least(1),
                   at_most(1e5))
        .parameter("sample", &DescriptorCoder::sample_,
                   "how many descriptors of the training rows to learn it from, drawn by the seed",
                   at_least(1), at_most(1e8))
        .parameter("iterations", &DescriptorCoder::iterations_,
                   "most iterations of k-means; it stops when nothing changes", at_least(1),
                   at_most(1e5))
        .parameter("pool", &DescriptorCoder::pool_,
                   "none: weights for each cell; max, sum: pool over bands at once",
                   choices({"none", "max", "sum"}))
        .parameter("bands", &DescriptorCoder::bands_,
                   "if pooled, the number of horizontal bands, from the top", at_least(1),
                   at_most(1024))
        .parameter("whole", &DescriptorCoder::whole_,
                   "if pooled, append a pool of the whole grid after the bands")
        .accepts({LayoutKind::grid})
        .random();
  }
  /// The meaning of these parameters, for the documentation.
  static std::string coder_documentation();

 private:
  FloatMatrix draw_sample(const Rows& rows, Random& random) const;
  void code(const float* grid, float* out) const;
  void pool(std::span<const std::uint32_t> words, std::span<const float> weights, float* out) const;

  std::int64_t words_ = 1024;
  std::int64_t sample_ = 100000;
  std::int64_t iterations_ = 50;
  std::string pool_ = "none";
  std::int64_t bands_ = 2;
  bool whole_ = false;

  Layout input_;
  numerics::PoolingRegions regions_;
  Vocabulary vocabulary_;
};

}  // namespace semblance::normalizers
