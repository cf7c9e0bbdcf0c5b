// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "affine.hpp"
#include "row_kernels.hpp"
#include "semblance/declaration.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/pooling_regions.hpp"
#include "vocabulary.hpp"

namespace semblance::normalizers {
namespace {

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

Layout DescriptorCoder::bind(const Layout& input) {
  if (input.kind != LayoutKind::grid)
    throw Error("it encodes the cells of a grid, not a " + describe(input) +
                "; connect it to local features, for example feature/sift_grid");
  input_ = input;
  const auto words = static_cast<std::size_t>(words_);
  regions_ = {input.height, static_cast<std::size_t>(bands_), whole_};
  if (pool_ == "none") return Layout::grid(input.height, input.width, words);
  regions_.check();
  return Layout::vector(regions_.count() * words);
}

/// All descriptors if there are no more than requested, else that many without repetition.
FloatMatrix DescriptorCoder::draw_sample(const Rows& rows, Random& random) const {
  const std::size_t cells = input_.height * input_.width, total = rows.rows() * cells;
  const std::size_t count = std::min(total, static_cast<std::size_t>(sample_));
  std::vector<std::size_t> chosen;
  chosen.reserve(count);
  // Draws the smaller of the sample and its complement.
  const bool draw_rest = count > total / 2;
  std::unordered_set<std::size_t> drawn;
  while (drawn.size() < (draw_rest ? total - count : count)) drawn.insert(random.below(total));
  if (draw_rest) {
    for (std::size_t d = 0; d < total; ++d)
      if (!drawn.contains(d)) chosen.push_back(d);
  } else {
    chosen.assign(drawn.begin(), drawn.end());
    std::sort(chosen.begin(), chosen.end());  // reading moves forward
  }
  FloatMatrix sample(count, input_.depth);
  for (std::size_t i = 0; i < count;) {
    const std::size_t row = chosen[i] / cells;
    const MatrixView view = rows.view(row, 1);  // once per row: it may be computed for this call
    for (; i < count && chosen[i] / cells == row; ++i) {
      std::copy_n(view.data + chosen[i] % cells * input_.depth, input_.depth, sample.view().row(i));
      check_finite(sample.view().row(i), input_.depth, row, RowError::Of::training);
    }
    rows.release(row, 1);
  }
  return sample;
}

void DescriptorCoder::fit(const TrainingSet& training, Context& context) {
  check_width(input_.size(), training.rows.cols());
  context.check_stop();
  if (training.rows.rows() == 0) throw Error("there are no training rows to learn from");
  const auto words = static_cast<std::size_t>(words_), count = static_cast<std::size_t>(sample_);
  // The sample, the drawn numbers, and two vocabularies, each also in packed form.
  const std::size_t needed = std::min(count, training.rows.rows() * input_.height * input_.width) *
                                 (input_.depth * sizeof(float) + 64) +
                             4 * words * input_.depth * sizeof(float);
  check_budget(needed, context, "the words and their sample", "lower 'sample'");
  Random random = context.random();
  const FloatMatrix sample = draw_sample(training.rows, random);
  vocabulary_ = Vocabulary::learn(sample.view(), words, static_cast<std::size_t>(iterations_),
                                  random, context);
}

void DescriptorCoder::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_width(input_.size(), in.cols);
  for (std::size_t i = 0; i < in.rows; ++i) {
    context.check_stop();
    check_finite(in.row(i), in.cols, i, RowError::Of::block);
    code(in.row(i), out.row(i));
  }
}

void DescriptorCoder::code(const float* grid, float* out) const {
  const std::size_t cells = input_.height * input_.width, depth = input_.depth;
  const std::size_t count = std::min(neighbours(), vocabulary_.size());
  std::vector<std::uint32_t> words(cells * count);
  std::vector<float> found(cells * count);
  vocabulary_.nearest({grid, cells, depth, depth}, count, words);
  for (std::size_t c = 0; c < cells; ++c)
    weights({grid + c * depth, depth}, std::span(words).subspan(c * count, count),
            std::span(found).subspan(c * count, count));
  if (pool_ != "none") return pool(words, found, out);
  std::fill_n(out, cells * vocabulary_.size(), 0.0f);
  for (std::size_t k = 0; k < words.size(); ++k)
    out[k / count * vocabulary_.size() + words[k]] = found[k];
}

/// The same values as feature/band_pooling of all weights, computed from the nonzero ones.
void DescriptorCoder::pool(std::span<const std::uint32_t> words, std::span<const float> weights,
                           float* out) const {
  const std::size_t size = vocabulary_.size(), cells = input_.height * input_.width;
  const std::size_t count = words.size() / cells;
  const bool maximum = pool_ == "max";
  std::fill_n(out, regions_.count() * size, 0.0f);
  std::vector<std::size_t> touched(size);
  for (std::size_t b = 0; b < regions_.bands; ++b) {
    float* pooled = out + b * size;
    const std::size_t first = regions_.first_row(b) * input_.width * count,
                      last = regions_.first_row(b + 1) * input_.width * count;
    std::fill(touched.begin(), touched.end(), 0);
    for (std::size_t k = first; k < last; ++k) {
      float& value = pooled[words[k]];
      const bool fresh = touched[words[k]]++ == 0;
      value = !maximum ? value + weights[k] : fresh ? weights[k] : std::max(value, weights[k]);
    }
    // A word that not all cells have a weight for has the weight 0 in some.
    for (std::size_t w = 0; w < size && maximum; ++w)
      if (touched[w] < (last - first) / count) pooled[w] = std::max(pooled[w], 0.0f);
  }
  if (!whole_) return;
  float* all = out + regions_.bands * size;
  std::copy_n(out, size, all);
  for (std::size_t b = 1; b < regions_.bands; ++b)
    for (std::size_t w = 0; w < size; ++w)
      all[w] = maximum ? std::max(all[w], out[b * size + w]) : all[w] + out[b * size + w];
}

void DescriptorCoder::save(StateWriter& state) const {
  state.floats("words", vocabulary_.words().view());
}

void DescriptorCoder::load(const StateReader& state, Context&) {
  FloatMatrix words = state.floats("words");
  check_width(input_.depth, words.cols);
  if (words.rows != static_cast<std::size_t>(words_))
    throw Error("the state has " + std::to_string(words.rows) + " words, not " +
                std::to_string(words_) + "; fit it again");
  vocabulary_ = Vocabulary(std::move(words));
}

std::string DescriptorCoder::coder_documentation() {
  return "Words are the centres that k-means (Lloyd's algorithm, started from randomly drawn "
         "descriptors) finds in a sample of the training rows' descriptors. Each row is a grid of "
         "`words` weights per cell, most of them 0: 4 bytes x words x cells per image, megabytes "
         "for large images. With `pool` the weights are pooled exactly as by feature/band_pooling, "
         "bit for bit, without ever being written out, and rows are vectors of words x bands (+ "
         "words with `whole`). A node with several inputs has one vocabulary for each.";
}

/// Locality-constrained linear coding: represents each cell as a combination of its nearest words.
class Llc final : public DescriptorCoder {
 public:
  static Declaration<Llc> declare() {
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
            "Approximated locality-constrained linear coding: of the k nearest words B, the "
            "weights c minimize |x - B^T c|^2 + lambda |c|^2. With `sum_to_one` they add up to 1, "
            "as in the original paper, and lambda is beta times the trace of (B - 1 x^T)(B - 1 "
            "x^T)^T; without it, as in the ML3 paper, lambda is beta times the trace of B "
            "B^T.\n\n" +
            coder_documentation())
        .reference(
            "Wang et al., Locality-constrained linear coding for image classification, CVPR 2010, "
            "section 3; ML3, section 5 (indoor scene recognition)")
        .complexity(
            "fit: 2 x words x depth operations per sampled descriptor and iteration; apply: as "
            "many per cell, plus k^2 depth")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        sift:   {is: feature/sift_grid, step: 4, bins: [3], from: glyphs}
        words:  {is: normalizer/llc, words: 64, neighbours: 5, pool: max, bands: 2, from: sift}
        svm:    {is: solver/linear_svm, from: words}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::size_t neighbours() const override { return static_cast<std::size_t>(neighbours_); }

