// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "runtime/nodes/pairs_node.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

std::string text_of(const Pair& pair, std::span<const std::int64_t> numbers) {
  const auto number = [&](std::int32_t row) {
    return std::to_string(numbers.empty() ? row : numbers[static_cast<std::size_t>(row)]);
  };
  return "rows " + number(pair.first) + " and " + number(pair.second);
}

/// Calls body(row) for every sample of the pairs, for some of them several times.
template <class Body>
void visit_rows(const PairSet& pairs, const Body& body) {
  for (const std::int32_t row : pairs.rows()) body(row);
  for (const Pair& pair : pairs.list()) body(pair.first), body(pair.second);
}

std::set<std::int32_t> classes_of(const PairSet& pairs, std::span<const std::int32_t> labels) {
  std::set<std::int32_t> classes;
  visit_rows(pairs,
             [&](std::int32_t row) { classes.insert(labels[static_cast<std::size_t>(row)]); });
  classes.erase(-1);
  return classes;
}

}  // namespace

bool tests_training_rows(const PairSet& tests, std::size_t train_rows,
                         std::span<const std::int64_t> numbers) {
  bool training = false, others = false;
  visit_rows(tests, [&](std::int32_t row) {
    (static_cast<std::size_t>(row) < train_rows ? training : others) = true;
  });
  if (!training || !others) return training;
  const auto learned = [&](std::int32_t row) { return static_cast<std::size_t>(row) < train_rows; };
  std::optional<Pair> found;
  tests.visit([&](const Pair& pair) {
    if (!found && (learned(pair.first) || learned(pair.second))) found = pair;
  });
  throw Error("it tests on training rows (the pair of " + text_of(*found, numbers) +
              ", counted from 0) as well as on test rows; test either on pairs of training rows, "
              "none of them trained on, or on pairs of test rows");
}

std::optional<std::string> checked_task(const PairSelection& pairs, std::size_t train_rows,
                                        std::span<const std::int32_t> labels,
                                        std::span<const std::int64_t> numbers) {
  if (pairs.test.size() == 0) return std::nullopt;
  if (tests_training_rows(pairs.test, train_rows, numbers)) {
    if (const auto pair = common_pair(pairs.train, pairs.test))
      throw Error(
          "it chose the pair of " + text_of(*pair, numbers) +
          " (counted from 0) both to train on and to test on; a pair can be only one of these");
    return "pair";
  }
  const auto trained = classes_of(pairs.train, labels), tested = classes_of(pairs.test, labels);
  const bool shared = std::ranges::any_of(tested, [&](auto c) { return trained.contains(c); });
  return shared ? "interexample" : "interclass";
}

}  // namespace semblance
