// SPDX-License-Identifier: MIT
#include "choice/choosing.hpp"

#include <limits>
#include <numeric>

#include "semblance/error.hpp"

namespace semblance::pairs {
namespace {

PairSet all_pairs(const PairExamples& examples, std::size_t first, std::size_t end,
                  bool reflexive) {
  if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error("pairs can be made of at most 2,147,483,647 rows; use fewer");
  if (end == first) return {};
  std::vector<std::int32_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first));
  const auto labels = examples.labels.subspan(first, end - first);
  return PairSet::all_of(std::move(rows), {labels.begin(), labels.end()}, reflexive);
}

}  // namespace

Reflexive reflexive_from(const std::string& text) {
  if (text == "never") return Reflexive::never;
  return text == "always" ? Reflexive::always : Reflexive::training;
}

PairSet all_training_pairs(const PairExamples& examples, Reflexive reflexive) {
  for (std::size_t i = 0; i < examples.train_rows; ++i)
    if (examples.labels[i] < 0)
      throw Error("training row " + std::to_string(examples.number(i)) +
                  " (counted from 0) has no class, so it is unknown which of its pairs are of the "
                  "same class; give the source labels");
  return all_pairs(examples, 0, examples.train_rows, reflexive != Reflexive::never);
}

PairSet all_test_pairs(const PairExamples& examples, Reflexive reflexive) {
  return all_pairs(examples, examples.train_rows, examples.labels.size(),
                   reflexive == Reflexive::always);
}

void check_room(std::size_t count, const Context& context) {
  const std::size_t bytes = count * sizeof(Pair);
  if (bytes <= context.memory_budget()) return;
  throw MemoryError(
      "a list of " + std::to_string(count) + " pairs takes " + std::to_string(bytes >> 20) +
      " MiB, " + std::to_string(context.memory_budget() >> 20) +
      " MiB of the memory budget are left; use fewer rows, pairs/sampled, or more --memory");
}

}  // namespace semblance::pairs
