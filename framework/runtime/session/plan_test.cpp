// SPDX-License-Identifier: MIT
#include "runtime/session/plan.hpp"

#include <doctest/doctest.h>

#include "runtime/ranks/row_share.hpp"

namespace semblance::plan_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t most_for_program = 98 * mebibyte;

/// The number of blocks in a plan with 10 MiB of data and blocks of 1 MiB.
std::size_t blocks(std::size_t memory_mebibytes, std::size_t threads) {
  Plan plan;
  plan.source_bytes = plan.largest_source_bytes = 10 * mebibyte;
  plan.block_bytes = plan.least_block_bytes = mebibyte;
  allot_memory(plan, memory_mebibytes * mebibyte, threads);
  CHECK(fixed_bytes(plan) == plan.program_bytes + (10 + plan.blocks) * mebibyte);
  return plan.blocks;
}

}  // namespace

TEST_CASE("two blocks of rows a thread, fewer where memory is short") {
  const std::size_t taken = most_for_program / mebibyte + 10;
  CHECK(blocks(taken + 1000, 1) == 2);
  CHECK(blocks(taken + 1000, 16) == 32);
  CHECK(blocks(taken + 20, 16) == 10);
  CHECK(blocks(60, 16) == 2);
  CHECK_THROWS_WITH_AS(blocks(59, 16), doctest::Contains("blocks of rows 2.0 MiB"), Error);
}

TEST_CASE("blocks without values take no memory") {
  Plan plan;
  allot_memory(plan, 48 * mebibyte, 4);
  CHECK(plan.blocks == 8);
}

TEST_CASE("a small budget keeps some for data") {
  for (const std::size_t large : {106, 144, 100'000})
    CHECK(program_bytes(large * mebibyte) == most_for_program);
  CHECK(program_bytes(100 * mebibyte) == 92 * mebibyte);
  CHECK(program_bytes(100 * mebibyte, 20 * mebibyte) == 72 * mebibyte);
  for (const std::size_t small : {56, 20, 0})
    CHECK(program_bytes(small * mebibyte) == 48 * mebibyte);
  Plan plan;
  plan.source_bytes = plan.largest_source_bytes = 10 * mebibyte;
  CHECK_THROWS_WITH_AS(allot_memory(plan, 57 * mebibyte, 4),
                       "this pipeline does not fit into --memory 57 MiB: the program takes 48 MiB, "
                       "the data set 10 MiB, blocks of rows 0 B, together 58 MiB; everything else "
                       "can be kept on disk. Raise --memory, or use fewer rows",
                       Error);
  allot_memory(plan, 58 * mebibyte, 4);
  CHECK(fixed_bytes(plan) == 58 * mebibyte);
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
