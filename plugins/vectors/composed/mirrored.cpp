// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "composed/mirror_places.hpp"
#include "products/stored_bases.hpp"
#include "semblance/declaration.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/similarity.hpp"

namespace semblance::vectors {
namespace {

constexpr std::size_t hog_values = 31;

/// BE-SVM eq. (7) with two latent states, the sample x and its mirror image x': the mean or the
/// largest of k(b, x) and k(b, x'). Not symmetric for most kernels on grids.
class Mirrored final : public Similarity, public LearnsFromSamples {
 public:
  static Declaration<Mirrored> declare() {
    return Declaration<Mirrored>(
               "similarity/mirrored",
               "A kernel's values for the sample and for its mirror image, combined")
        .parameter("kernel", &Mirrored::kernel_, "kernel that compares a sample with a basis",
                   default_component("similarity/rbf"))
        .parameter("combine", &Mirrored::combine_,
                   "mean: of both values; largest: the larger one, which is eq. (7)",
                   choices({"mean", "largest"}))
        .parameter("cells", &Mirrored::cells_,
                   "automatic: left and right cells or pixels change places, and where cells have "
                   "31 values, as those of feature/hog do, so do the orientations within each; "
                   "plain: cells or pixels alone",
                   choices({"automatic", "plain"}))
        .accepts({LayoutKind::grid, LayoutKind::image})
        .documentation(
            "Left and right change places. A classifier on such a map answers alike for an image "
            "and for its mirror image, and learns as from both, without twice the rows. Where a "
            "normalizer has subtracted a mean that is not its own mirror image, it is mirrored "
            "with the sample. The kernel must depend on nothing but the samples' values.")
        .reference(
            "BE-SVM, eq. (7); DeCoste and Schoelkopf 2002, Training invariant support vector "
            "machines")
        .complexity("twice the kernel, and one copy of a block")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/mirrored, kernel: {is: similarity/rbf, gamma: 1}, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override {
    kernel_->set_bases(bases, indices, context);
  }

  std::size_t bases() const noexcept override { return kernel_->bases(); }
  double operations() const noexcept override { return 2 * kernel_->operations(); }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    check_shapes(in, out, size_, bases());
    // Values of both that stay in the caches.
    constexpr std::size_t most = std::size_t{1} << 22, block = 256;
    const std::size_t rows =
        std::clamp(most / std::max(bases(), std::size_t{1}), std::size_t{1}, block);
    FloatMatrix mirrored(std::min(rows, in.rows), in.cols), values(mirrored.rows, bases());
    const bool mean = combine_ == "mean";
    for (std::size_t first = 0; first < in.rows; first += rows) {
      context.check_stop();
      const std::size_t count = std::min(rows, in.rows - first);
      const MatrixView samples = in.rows_range(first, count);
      const MutableMatrixView results = out.rows_range(first, count);
      for (std::size_t i = 0; i < count; ++i) {
        const float* x = samples.row(i);
        float* to = mirrored.view().row(i);
        for (std::size_t j = 0; j < size_; ++j) to[j] = x[from_[j]];
      }
      kernel_->apply(samples, results, context);
      kernel_->apply(mirrored.view().rows_range(0, count), values.view().rows_range(0, count),
                     context);
      for (std::size_t i = 0; i < count; ++i) {
        const float* other = values.view().row(i);
        float* result = results.row(i);
        for (std::size_t j = 0; j < bases(); ++j)
          result[j] = mean ? 0.5F * (result[j] + other[j]) : std::max(result[j], other[j]);
      }
    }
  }

  bool learns_from_bases() const noexcept override { return kernel_->learns_from_bases(); }
  bool samples_suffice() const noexcept override { return !needs_all_bases(*kernel_); }
  void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) override {
    semblance::learn_from_samples(*kernel_, rows, chosen, context);
  }

  void save(StateWriter& state) const override {
    NestedWriter kernel(state, "kernel_");
    kernel_->save(kernel);
  }

  void load(const StateReader& state, Context& context) override {
    kernel_->load(NestedReader(state, "kernel_"), context);
  }

 private:
  void prepare(const Layout& input) override {
    const bool hog =
        cells_ == "automatic" && input.kind == LayoutKind::grid && input.depth == hog_values;
    kernel_->bind(input);
    size_ = input.size();
    from_ = mirror_places(input, hog);
  }

  std::unique_ptr<Similarity> kernel_;
  std::string combine_ = "mean";
  std::string cells_ = "automatic";
  std::size_t size_ = 0;
  std::vector<std::size_t> from_;  // value j of a mirror image is value from_[j] of the sample
};

/// The value of a HOG cell that replaces this one in the mirror image.
std::size_t mirrored_hog_value(std::size_t k) {
  constexpr std::size_t directed = 18, undirected = 9, energies = directed + undirected;
  if (k < directed) return (undirected + directed - k) % directed;
  if (k < energies) return directed + (undirected - (k - directed)) % undirected;
  return energies + ((k - energies) ^ 1U);
}

}  // namespace

std::vector<std::size_t> mirror_places(const Layout& layout, bool hog) {
  std::vector<std::size_t> from(layout.size());
  for (std::size_t y = 0; y < layout.height; ++y)
    for (std::size_t x = 0; x < layout.width; ++x)
      for (std::size_t k = 0; k < layout.depth; ++k) {
        const auto place = [&](std::size_t column, std::size_t value) {
          return layout.kind == LayoutKind::image
                     ? (value * layout.height + y) * layout.width + column
                     : (y * layout.width + column) * layout.depth + value;
        };
        from[place(x, k)] = place(layout.width - 1 - x, hog ? mirrored_hog_value(k) : k);
      }
  return from;
}

ComponentEntry declare_mirrored() { return Mirrored::declare().entry(); }

}  // namespace semblance::vectors
