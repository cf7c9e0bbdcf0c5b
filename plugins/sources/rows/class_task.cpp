// SPDX-License-Identifier: MIT
#include "rows/class_task.hpp"

#include <algorithm>
#include <unordered_set>

#include "semblance/error.hpp"

namespace semblance::sources {
namespace {

/// Appends the first `count` of the pool's classes in random order to the given ones.
void add_classes(std::vector<std::int64_t> pool, std::size_t count, Random random,
                 std::vector<std::int64_t>& chosen) {
  if (pool.size() < count)
    throw Error(
        "only " + std::to_string(pool.size()) + " sufficiently large classes are left to draw " +
        std::to_string(count) +
        " from; ask for fewer classes or fewer examples of each, or lower 'least_examples'");
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(pool[i], pool[i + random.below(pool.size() - i)]);
    chosen.push_back(pool[i]);
  }
}

std::vector<std::uint64_t> draw_examples(const ClassPool& pool, std::int64_t c, std::size_t count,
                                         Random random, const std::vector<std::uint64_t>& taken) {
  const std::uint64_t room = pool.room(c);
  if (room < taken.size() + count)
    throw Error("class " + pool.describe(c) + " has " + std::to_string(room) +
                " distinct examples, but " + std::to_string(taken.size() + count) +
                " are requested; ask for fewer or raise 'least_examples'");
  std::unordered_set<std::uint64_t> seen(taken.begin(), taken.end());
  std::vector<std::uint64_t> drawn;
  while (drawn.size() < count) {
    const std::uint64_t example = random.below(room);
    if (seen.insert(example).second) drawn.push_back(example);
  }
  return drawn;
}

/// Draws the examples of all classes; `taken` are examples of the first classes that must not be
/// drawn again.
void add_examples(const ClassPool& pool, std::size_t count, std::uint64_t seed,
                  const std::vector<std::vector<std::uint64_t>>& taken, DrawnSet& set) {
  for (std::size_t k = 0; k < set.classes.size(); ++k)
    set.examples.push_back(
        draw_examples(pool, set.classes[k], count,
                      Random::stream(seed, static_cast<std::uint64_t>(set.classes[k])),
                      k < taken.size() ? taken[k] : std::vector<std::uint64_t>()));
}

}  // namespace

std::vector<std::int64_t> without(const std::vector<std::int64_t>& classes,
                                  const std::vector<std::int64_t>& others) {
  const std::unordered_set<std::int64_t> out(others.begin(), others.end());
  std::vector<std::int64_t> rest;
  for (const std::int64_t c : classes)
    if (!out.contains(c)) rest.push_back(c);
  return rest;
}

DrawnSet draw_set(const ClassPool& pool, const SetSize& size, std::uint64_t seed) {
  Random random(seed);
  const std::uint64_t example_seed = random.bits();
  DrawnSet set;
  add_classes(pool.classes, size.classes, random, set.classes);
  add_examples(pool, size.examples, example_seed, {}, set);
  return set;
}

DrawnSet draw_second_set(const ClassPool& pool, const SetSize& size, std::uint64_t seed,
                         const DrawnSet& first, bool interclass) {
  Random random(seed);
  const std::uint64_t example_seed = random.bits();
  DrawnSet set;
  if (!interclass)
    set.classes.assign(first.classes.begin(),
                       first.classes.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min(size.classes, first.classes.size())));
  add_classes(without(pool.classes, first.classes), size.classes - set.classes.size(), random,
              set.classes);
  const std::vector<std::vector<std::uint64_t>> none;
  add_examples(pool, size.examples, example_seed, interclass ? none : first.examples, set);
  return set;
}

DrawnTask draw_task(const ClassPool& pool, PairTask task, const SetSize& train, const SetSize& test,
                    std::uint64_t train_seed, std::uint64_t test_seed, bool test_first) {
  if (task == PairTask::pair)
    return {draw_set(pool, train, test_first ? test_seed : train_seed), {}};
  const bool interclass = task == PairTask::interclass;
  DrawnTask drawn;
  if (test_first) {
    drawn.test = draw_set(pool, test, test_seed);
    drawn.train = draw_second_set(pool, train, train_seed, drawn.test, interclass);
  } else {
    drawn.train = draw_set(pool, train, train_seed);
    drawn.test = draw_second_set(pool, test, test_seed, drawn.train, interclass);
  }
  return drawn;
}

PairTask pair_task_named(const std::string& name) {
  if (name == "pair") return PairTask::pair;
  return name == "interexample" ? PairTask::interexample : PairTask::interclass;
}

void TaskSource::check_parameters() const {
  if (task_ == "interexample" && test_classes_ > classes_)
    throw Error("'test_classes' (" + std::to_string(test_classes_) +
                ") must not exceed 'classes' (" + std::to_string(classes_) +
                "): the interexample task tests on training classes");
}

SetSize TaskSource::train_size() const {
  return {static_cast<std::size_t>(classes_), static_cast<std::size_t>(examples_per_class_)};
}

SetSize TaskSource::test_size() const {
  if (task_ == "pair") return {};
  return {static_cast<std::size_t>(test_classes_ ? test_classes_ : classes_),
          static_cast<std::size_t>(test_examples_per_class_ ? test_examples_per_class_
                                                            : examples_per_class_)};
}

DrawnTask TaskSource::draw_from(const ClassPool& pool, Context& context) const {
  Random random = context.random();
  const std::uint64_t train_seed = random.bits();
  // Far from the small seeds of users, so that no two sets share a stream.
  const std::uint64_t test_seed =
      test_seed_ ? Random(static_cast<std::uint64_t>(test_seed_)).bits() : random.bits();
  return draw_task(pool, pair_task_named(task_), train_size(), test_size(), train_seed, test_seed,
                   test_seed_ != 0);
}

}  // namespace semblance::sources
