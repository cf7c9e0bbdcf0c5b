// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "semblance/collectives_testing.hpp"
#include "semblance/memory_state.hpp"

/// Helpers for tests of trainings on several ranks.
namespace semblance::testing {

/// Trains on some rows, which may be a rank's own, and returns what it has learned as text.
using LearnOn = std::function<std::string(const Rows& rows, Context& context)>;

/// The bits of every figure that a training reports, except the time.
inline std::string bits_of(const MemoryReport& report) {
  const auto bits = [](double x) { return std::to_string(std::bit_cast<std::uint64_t>(x)) + ' '; };
  std::string text;
  const auto add = [&](const std::string& part) { text += part; };
  for (const auto& [name, value] : report.numbers)
    if (!name.ends_with("_seconds")) add(name + bits(value));
  for (const auto& [name, value] : report.integers) add(name + std::to_string(value) + ' ');
  for (const auto& [name, value] : report.texts) add(name + value);
  for (const auto& [name, curve] : report.curves)
    for (const double y : curve.y) add(bits(y));
  for (const auto& [name, table] : report.tables)
    for (const double y : table.values) add(bits(y));
  return text;
}

/// Checks that ranks with one and two threads each have the same result as one process. `prepare`
/// is called on each rank before it learns.
inline void check_same_on_ranks(const FloatMatrix& values,
                                std::initializer_list<std::size_t> numbers, const LearnOn& learn,
                                const std::function<void(RankContext&)>& prepare = {}) {
  const MemoryRows all(values);
  TestContext alone;
  const std::string expected = learn(all, alone);
  for (const std::size_t ranks : numbers)
    for (const std::size_t threads : {1U, 2U}) {
      CAPTURE(ranks);
      CAPTURE(threads);
      std::atomic<std::size_t> same = 0;
      on_ranks(
          ranks,
          [&](RankContext& context) {
            if (prepare) prepare(context);
            const OwnRows own(all, context.collectives());
            same += learn(own, context) == expected;
          },
          threads);
      CHECK(same == ranks);
    }
}

/// The message that a training fails with. Checks that every rank throws it itself, not because
/// another rank failed.
inline std::string message_on_ranks(const FloatMatrix& values, std::size_t ranks,
                                    const LearnOn& learn) {
  const MemoryRows all(values);
  std::atomic<std::size_t> threw = 0;
  std::string message;
  try {
    on_ranks(ranks, [&](RankContext& context) {
      const OwnRows own(all, context.collectives());
      try {
        learn(own, context);
      } catch (const RankFailure&) {
        throw;
      } catch (const Error&) {
        ++threw;
        throw;
      }
    });
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK(threw == ranks);
  return message;
}

}  // namespace semblance::testing
