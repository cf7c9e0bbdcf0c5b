// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device_bases.hpp"
#include "device_grids.hpp"
#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"
#include "semblance/support_vectors.hpp"
#include "semblance_numerics/distances.hpp"
#include "semblance_numerics/indexed_rows.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "tiles/bf16.hpp"
#include "tiles/tiled_rows.hpp"

namespace semblance::vectors {

/// The common base of measures on values: stores the bases packed for the product kernels, saves
/// them in full precision and checks them on loading, and computes inner products with them.
///
/// Measures based on inner products may declare `precision_` as their parameter `precision`. bf16
/// products have the same bits with and without AMX, so that stored and learned data depend on the
/// parameter, not on the machine. Rounding to bf16 changes a product by at most 2^-7 |b||x|.
/// Measured on CIFAR-10's HOG cells, 500 bases by 1000 test images: by at most 6e-4 and 1e-4 on
/// average, for the RBF as well; a thousandth of the values' standard deviation. M2 with 10x25 and
/// 10x50 bases, trained on each of the first three folds: 5 to 9 of 10,000 predictions change, the
/// test error by at most 0.03 points.
///
/// Measures may also take sparse samples (takes_sparse(), Declaration::accepts_sparse()). Their
/// bases stay sparse, in memory and when saved, and inner products have the bits of the dense form.
/// Values that are not finite are refused for them, since products with implicit zeros would have
/// to be NaN.
class StoredBases : public Similarity {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return sparse() ? indexed_.rows() : bases_.rows(); }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  Abilities abilities() const noexcept override { return {.keeps_bases = true}; }
  void kept_basis(std::size_t basis, std::span<float> row) const final;
  void kept_values(std::size_t basis, std::span<const std::size_t> columns, std::size_t width,
                   std::span<float> values) const final;
  bool compares_few_bases() const noexcept final {
    return compares_ranges() && !sparse() && !on_gpu_ && !grids_on_gpu_;
  }
  void save(StateWriter& state) const final;
  void load(const StateReader& state, Context& context) final;

 protected:
  static constexpr const char* precision_documentation =
      "fp32: float32 products; bf16: products of values rounded to bfloat16, summed in float32, "
      "computed by the tile unit of CPUs with AMX and emulated bit by bit elsewhere; errors up to "
      "2^-7 |b||x|, 1e-4 on average";

  void prepare(const Layout& input) override;

  /// Called with the bases once they are stored; throws Error if it cannot work with them.
  virtual void learn(MatrixView) {}

  /// What is learned from the bases as a whole, before they are stored, is part of the state:
  /// load() reads it instead.
  virtual void learn_from_bases(MatrixView, Context&) {}
  virtual void save_learned(StateWriter&) const {}
  virtual void load_learned(const StateReader&) {}

  /// out(i, j) = s(base first + j, row i of in); the shapes are valid and not empty. Polls the
  /// context.
  virtual void compare(MatrixView in, std::size_t first, MutableMatrixView out,
                       Context& context) const = 0;

  /// Whether compare() and learn() take sparse rows: true if inner_products() and squared_norms()
  /// read their values, or code for indexed().
  virtual bool takes_sparse() const noexcept { return false; }

  /// Whether compare() takes any range of the bases; else it is called for all of them. A GPU takes
  /// any.
  virtual bool compares_ranges() const noexcept { return !bf16(); }

  /// The measure as a GPU computes it, for dense samples in full precision; none: the CPU does.
  virtual std::optional<gpu::PairMeasure> on_device() const { return {}; }
  /// The same for a measure of grids of cells that move.
  virtual std::optional<gpu::GridMeasure> grids_on_device() const { return {}; }

  /// Values that move together: the tiles of bf16 products must not straddle them.
  virtual std::size_t cell() const { return layout().size(); }

  /// The original bases, for writing the measure as a formula. Throws Error if it compares them in
  /// bfloat16.
  FloatMatrix exported_bases() const;
  /// The same as the vectors of a support vector machine.
  void describe_bases(SupportVectorMachine& machine) const;

  const Layout& layout() const noexcept { return layout_; }
  bool sparse() const noexcept { return layout_.kind == LayoutKind::sparse; }
  /// If the samples are not sparse.
  const numerics::PackedRows& packed() const noexcept { return bases_; }
  /// If they are.
  const numerics::IndexedRows& indexed() const noexcept { return indexed_; }

  bool bf16() const noexcept { return precision_ == "bf16"; }
  /// use(read), where read(value) is a value of a row as the measure compares it.
  template <class Use>
  void reading(const Use& use) const {
    if (bf16())
      use([](float value) { return double{to_float(to_bf16(value))}; });
    else
      use([](float value) { return double{value}; });
  }
  const TiledRows& tiled() const noexcept { return tiled_; }  ///< if bf16()
  TiledRows tile(MatrixView samples) const;

  /// out(i, j) = <base first + j, row i of in>; for all bases if bf16(). Polls the context.
  void inner_products(MatrixView in, std::size_t first, MutableMatrixView out,
                      Context& context) const;

  /// The inner product of each row with itself, with the bits of inner_products().
  void squared_norms(MatrixView rows, float* norms) const;

  /// Turns products of inner_products() into squared distances of sufficient accuracy, given the
  /// squared_norms() of the rows and of all bases.
  void distances_from_products(MatrixView in, std::span<const float> norms,
                               std::span<const float> of_bases, std::size_t first,
                               const numerics::DistanceNeed& need, MutableMatrixView out,
                               Context& context) const;

  /// Whether copy_bases() is possible: dense bases in full precision, compared by the CPU.
  bool copies_bases() const noexcept { return compares_few_bases() && !bf16(); }
  /// Stores these bases of another measure of the same layout, and prepares as for bases given
  /// anew, but learns nothing from them as a whole.
  void copy_bases(const StoredBases& other, std::span<const std::uint32_t> bases);

  std::string precision_ = "fp32";

 private:
  /// `saved`: the state that they come from.
  void store(MatrixView bases, const StateReader* saved, Context& context);
  void check_rounding(MatrixView bases) const;
  void move_to_device(Context& context);
  void compare_anywhere(MatrixView in, std::size_t first, MutableMatrixView out,
                        Context& context) const;
  void check_rows(MatrixView rows, RowError::Of of) const;

  Layout layout_;
  numerics::PackedRows bases_;
  numerics::IndexedRows indexed_;  ///< instead, if sparse()
  TiledRows tiled_;
  std::shared_ptr<gpu::DeviceBases> on_gpu_;  ///< null, both of them: the CPU compares
  std::shared_ptr<gpu::DeviceGrids> grids_on_gpu_;
};

/// Throws Error unless the shapes match rows of `values` values compared with `bases` bases.
void check_shapes(MatrixView in, MutableMatrixView out, std::size_t values, std::size_t bases);

}  // namespace semblance::vectors
