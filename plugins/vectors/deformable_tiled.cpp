// SPDX-License-Identifier: MIT
#include "deformable_steps.hpp"

namespace semblance::vectors {
namespace {

/// Blocks of sums from tiles in bf16, whose cells are `cell` values apart.
struct BlocksOfSums {
  static constexpr std::size_t size = numerics::block_sums;
  const numerics::TileUnit& unit;
  const numerics::Bf16 *samples, *bases;
  std::size_t cell;

  void products(std::size_t sample, std::size_t base, float* to) const {
    unit.products(samples + sample * cell, bases + base * cell,
                  {1, cell / numerics::block_values, 0, 0}, to);
  }
  static void take_largest(const numerics::Candidates& c, float* to) {
    numerics::take_largest(c, to);
  }
  static void add_largest(const numerics::Candidates& c, float* sums) {
    numerics::add_largest(c, sums);
  }
  static void raise(const float* sums, float cost, float* best) {
    numerics::raise(sums, cost, best);
  }
};

}  // namespace

void deformable_tiled_group(const Deformation& deformation, const numerics::TiledRows& samples,
                            const numerics::TiledRows& bases, std::size_t group,
                            const numerics::TileUnit& unit, MutableMatrixView out) {
  DeformableSteps<BlocksOfSums> steps(deformation);
  alignas(64) float best[BlocksOfSums::size];
  for (std::size_t g = 0; g < samples.groups(); ++g) {
    steps.compare({unit, samples.cell(g, 0), bases.cell(group, 0), bases.cell_size()}, best);
    numerics::copy_block(best, g * numerics::block_side, group * numerics::block_side, out);
  }
}

}  // namespace semblance::vectors
