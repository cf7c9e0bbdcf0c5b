// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "composed/displaced_rows.hpp"
#include "products/stored_bases.hpp"
#include "semblance/declaration.hpp"
#include "semblance/learns_from_samples.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/similarity.hpp"

namespace semblance::vectors {
namespace {

/// The indices i of [0, size) for which i + z is also in it.
struct Overlap {
  Overlap(std::int64_t size, std::int64_t z)
      : first(std::clamp(-z, std::int64_t{0}, size)),
        last(std::clamp(size - z, std::int64_t{0}, size)) {}
  std::int64_t first;
  std::int64_t last;
};

/// One row of values; an image is channel after channel, a grid has all values in one.
void displace(const float* from, const Layout& layout, Displacement z, float* to) {
  const bool planar = layout.kind == LayoutKind::image;
  const std::size_t planes = planar ? layout.depth : 1, cell = planar ? 1 : layout.depth;
  const auto height = static_cast<std::int64_t>(layout.height);
  const auto width = static_cast<std::int64_t>(layout.width);
  const Overlap rows(height, z.y), cols(width, z.x);
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::int64_t y = rows.first; y < rows.last; ++y) {
      const std::int64_t line = static_cast<std::int64_t>(plane) * height + y;
      const auto at = static_cast<std::size_t>(line * width + cols.first) * cell;
      const auto source = static_cast<std::size_t>((line + z.y) * width + cols.first + z.x) * cell;
      if (cols.first < cols.last)
        std::copy_n(from + source, static_cast<std::size_t>(cols.last - cols.first) * cell,
                    to + at);
    }
}

/// BE-SVM eq. (7) with displacements as latent variables, on any kernel k:
/// s(b, x) = max_z k(b, x displaced by z) - penalty |z|^2. Not symmetric for most kernels.
class Jittered final : public Similarity, public LearnsFromSamples {
 public:
  static Declaration<Jittered> declare();
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return bases_; }
  double operations() const noexcept override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool learns_from_bases() const noexcept override { return kernel_->learns_from_bases(); }
  bool samples_suffice() const noexcept override { return !needs_all_bases(*kernel_); }
  void learn_from_samples(const Rows& rows, std::span<const std::uint32_t> chosen,
                          Context& context) override {
    semblance::learn_from_samples(*kernel_, rows, chosen, context);
  }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  void prepare(const Layout& input) override;
  void move_samples(MatrixView in, MutableMatrixView out, Context& context) const;
  void move_bases(MatrixView in, MutableMatrixView out, Context& context) const;

  bool basis_moves() const { return order_ == "basis_moves"; }
  /// R(z) of eq. (7).
  float cost(Displacement z) const {
    return static_cast<float>(penalty_ * static_cast<double>(z.squared_length()));
  }

  std::unique_ptr<Similarity> kernel_;
  std::int64_t shift_ = 1;
  double penalty_ = 0;
  std::string order_ = "sample_moves";

  Layout layout_;
  std::vector<Displacement> displacements_;  // the first one is none
  std::size_t bases_ = 0;
};

// best = max(best, similarities - cost)
void raise(const float* similarities, float cost, std::size_t count, float* best) {
  for (std::size_t j = 0; j < count; ++j) {
    const float s = similarities[j] - cost;
    best[j] = s > best[j] ? s : best[j];
  }
}

Declaration<Jittered> Jittered::declare() {
  return Declaration<Jittered>("similarity/jittered",
                               "Largest kernel value over displacements of the whole sample")
      .parameter("kernel", &Jittered::kernel_,
                 "kernel that compares a displaced sample with a basis",
                 default_component("similarity/rbf"))
      .parameter("shift", &Jittered::shift_, "largest displacement h in each direction",
                 at_least(0), at_most(32), unit("cells"))
      .parameter("penalty", &Jittered::penalty_,
                 "weight of the squared displacement, which is subtracted (R(z) of eq. (7))",
                 at_least(0))
      .parameter("order", &Jittered::order_, "which one moves: sample_moves is the paper's s(b, x)",
                 choices({"sample_moves", "basis_moves"}))
      .accepts({LayoutKind::grid, LayoutKind::image})
      .documentation(
          "Cells, or pixels of an image, outside the sample are zero. shift 0 is the kernel "
          "itself. The paper chooses by similarity, DeCoste and Schoelkopf by distance, which is "
          "the "
          "same for a kernel with constant k(x, x), such as the RBF kernel. Not symmetric, except "
          "with the linear kernel, for which similarity/rigid computes the "
          "same much faster.")
      .reference(
          "BE-SVM, eq. (7); DeCoste and Schoelkopf 2002, Training invariant support vector "
          "machines, section 3: jittering kernels")
      .complexity(
          "(2 shift + 1)^2 times the kernel. Samples that move: one copy of a block, one block of "
          "similarities. Bases that move: (2 shift + 1)^2 times the kernel's bases in memory")
      .gone({.written = "choose",
             .since = "1.0",
             .advice = "omit it: displacements are chosen by similarity, as in the paper",
             .usual = "similarity"})
      .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/jittered, kernel: {is: similarity/rbf, gamma: 1}, shift: 1, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
}

