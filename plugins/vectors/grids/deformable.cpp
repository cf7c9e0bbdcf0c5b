// SPDX-License-Identifier: MIT

#include "grids/deformable_steps.hpp"
#include "products/stored_bases.hpp"
#include "semblance/declaration.hpp"
#include "tiles/tile_unit.hpp"

namespace semblance::vectors {
namespace {

/// Blocks of sums from tiles in bf16, whose cells are `cell` values apart.
struct BlocksOfSums {
  static constexpr std::size_t size = block_sums;
  const TileUnit& unit;
  const Bf16 *samples, *bases;
  std::size_t cell;

  void products(std::size_t sample, std::size_t base, float* to) const {
    unit.products(samples + sample * cell, bases + base * cell, {1, cell / block_values, 0, 0}, to);
  }
  static void take_largest(const Candidates& c, float* to) { vectors::take_largest(c, to); }
  static void add_largest(const Candidates& c, float* sums) { vectors::add_largest(c, sums); }
  static void raise(const float* sums, float cost, float* best) { raise_block(sums, cost, best); }
};

/// deformable_panel() from bf16 tiles, for the bases of group `group`.
void deformable_tiled_group(const Deformation& deformation, const TiledRows& samples,
                            const TiledRows& bases, std::size_t group, const TileUnit& unit,
                            MutableMatrixView out) {
  DeformableSteps<BlocksOfSums> steps(deformation);
  alignas(64) float best[BlocksOfSums::size];
  for (std::size_t g = 0; g < samples.groups(); ++g) {
    steps.compare({unit, samples.cell(g, 0), bases.cell(group, 0), bases.cell_size()}, best);
    copy_block(best, g * block_side, group * block_side, out);
  }
}

/// BE-SVM eq. (12): s(b, x) = max_zR sum_c max_zL <b(c), x(c + zR + zL)>, where the cells of x move
/// together by at most `shift` cells and individually by at most `local` more; minus the weighted
/// squared displacements. Not symmetric.
class Deformable final : public StoredBases {
 public:
  static Declaration<Deformable> declare() {
    return Declaration<Deformable>(
               "similarity/deformable",
               "Sum over cells of the best nearby inner product, with the whole grid displaced")
        .parameter("shift", &Deformable::shift_,
                   "largest displacement h_R of the whole grid in each direction", at_least(0),
                   at_most(32), unit("cells"))
        .parameter("local", &Deformable::local_,
                   "largest further displacement h_L of each cell in each direction", at_least(0),
                   at_most(32), unit("cells"))
        .parameter(
            "penalty", &Deformable::penalty_,
            "weight of the grid's squared displacement, which is subtracted (R(z) of eq. (7))",
            at_least(0))
        .parameter("local_penalty", &Deformable::local_penalty_,
                   "weight of each cell's squared displacement, which is subtracted", at_least(0))
        .parameter("order", &Deformable::order_,
                   "whose cells move: sample_moves is the paper's s(b, x)",
                   choices({"sample_moves", "basis_moves"}))
        .parameter("precision", &Deformable::precision_, precision_documentation,
                   choices({"fp32", "bf16"}))
        .accepts({LayoutKind::grid})
        .uses_device()
        .documentation(
            "Cells outside the grid are zero; their zero products take part in each cell's "
            "maximum, as in eq. (12). Not symmetric: only one argument's cells move. A GPU "
            "computes fp32, and each product once per displacement of the whole grid.")
        .reference("BE-SVM, eq. (12) and section 3.3: H4(0,1), H8(0,1), H4(2,1)")
        .complexity(
            "2 depth operations for each pair of cells at most h_R + h_L apart: 30,008 per pair of "
            "samples for 8x8x31, h_R = 0, h_L = 1; plus 2 maxima of 2 h_L + 1 values for each "
            "rigid displacement and cell")
        .example(R"(
        glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 20}
        hog:    {is: feature/hog, cell: 4, from: glyphs}
        x:      {is: normalizer/mean_norm, from: hog}
        bases:  {is: basis/index, per_class: 10, from: glyphs}
        s:      {is: similarity/deformable, shift: 1, local: 1, from: x, bases: bases}
        phi:    {is: normalizer/mean_norm, from: s}
        svm:    {is: solver/linear_svm, from: phi}
        test:   {is: evaluator/classification, from: svm})");
  }

  double operations() const noexcept override {
    const CellGrid& grid = deformation_.grid;
    const std::size_t reach = deformation_.rigid + deformation_.local;
    const std::size_t shifts = 2 * deformation_.rigid + 1, local = 2 * deformation_.local;
    const std::size_t products =
        grid.depth * pairs_inside(grid.height, reach) * pairs_inside(grid.width, reach);
    const std::size_t maxima = (2 * reach + 1 + shifts) * shifts * local;
    return 2.0 * static_cast<double>(products) +
           static_cast<double>(grid.height * grid.width * (maxima + shifts * shifts));
  }

 private:
  void prepare(const Layout& input) override {
    StoredBases::prepare(input);
    deformation_ = {CellGrid(input),
                    static_cast<std::size_t>(shift_),
                    static_cast<std::size_t>(local_),
                    static_cast<float>(penalty_),
                    static_cast<float>(local_penalty_),
                    order_ == "basis_moves"};
  }

  void compare(MatrixView in, std::size_t, MutableMatrixView out, Context& context) const override {
    if (bf16()) return compare_tiled(in, out, context);
    const numerics::PackedBlock block(in);
    for (std::size_t p = 0; p < packed().panels(); ++p) {
      context.check_stop();
      deformable_panel(deformation_, block, packed(), p, out);
    }
  }

  bool compares_ranges() const noexcept override { return false; }

  std::optional<gpu::GridMeasure> grids_on_device() const override {
    const CellGrid& grid = deformation_.grid;
    return gpu::GridMeasure{
        grid.height,        grid.width, grid.depth,     deformation_.rigid,
        deformation_.local, penalty_,   local_penalty_, deformation_.basis_moves};
  }

  void compare_tiled(MatrixView in, MutableMatrixView out, Context& context) const {
    const TiledRows samples = tile(in);
    const TileUnit unit;
    for (std::size_t g = 0; g < tiled().groups(); ++g) {
      context.check_stop();
      deformable_tiled_group(deformation_, samples, tiled(), g, unit, out);
    }
  }

  std::size_t cell() const override { return layout().depth; }

  std::int64_t shift_ = 0;
  std::int64_t local_ = 1;
  double penalty_ = 0;
  double local_penalty_ = 0;
  std::string order_ = "sample_moves";
  Deformation deformation_;
};

}  // namespace

ComponentEntry declare_deformable() { return Deformable::declare().entry(); }

}  // namespace semblance::vectors