  void weights(std::span<const float> descriptor, std::span<const std::uint32_t> words,
               std::span<float> weights) const override {
    std::array<const float*, most_llc_words> rows{};
    for (std::size_t k = 0; k < words.size(); ++k)
      rows[k] = vocabulary().words().view().row(words[k]);
    llc_weights(descriptor, std::span<const float* const>(rows.data(), words.size()), beta_,
                sum_to_one_, weights);
  }

  std::int64_t neighbours_ = 5;
  double beta_ = 1e-4;
  bool sum_to_one_ = false;
};

/// Hard assignment: each cell's nearest word.
class VectorQuantization final : public DescriptorCoder {
 public:
  static Declaration<VectorQuantization> declare() {
    Declaration<VectorQuantization> declaration("normalizer/vector_quantization",
                                                "Encodes each cell by its nearest visual word");
    declare_coder(declaration);
    return declaration
        .documentation(
            "The nearest word gets the weight 1. Summed over a grid, this is the bag of "
            "words.\n\n" +
            coder_documentation())
        .reference("Csurka et al., Visual categorization with bags of keypoints, 2004")
        .complexity(
            "fit: 2 x words x depth operations per sampled descriptor and iteration; apply: as "
            "many per cell")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        sift:   {is: feature/sift_grid, step: 4, bins: [3], from: glyphs}
        words:  {is: normalizer/vector_quantization, words: 64, from: sift}
        svm:    {is: solver/kernel_svm, kernel: {is: similarity/chi_square}, from: words}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::size_t neighbours() const override { return 1; }

  void weights(std::span<const float>, std::span<const std::uint32_t>,
               std::span<float> weights) const override {
    weights[0] = 1;
  }
};

}  // namespace

ComponentEntry declare_llc() { return Llc::declare().entry(); }
ComponentEntry declare_vector_quantization() { return VectorQuantization::declare().entry(); }

}  // namespace semblance::normalizers
