// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>

#include "ml3_component_testing.hpp"
#include "semblance/collectives_testing.hpp"

/// What the tests of several ranks share.
namespace semblance::ml3::testing {

template <class T>
Trained<T> train_on(const Rows& rows, const Data& data, Context& context,
                    const Parameters& parameters) {
  Trained<T> trained{make<T>(parameters), {}};
  const Layout layout = Layout::vector(data.values.cols);
  trained.solver.bind(layout);
  trained.solver.train({rows, layout, data.labels, data.classes}, trained.report, context);
  return trained;
}

/// Everything that is learned and said of it, but the time.
template <class T>
std::string outcome(const Trained<T>& trained) {
  const auto bits = [](double x) { return std::to_string(std::bit_cast<std::uint64_t>(x)) + ' '; };
  std::string text = saved_bits(trained.solver);
  const auto add = [&](const std::string& part) { text += part; };
  for (const auto& [name, value] : trained.report.numbers)
    if (name != "train_seconds") add(name + bits(value));
  for (const auto& [name, value] : trained.report.integers) add(name + std::to_string(value));
  for (const auto& [name, value] : trained.report.texts) add(name + value);
  for (const auto& [name, curve] : trained.report.curves)
    for (const double y : curve.y) add(bits(y));
  for (const auto& [name, table] : trained.report.tables)
    for (const double y : table.values) add(bits(y));
  return text;
}

/// Whether ranks, with one and two threads each, come to what one process does.
template <class T>
void check_same(const Data& data, const Parameters& parameters = {},
                std::initializer_list<std::size_t> numbers = {2, 3, 4, 8}) {
  const MemoryRows all(data.values);
  TestContext alone;
  const std::string expected = outcome(train_on<T>(all, data, alone, parameters));
  for (const std::size_t ranks : numbers)
    for (const std::size_t threads : {1U, 2U}) {
      CAPTURE(ranks);
      CAPTURE(threads);
      std::atomic<std::size_t> same = 0;
      on_ranks(
          ranks,
          [&](RankContext& context) {
            const OwnRows own(all, context.collectives());
            same += outcome(train_on<T>(own, data, context, parameters)) == expected;
          },
          threads);
      CHECK(same == ranks);
    }
}

}  // namespace semblance::ml3::testing
