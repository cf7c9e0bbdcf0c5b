// SPDX-License-Identifier: MIT
#include "runtime/plan.hpp"

#include <doctest/doctest.h>

namespace semblance {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The blocks that a plan with 10 MiB of data and blocks of 1 MiB gets.
std::size_t blocks(std::size_t memory_mebibytes, std::size_t threads) {
  Plan plan;
  plan.source_bytes = 10 * mebibyte;
  plan.block_bytes = mebibyte;
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

}  // namespace semblance
