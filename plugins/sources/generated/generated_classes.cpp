// SPDX-License-Identifier: MIT
#include "generated/generated_classes.hpp"

#include <algorithm>
#include <unordered_map>

#include "memory_dataset.hpp"

namespace semblance::sources {
namespace {

std::vector<std::int64_t> sorted(std::vector<std::int64_t> classes) {
  std::sort(classes.begin(), classes.end());
  return classes;
}

/// All classes of a task: the training classes in their order, then the remaining ones in theirs.
std::vector<std::int64_t> all_classes(const DrawnTask& task) {
  auto all = sorted(task.train.classes);
  const auto others = sorted(without(task.test.classes, all));
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

SetSize GeneratedClasses::train_size() const {
  return {static_cast<std::size_t>(classes_), static_cast<std::size_t>(examples_per_class_)};
}

SetSize GeneratedClasses::test_size() const {
  if (task_ == "pair") return {};
  return {static_cast<std::size_t>(test_classes_ ? test_classes_ : classes_),
          static_cast<std::size_t>(test_examples_per_class_ ? test_examples_per_class_
                                                            : examples_per_class_)};
}

void GeneratedClasses::check_parameters() const {
  if (task_ == "interexample" && test_classes_ > classes_)
    throw Error("'test_classes' (" + std::to_string(test_classes_) +
                ") must not exceed 'classes' (" + std::to_string(classes_) +
                "): the interexample task tests on training classes");
  const auto tested = static_cast<std::int64_t>(test_size().classes);
  const std::int64_t used = classes_ + (task_ == "interclass" ? tested : 0);
  if (used > class_count())
    throw Error(std::to_string(used) + " classes are requested, but there are only " +
                std::to_string(class_count()) + "; ask for fewer");
}

ClassPool GeneratedClasses::pool() const {
  const auto least = static_cast<std::uint64_t>(std::max(least_examples_, std::int64_t{1}));
  ClassPool pool;
  for (std::int64_t c = 0; c < class_count(); ++c)
    if (room(c) >= least) pool.classes.push_back(c);
  pool.room = [this](std::int64_t c) { return room(c); };
  pool.describe = [this](std::int64_t c) { return class_name(c); };
  return pool;
}

DrawnTask GeneratedClasses::draw(Context& context) const {
  Random random = context.random();
  const std::uint64_t train_seed = random.bits();
  // Far from the small seeds of users, so that no two sets share a stream.
  const std::uint64_t test_seed =
      test_seed_ ? Random(static_cast<std::uint64_t>(test_seed_)).bits() : random.bits();
  return draw_task(pool(), pair_task_named(task_), train_size(), test_size(), train_seed, test_seed,
                   test_seed_ != 0);
}

Outline GeneratedClasses::outline(Context& context) const {
  const SetSize train = train_size(), test = test_size();
  Outline outline{Layout::vector(dimension()),
                  train.classes * train.examples,
                  test.classes * test.examples,
                  {}};
  for (const std::int64_t c : all_classes(draw(context))) outline.classes.push_back(class_name(c));
  return outline;
}

std::unique_ptr<Dataset> GeneratedClasses::open(Context& context) const {
  const DrawnTask task = draw(context);
  const auto classes = all_classes(task);
  std::unordered_map<std::int64_t, std::int32_t> label;
  for (const std::int64_t c : classes) label.emplace(c, static_cast<std::int32_t>(label.size()));
  const std::size_t train_rows = train_size().classes * train_size().examples;
  const std::size_t rows = train_rows + test_size().classes * test_size().examples;
  const HeldRows held(wanted(), rows);
  std::vector<float> values(wanted().count(0, rows) * dimension());
  std::vector<std::int32_t> labels(rows);
  const auto fill_set = [&](const DrawnSet& set, std::size_t first) {
    const std::size_t count = set.classes.size();
    context.parallel_for(count, [&](std::size_t k) {
      context.check_stop();
      for (std::size_t e = 0; e < set.examples[k].size(); ++e) {
        const std::size_t row = first + e * count + k;
        labels[row] = label.at(set.classes[k]);
        if (!wanted().contains(static_cast<std::int64_t>(row))) continue;
        fill(set.classes[k], set.examples[k][e],
             std::span(values).subspan(held[row] * dimension(), dimension()));
      }
    });
  };
  fill_set(task.train, 0);
  fill_set(task.test, train_rows);
  std::vector<std::string> names;
  for (const std::int64_t c : classes) names.push_back(class_name(c));
  return make_dataset(Layout::vector(dimension()), std::move(names), std::move(values),
                      std::move(labels), Split{train_rows, rows - train_rows, {}}, {}, {}, held);
}

std::string GeneratedClasses::task_documentation() {
  return "Classes are drawn uniformly without replacement among those with at least "
         "`least_examples` distinct examples; the examples of each class are also drawn uniformly "
         "without replacement, and no test example is a training example. Classes alternate row by "
         "row. The same seed with more classes, or more examples of each, gives a "
         "superset.\n\nWith `test_seed: 0` the training set does not depend on what is requested "
         "for testing. With another `test_seed` the test set depends only on that number and its "
         "own size, so it is the same for training sets of any size, and the training set avoids "
         "it: its classes in the interclass task, its examples in the interexample task. In the "
         "pair task the one set is then drawn from `test_seed`: it is exactly the set that the "
         "other tasks test on with as many classes and examples.";
}

}  // namespace semblance::sources
