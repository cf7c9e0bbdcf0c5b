// SPDX-License-Identifier: MIT
#include "tiles/tile_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "semblance/random.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::vectors::tile_sums_test {
namespace {

numerics::AlignedBuffer random_blocks(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  numerics::AlignedBuffer blocks(count * block_sums);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    blocks.data()[i] = static_cast<float>(random.normal());
  return blocks;
}

TEST_CASE("raise_block takes the larger of two blocks, less the cost") {
  const numerics::AlignedBuffer sums = random_blocks(1, 1);
  numerics::AlignedBuffer best = random_blocks(1, 2);
  const numerics::AlignedBuffer before = random_blocks(1, 2);
  raise_block(sums.data(), 0.25f, best.data());
  for (std::size_t i = 0; i < block_sums; ++i)
    CHECK(best.data()[i] == std::max(before.data()[i], sums.data()[i] - 0.25f));
}

TEST_CASE("the largest candidate is taken, or added") {
  const numerics::AlignedBuffer blocks = random_blocks(5, 1);
  const float costs[] = {0.5f, 0, 0.5f};
  for (const std::size_t count : {0u, 1u, 3u}) {
    const Candidates candidates{blocks.data(), 2 * block_sums, costs, count, -0.1f};
    numerics::AlignedBuffer taken = random_blocks(1, 2), sums = random_blocks(1, 3);
    const numerics::AlignedBuffer before = random_blocks(1, 3);
    take_largest(candidates, taken.data());
    add_largest(candidates, sums.data());
    for (std::size_t i = 0; i < block_sums; ++i) {
      float expected = -0.1f;
      for (std::size_t l = 0; l < count; ++l)
        expected = std::max(expected, blocks.data()[2 * l * block_sums + i] - costs[l]);
      CHECK(taken.data()[i] == expected);
      CHECK(sums.data()[i] == before.data()[i] + expected);
    }
  }
}

TEST_CASE("a block is copied as far as the result reaches") {
  const numerics::AlignedBuffer sums = random_blocks(1, 1);
  std::vector<float> frame(40 * 50, 7.0f);
  copy_block(sums.data(), 30, 10, {frame.data() + 3, 40, 20, 50});
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 50; ++j) {
      const bool inside = i >= 30 && j >= 13 && j < 23;
      CHECK(frame[i * 50 + j] == (inside ? sums.data()[(i - 30) * block_side + j - 13] : 7.0f));
    }
}

}  // namespace
}  // namespace semblance::vectors::tile_sums_test
