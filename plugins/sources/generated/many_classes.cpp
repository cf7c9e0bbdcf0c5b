// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "rows/class_task.hpp"
#include "rows/row_dataset.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {
namespace {

/// All classes of a task: the training classes in their order, then the remaining ones in theirs.
std::vector<std::int64_t> all_classes(const DrawnTask& task) {
  std::vector<std::int64_t> all = task.train.classes;
  std::ranges::sort(all);
  std::vector<std::int64_t> others = without(task.test.classes, all);
  std::ranges::sort(others);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// The common base of generated tasks with many classes (pairwise SVM, sections 6.1 and 6.2): a
/// number of classes with a constant number of examples each, and a test set determined by the
/// task. A class's examples are numbered, and all examples of a set are distinct.
class ManyClasses : public TaskSource {
 public:
  bool selects_rows() const override { return true; }

  void check_parameters() const override {
    TaskSource::check_parameters();
    const auto tested = static_cast<std::int64_t>(test_size().classes);
    const auto used =
        static_cast<std::int64_t>(train_size().classes) + (task_ == "interclass" ? tested : 0);
    if (used > class_count())
      throw Error(std::to_string(used) + " classes are requested, but there are only " +
                  std::to_string(class_count()) + "; ask for fewer");
  }

  Outline outline(Context& context) const override {
    Outline outline{Layout::vector(dimension()), train_size().rows(), test_size().rows(), {}};
    for (const std::int64_t c : all_classes(draw(context)))
      outline.classes.push_back(class_name(c));
    return outline;
  }

  std::unique_ptr<Dataset> open(Context& context) const override {
    const DrawnTask task = draw(context);
    const auto classes = all_classes(task);
    std::unordered_map<std::int64_t, std::int32_t> label;
    for (const std::int64_t c : classes) label.emplace(c, static_cast<std::int32_t>(label.size()));
    const std::size_t train_rows = train_size().rows(), rows = train_rows + test_size().rows();
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
    return make_dataset(Layout::vector(dimension()), std::move(names), {std::move(labels)},
                        Split{train_rows, rows - train_rows, {}},
                        packed(std::move(values), dimension(), held));
  }

 protected:
  explicit ManyClasses(std::int64_t examples) : TaskSource("pair", 50, examples, 100) {}

  virtual std::size_t dimension() const = 0;
  virtual std::int64_t class_count() const = 0;
  /// The number of distinct examples of a class.
  virtual std::uint64_t room(std::int64_t c) const = 0;
  virtual std::string class_name(std::int64_t c) const = 0;
  virtual void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const = 0;

  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static void declare_classes(Declaration<T>& declaration) {
    declaration.parameter("task", &ManyClasses::task_,
                          "pair: no test rows; interexample: new examples of the same classes; "
                          "interclass: examples of other classes",
                          choices({"pair", "interexample", "interclass"}));
    declare_task(declaration, {"", "classes", "examples"});
    declaration.gives(LayoutKind::vector).random();
  }

  /// The meaning of these parameters, for the documentation.
  static std::string task_documentation() {
    return "Classes are drawn uniformly without replacement among those with at least "
           "`least_examples` distinct examples; the examples of each class are also drawn "
           "uniformly without replacement, and no test example is a training example. Classes "
           "alternate row by row. The same seed with more classes, or more examples of each, gives "
           "a superset.\n\nWith `test_seed: 0` the training set does not depend on what is "
           "requested for testing. With another `test_seed` the test set depends only on that "
           "number and its own size, so it is the same for training sets of any size, and the "
           "training set avoids it: its classes in the interclass task, its examples in the "
           "interexample task. In the pair task the one set is then drawn from `test_seed`: it is "
           "exactly the set that the other tasks test on with as many classes and examples.";
  }

 private:
  DrawnTask draw(Context& context) const {
    const auto least = static_cast<std::uint64_t>(std::max(least_examples_, std::int64_t{1}));
    ClassPool pool;
    for (std::int64_t c = 0; c < class_count(); ++c)
      if (room(c) >= least) pool.classes.push_back(c);
    pool.room = [this](std::int64_t c) { return room(c); };
    pool.describe = [this](std::int64_t c) { return class_name(c); };
    return draw_from(pool, context);
  }
};

/// Points on a checkerboard, each square of which is a separate class.
class Checkerboard final : public ManyClasses {
 public:
  Checkerboard() : ManyClasses(5) {}

  static Declaration<Checkerboard> declare() {
    Declaration<Checkerboard> declaration(
        "source/checkerboard", "Generated points on a checkerboard, one class per square");
    declaration.parameter("side", &Checkerboard::side_,
                          "m, the number of squares along each side of the board", at_least(2),
                          at_most(1000));
    declare_classes(declaration);
    return declaration
        .documentation(
            "Points are uniform in [0, m) x [0, m), on a grid that float32 represents exactly. The "
            "class of (x1, x2) is floor(x1) m + floor(x2), named (floor(x1),floor(x2)): m^2 "
            "classes.\n\n" +
            task_documentation())
        .reference("pairwise SVM, section 6.1")
        .complexity("memory: 12 bytes per row")
        .example(R"(
        points: {is: source/checkerboard, task: interclass, classes: 50, examples_per_class: 5}
        pairs:  {is: pairs/all, from: points}
        svm:    {is: solver/pairwise_svm, kernel: {is: pair_kernel/metric_learning}, from: points, pairs: pairs}
        test:   {is: evaluator/verification, from: svm})");
  }

 private:
  std::size_t dimension() const override { return 2; }
  std::int64_t class_count() const override { return side_ * side_; }

  std::uint64_t room(std::int64_t) const override {
    return std::uint64_t{1} << (2 * fraction_bits());
  }

  std::string class_name(std::int64_t c) const override {
    return "(" + std::to_string(c / side_) + "," + std::to_string(c % side_) + ")";
  }

  void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const override {
    const int bits = fraction_bits();
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    out[0] = static_cast<float>(double(c / side_) + std::ldexp(double(example >> bits), -bits));
    out[1] = static_cast<float>(double(c % side_) + std::ldexp(double(example & mask), -bits));
  }

  /// Fraction bits of a coordinate, few enough to be exact in float32.
  int fraction_bits() const { return 24 - std::bit_width(static_cast<std::uint64_t>(side_ - 1)); }

  std::int64_t side_ = 25;
};

/// First positions of the two intervals, from 1: 2 <= i, i + 2 <= k <= n.
struct Starts {
  std::int64_t i = 0;
  std::int64_t k = 0;
};

/// Classes are numbered by i, then by k: n - 3 of them have i = 2, n - 4 have i = 3, ...
std::int64_t classes_before(std::int64_t i, std::int64_t n) {
  const std::int64_t a = i - 2;
  return a * (n - 3) - a * (a - 1) / 2;
}

Starts starts(std::int64_t c, std::int64_t n) {
  // The root of classes_before(i) = c, then corrected for rounding.
  const double b = double(2 * n - 5);
  auto i =
      2 + static_cast<std::int64_t>((b - std::sqrt(std::max(0.0, b * b - 8.0 * double(c)))) / 2);
  while (classes_before(i, n) > c) --i;
  while (classes_before(i + 1, n) <= c) ++i;
  return {i, i + 2 + (c - classes_before(i, n))};
}

/// Vectors of -1 with two intervals of 1, whose starts determine the class.
class DoubleInterval final : public ManyClasses {
 public:
  DoubleInterval() : ManyClasses(15) {}

  static Declaration<DoubleInterval> declare() {
    Declaration<DoubleInterval> declaration(
        "source/double_interval", "Generated vectors of -1 and 1 with two intervals of 1s");
    declaration.parameter("dimension", &DoubleInterval::dimension_, "dimension n of the vectors",
                          at_least(4), at_most(4000));
    declare_classes(declaration);
    return declaration
        .documentation(
            "An example has the value 1 at the positions i to j and k to l, where 2 <= i <= j, j + "
            "2 <= k <= l <= n, and -1 elsewhere. Its class is (i,k): (n - 3)(n - 2) / 2 classes. "
            "Class (i,k) has (k - 1 - i)(n - k + 1) distinct examples, few where k is close to i "
            "or n.\n\n" +
            task_documentation())
        .reference("pairwise SVM, section 6.2")
        .complexity("memory: 4 n bytes per row")
        .example(R"(
        vectors: {is: source/double_interval, dimension: 100, task: interclass, classes: 30, examples_per_class: 5}
        x:       {is: normalizer/unit_length, from: vectors}
        pairs:   {is: pairs/all, from: vectors}
        svm:     {is: solver/pairwise_svm, kernel: {is: pair_kernel/tensor_learning}, from: x, pairs: pairs}
        test:    {is: evaluator/verification, from: svm})");
  }

 private:
  std::size_t dimension() const override { return static_cast<std::size_t>(dimension_); }
  std::int64_t class_count() const override { return (dimension_ - 3) * (dimension_ - 2) / 2; }

  std::uint64_t room(std::int64_t c) const override {
    const Starts s = starts(c, dimension_);
    return static_cast<std::uint64_t>((s.k - 1 - s.i) * (dimension_ - s.k + 1));
  }

  std::string class_name(std::int64_t c) const override {
    const Starts s = starts(c, dimension_);
    return "(" + std::to_string(s.i) + "," + std::to_string(s.k) + ")";
  }

  void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const override {
    const Starts s = starts(c, dimension_);
    const auto ends = static_cast<std::int64_t>(example);
    const std::int64_t j = s.i + ends % (s.k - 1 - s.i), l = s.k + ends / (s.k - 1 - s.i);
    std::fill(out.begin(), out.end(), -1.0f);
    std::fill(out.begin() + s.i - 1, out.begin() + j, 1.0f);
    std::fill(out.begin() + s.k - 1, out.begin() + l, 1.0f);
  }

  std::int64_t dimension_ = 500;
};

}  // namespace

ComponentEntry declare_checkerboard() { return Checkerboard::declare().entry(); }
ComponentEntry declare_double_interval() { return DoubleInterval::declare().entry(); }

}  // namespace semblance::sources
