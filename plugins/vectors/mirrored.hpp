// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// BE-SVM eq. (7) with two latent states, the sample x and its mirror image x': the mean or the
/// largest of k(b, x) and k(b, x'). Not symmetric for most kernels on grids.
class Mirrored final : public Similarity {
 public:
  static Declaration<Mirrored> declare();
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return kernel_->bases(); }
  double operations() const noexcept override { return 2 * kernel_->operations(); }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool learns_from_bases() const noexcept override { return kernel_->learns_from_bases(); }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  void prepare(const Layout& input) override;

  std::unique_ptr<Similarity> kernel_;
  std::string combine_ = "mean";
  std::string cells_ = "automatic";
  std::size_t size_ = 0;
  std::vector<std::size_t> from_;  // value j of a mirror image is value from_[j] of the sample
};

/// The source positions of the values of a horizontal mirror image; `layout` is a grid or an image.
/// With `hog`, a cell has the 31 values of feature/hog, whose orientations are mirrored as well: 18
/// directed and 9 undirected ones, counted from the horizontal, and the energies of the blocks
/// above left, above right, below left and below right.
std::vector<std::size_t> mirror_places(const Layout& layout, bool hog);

}  // namespace semblance