void Jittered::prepare(const Layout& input) {
  if (input.kind == LayoutKind::vector)
    throw Error(
        "a " + describe(input) +
        " has nothing to displace; use grids of cells, such as those of feature/hog, or images");
  kernel_->bind(input);
  layout_ = input;
  displacements_ = displacements(input, shift_);
}

double Jittered::operations() const noexcept {
  return kernel_->operations() * static_cast<double>(displacements_.size());
}

void Jittered::set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                         Context& context) {
  bases_ = bases.rows;
  if (!basis_moves() || bases.rows == 0 || bases.cols != layout_.size()) {
    kernel_->set_bases(bases, indices, context);
    return;
  }
  const std::size_t count = displacements_.size();
  FloatMatrix moved(count * bases.rows, bases.cols);
  std::vector<std::int64_t> rows;
  for (std::size_t d = 0; d < count; ++d) {
    context.check_stop();
    const MutableMatrixView part = moved.view().rows_range(d * bases.rows, bases.rows);
    displace(bases, layout_, displacements_[d], part);
    rows.insert(rows.end(), indices.begin(), indices.end());
  }
  kernel_->set_bases(moved.view(), rows, context);
}

void Jittered::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_shapes(in, out, layout_.size(), bases_);
  // Values between the kernel and the maximum that stay in the caches.
  constexpr std::size_t most = std::size_t{1} << 22, block = 256;
  const std::size_t columns = kernel_->bases();
  const std::size_t rows =
      std::clamp(most / std::max(columns, std::size_t{1}), std::size_t{1}, block);
  for (std::size_t first = 0; first < in.rows; first += rows) {
    const std::size_t count = std::min(rows, in.rows - first);
    const auto move = basis_moves() ? &Jittered::move_bases : &Jittered::move_samples;
    (this->*move)(in.rows_range(first, count), out.rows_range(first, count), context);
  }
}

void Jittered::move_samples(MatrixView in, MutableMatrixView out, Context& context) const {
  FloatMatrix moved(in.rows, in.cols), similarities(in.rows, bases_);
  kernel_->apply(in, out, context);
  for (std::size_t d = 1; d < displacements_.size(); ++d) {
    context.check_stop();
    displace(in, layout_, displacements_[d], moved.view());
    kernel_->apply(moved.view(), similarities.view(), context);
    for (std::size_t i = 0; i < in.rows; ++i)
      raise(similarities.view().row(i), cost(displacements_[d]), bases_, out.row(i));
  }
}

void Jittered::move_bases(MatrixView in, MutableMatrixView out, Context& context) const {
  FloatMatrix similarities(in.rows, kernel_->bases());
  kernel_->apply(in, similarities.view(), context);
  for (std::size_t i = 0; i < in.rows; ++i) {
    const float* values = similarities.view().row(i);
    std::copy_n(values, bases_, out.row(i));
    for (std::size_t d = 1; d < displacements_.size(); ++d)
      raise(values + d * bases_, cost(displacements_[d]), bases_, out.row(i));
  }
}

void Jittered::save(StateWriter& state) const {
  state.integer("bases", static_cast<std::int64_t>(bases_));
  NestedWriter kernel(state, "kernel_");
  kernel_->save(kernel);
}

void Jittered::load(const StateReader& state, Context& context) {
  bases_ = static_cast<std::size_t>(state.integer("bases"));
  kernel_->load(NestedReader(state, "kernel_"), context);
  const std::size_t expected = basis_moves() ? bases_ * displacements_.size() : bases_;
  if (bases_ > kernel_->bases() || kernel_->bases() != expected)
    throw Error("the saved kernel has " + std::to_string(kernel_->bases()) + " bases where " +
                std::to_string(expected) + " are expected; use the parameters of the training run");
}

}  // namespace

std::vector<Displacement> displacements(const Layout& layout, std::int64_t reach) {
  const auto height = static_cast<std::int64_t>(layout.height);
  const auto width = static_cast<std::int64_t>(layout.width);
  std::vector<Displacement> all;
  for (std::int64_t y = -reach; y <= reach; ++y)
    for (std::int64_t x = -reach; x <= reach; ++x) all.push_back({y, x});
  std::stable_sort(all.begin(), all.end(), [](const Displacement& a, const Displacement& b) {
    return a.squared_length() < b.squared_length();
  });
  const auto outside = [=](const Displacement& z) {
    return std::abs(z.y) >= height || std::abs(z.x) >= width;
  };
  const auto first = std::find_if(all.begin(), all.end(), outside);
  if (first != all.end()) all.erase(std::remove_if(first + 1, all.end(), outside), all.end());
  return all;
}

void displace(MatrixView rows, const Layout& layout, Displacement z, MutableMatrixView moved) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    std::fill_n(moved.row(i), moved.cols, 0.0f);
    displace(rows.row(i), layout, z, moved.row(i));
  }
}

ComponentEntry declare_jittered() { return Jittered::declare().entry(); }

}  // namespace semblance::vectors
