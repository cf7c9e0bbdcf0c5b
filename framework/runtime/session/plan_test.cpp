// SPDX-License-Identifier: MIT
#include "runtime/session/plan.hpp"

#include <doctest/doctest.h>

#include "runtime/ranks/row_share.hpp"

namespace semblance::plan_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The number of blocks in a plan with 10 MiB of data and blocks of 1 MiB.
std::size_t blocks(std::size_t memory_mebibytes, std::size_t threads) {
  Plan plan;
  plan.source_bytes = plan.largest_source_bytes = 10 * mebibyte;
  plan.block_bytes = plan.least_block_bytes = mebibyte;
  allot_memory(plan, memory_mebibytes * mebibyte, threads);
  CHECK(fixed_bytes(plan) == program_bytes + (10 + plan.blocks) * mebibyte);
  return plan.blocks;
}

}  // namespace

TEST_CASE("two blocks of rows a thread, fewer where memory is short") {
  const std::size_t taken = program_bytes / mebibyte + 10;
  CHECK(blocks(taken + 1000, 1) == 2);
  CHECK(blocks(taken + 1000, 16) == 32);
  CHECK(blocks(taken + 20, 16) == 10);
  CHECK(blocks(taken + 2, 16) == 2);
  CHECK_THROWS_WITH_AS(blocks(taken + 1, 16), doctest::Contains("blocks of rows 2.0 MiB"), Error);
}

TEST_CASE("blocks without values take no memory") {
  Plan plan;
  allot_memory(plan, program_bytes, 4);
  CHECK(plan.blocks == 8);
}

TEST_CASE("the largest share of the rows, of those for training and those for testing") {
  const Outline outline{Layout::vector(1), 9100, 1300, {}};
  const RowSpan training{0, 9100}, all{0, 10400};
  CHECK(largest_share(1)(all, outline) == 10400);
  // 36 blocks in 32 parts, 6 blocks in 6 parts.
  CHECK(largest_share(2)(training, outline) == 18 * 256);
  CHECK(largest_share(2)(all, outline) == (18 + 3) * 256);
  // No rank has less than one part, however many ranks there are.
  CHECK(largest_share(1000)(training, outline) == 2 * 256);
  std::size_t rows = 0;
  for (std::size_t r = 0; r < 7; ++r)
    for (const RowSpan piece : rows_of_rank(r, 7, all, 9100, 10400)) rows += piece.count;
  CHECK(rows == 10400);
}

}  // namespace semblance::plan_test
