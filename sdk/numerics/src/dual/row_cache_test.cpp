// SPDX-License-Identifier: MIT
#include "semblance_numerics/row_cache.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "computed_rows_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace semblance::numerics::row_cache_test {
namespace {

TEST_CASE("a cache keeps to its bytes, and rows that are held stay valid") {
  Random random(6);
  FloatMatrix kernel(100, 100);
  for (float& x : kernel.values) x = static_cast<float>(random.normal());
  testing::TestContext context;
  const Computed source(kernel);
  RowCache cache(source, {20, 80}, {40, 50}, 30 * 50 * sizeof(float));
  std::vector<RowCache::Row> held(10), others(70);
  std::vector<std::uint32_t> first, rest;
  for (std::uint32_t i = 20; i < 30; ++i) first.push_back(i);
  for (std::uint32_t i = 30; i < 100; ++i) rest.push_back(i);
  cache.fetch(first, held, context);
  CHECK(cache.computed() == 10 * 50);
  cache.fetch(first, held, context);
  CHECK(cache.computed() == 10 * 50);
  cache.fetch(rest, others, context);
  cache.fetch(first, std::span(others).first(10), context);
  CHECK(cache.computed() == (10 + 70 + 10) * 50);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 50; ++j) {
      REQUIRE(held[i].get()[j] == kernel.values[(20 + i) * 100 + 40 + j]);
      REQUIRE(others[i].get()[j] == kernel.values[(20 + i) * 100 + 40 + j]);
      REQUIRE(others[10 + i].get()[j] == kernel.values[(40 + i) * 100 + 40 + j]);
    }
}

TEST_CASE("a cache takes the memory of evicted rows for new ones, unless a caller holds them") {
  Random random(7);
  FloatMatrix kernel(192, 192);
  for (float& x : kernel.values) x = static_cast<float>(random.normal());
  testing::TestContext context;
  const Computed source(kernel);
  RowCache cache(source, {0, 192}, {0, 192}, 64 * 192 * sizeof(float));
  const auto fetch = [&](std::uint32_t first) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = first; i < first + 64; ++i) wanted.push_back(i);
    std::vector<RowCache::Row> rows(64);
    cache.fetch(wanted, rows, context);
    for (std::size_t i = 0; i < 64; ++i)
      for (std::size_t j = 0; j < 192; ++j)
        REQUIRE(rows[i].get()[j] == kernel.values[(first + i) * 192 + j]);
    return rows;
  };
  const auto held = fetch(0);
  const float* const released = fetch(64)[0].get();
  CHECK(released != held[0].get());
  CHECK(fetch(128)[0].get() == released);
  for (std::size_t i = 0; i < 64; ++i)
    for (std::size_t j = 0; j < 192; ++j) REQUIRE(held[i].get()[j] == kernel.values[i * 192 + j]);
}

}  // namespace
}  // namespace semblance::numerics::row_cache_test
