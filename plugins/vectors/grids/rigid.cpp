// SPDX-License-Identifier: MIT
#include <algorithm>

#include "grids/rigid_methods.hpp"
#include "products/stored_bases.hpp"
#include "semblance/declaration.hpp"
#include "tiles/tile_sums.hpp"
#include "tiles/tile_unit.hpp"

namespace semblance::vectors {
namespace {

/// In one direction: displacement z = d - reach pairs `count` cells of a base, from `base` on, with
/// the sample's from `sample` on.
struct CellOverlap {
  CellOverlap(std::size_t cells, std::size_t reach, std::size_t d)
      : base(d < reach ? reach - d : 0),
        sample(d < reach ? 0 : d - reach),
        count(cells - std::max(base, sample)) {}
  std::size_t base;
  std::size_t sample;
  std::size_t count;
};

/// rigid_direct_panel() from bf16 tiles, for the bases of group `group`.
/// A displacement is one run over the rows of cells: its sums stay in the tile registers until they
/// are complete.
void rigid_tiled_group(const RigidShifts& shifts, const TiledRows& samples, const TiledRows& bases,
                       std::size_t group, const TileUnit& unit, MutableMatrixView out) {
  const CellGrid& grid = shifts.grid;
  const std::size_t row = grid.width * bases.cell_size();
  alignas(64) float sums[block_sums];
  alignas(64) float best[block_sums];
  for (std::size_t g = 0; g < samples.groups(); ++g) {
    std::fill_n(best, block_sums, shifts.floor);
    for (std::size_t dy = 0; dy <= 2 * shifts.rows; ++dy)
      for (std::size_t dx = 0; dx <= 2 * shifts.cols; ++dx) {
        const CellOverlap y(grid.height, shifts.rows, dy), x(grid.width, shifts.cols, dx);
        unit.products(samples.cell(g, y.sample * grid.width + x.sample),
                      bases.cell(group, y.base * grid.width + x.base),
                      {y.count, x.count * bases.steps(), row, row}, sums);
        raise_block(sums, shifts.cost(dy, dx), best);
      }
    copy_block(best, g * block_side, group * block_side, out);
  }
}

double direct_multiplications(const RigidShifts& shifts) {
  const CellGrid& grid = shifts.grid;
  return static_cast<double>(grid.depth * pairs_inside(grid.height, shifts.rows) *
                             pairs_inside(grid.width, shifts.cols));
}

/// BE-SVM eq. (11): s(b, x) = max_z sum_c <b(c), x(c + z)> - penalty |z|^2 over displacements z of
/// at most `shift` cells in each direction; cells outside of the grid are zero.
class Rigid final : public StoredBases {
 public:
  static Declaration<Rigid> declare() {
    return Declaration<Rigid>("similarity/rigid",
                              "Largest inner product over displacements of the whole grid of cells")
        .parameter("shift", &Rigid::shift_, "largest displacement h_R in each direction",
                   at_least(0), at_most(32), unit("cells"))
        .parameter("penalty", &Rigid::penalty_,
                   "weight of the squared displacement, which is subtracted (R(z) of eq. (7))",
                   at_least(0))
        .parameter("method", &Rigid::method_,
                   "direct: products cell by cell; transform: in the frequency domain; auto: "
                   "whichever needs fewer operations, and direct for bf16",
                   choices({"auto", "direct", "transform"}))
        .parameter("precision", &Rigid::precision_, precision_documentation,
                   choices({"fp32", "bf16"}))
        .accepts({LayoutKind::grid})
        .symmetric()
        .uses_device()
        .documentation(
            "Cells outside the grid are zero. Moving the basis instead of the sample gives the "
            "same value, since the displacements are symmetric. The methods differ only by "
            "rounding, by less than 1e-6 |b||x|; auto depends only on the layout and the "
            "parameters. A GPU computes fp32 by the direct method, with auto too; transform is the "
            "CPU's.")
        .reference("BE-SVM, eq. (11) and section 3.3: H4(1,0), H4(2,0), H8(1,0)")
        .complexity(
            "A pair of 8x8x31 grids with shift 2: direct 71,672 operations, 2 depth for each "
            "displacement and each cell that stays inside; transform 10,340, 5 times as fast, with "
            "an additional 2.3 times the bases' memory. Nothing is stored per displacement.")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/rigid, shift: 1, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  void check_parameters() const override {
    if (method_ == "transform" && bf16())
      throw Error(
          "method: transform computes in float32 only; use method: direct with precision: bf16, or "
          "precision: fp32");
  }

  double operations() const noexcept override {
    return 2 * (transform_ ? plan_.multiplications() : direct_multiplications(shifts_));
  }

 private:
  void prepare(const Layout& input) override {
    StoredBases::prepare(input);
    shifts_ = RigidShifts(CellGrid(input), static_cast<std::size_t>(shift_),
                          static_cast<float>(penalty_));
    plan_ = CorrelationPlan(shifts_);
    // Depends only on the layout, so that all blocks of all runs are computed alike.
    transform_ =
        method_ == "transform" || (method_ == "auto" && !bf16() &&
                                   plan_.multiplications() < 0.8 * direct_multiplications(shifts_));
  }

  void learn(MatrixView bases) override {
    if (!transform_) return;
    FloatMatrix transformed(bases.rows, plan_.products * plan_.grid.depth);
    transform_rows(plan_, CorrelationSide::bases, bases, transformed.view());
    transformed_bases_ = numerics::PackedRows(transformed.view());
  }

  void compare(MatrixView in, std::size_t, MutableMatrixView out, Context& context) const override {
    if (bf16()) return compare_tiled(in, out, context);
    const numerics::PackedBlock block = pack(in);
    for (std::size_t p = 0; p < packed().panels(); ++p) {
      context.check_stop();
      if (transform_)
        rigid_transform_panel(plan_, shifts_.floor, block, transformed_bases_, p, out);
      else
        rigid_direct_panel(shifts_, block, packed(), p, out);
    }
  }

  bool compares_ranges() const noexcept override { return false; }

  /// A GPU computes the products cell by cell.
  std::optional<gpu::GridMeasure> grids_on_device() const override {
    if (method_ == "transform") return {};
    const CellGrid& grid = shifts_.grid;
    return gpu::GridMeasure{grid.height, grid.width, grid.depth, static_cast<std::size_t>(shift_),
                            0,           penalty_};
  }

  void compare_tiled(MatrixView in, MutableMatrixView out, Context& context) const {
    const TiledRows samples = tile(in);
    const TileUnit unit;
    for (std::size_t g = 0; g < tiled().groups(); ++g) {
      context.check_stop();
      rigid_tiled_group(shifts_, samples, tiled(), g, unit, out);
    }
  }

  std::size_t cell() const override { return layout().depth; }

  numerics::PackedBlock pack(MatrixView in) const {
    if (!transform_) return numerics::PackedBlock(in);
    FloatMatrix transformed(in.rows, plan_.products * plan_.grid.depth);
    transform_rows(plan_, CorrelationSide::samples, in, transformed.view());
    return numerics::PackedBlock(transformed.view());
  }

  std::int64_t shift_ = 1;
  double penalty_ = 0;
  std::string method_ = "auto";
  RigidShifts shifts_;
  CorrelationPlan plan_;
  bool transform_ = false;                  // the method chosen
  numerics::PackedRows transformed_bases_;  // if the transform is used
};

}  // namespace

ComponentEntry declare_rigid() { return Rigid::declare().entry(); }

}  // namespace semblance::vectors
