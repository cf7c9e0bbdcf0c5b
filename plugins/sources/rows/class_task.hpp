// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/random.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {

/// The tasks for pairs (pairwise SVM, section 4).
enum class PairTask {
  pair,          ///< training examples alone
  interexample,  ///< tested on new examples of classes that are trained on
  interclass     ///< tested on classes that are not trained on
};

/// The number of classes of a set, and of examples per class.
struct SetSize {
  std::size_t classes = 0;
  std::size_t examples = 0;

  std::size_t rows() const noexcept { return classes * examples; }
};

/// The source of examples: numbered classes, each with a number of examples numbered from 0. The
/// caller omits classes that are too small.
struct ClassPool {
  std::vector<std::int64_t> classes;                  ///< the available classes
  std::function<std::uint64_t(std::int64_t)> room;    ///< number of a class's examples
  std::function<std::string(std::int64_t)> describe;  ///< a class's name, for messages
};

/// Classes and, for each, the numbers of its examples.
struct DrawnSet {
  std::vector<std::int64_t> classes;
  std::vector<std::vector<std::uint64_t>> examples;
};

struct DrawnTask {
  DrawnSet train;
  DrawnSet test;
};

/// A set of classes without repetition, all as likely, and for each class of distinct examples. A
/// larger set of the same seed contains the smaller one, in classes and in examples.
DrawnSet draw_set(const ClassPool& pool, const SetSize& size, std::uint64_t seed);

/// Draws the second set of a task, given the first. It shares no example with the first set. It
/// shares no class either (`interclass`), or has the first classes of the first set and, if these
/// are too few, others.
DrawnSet draw_second_set(const ClassPool& pool, const SetSize& size, std::uint64_t seed,
                         const DrawnSet& first, bool interclass);

/// Draws both sets. With `test_first` the test set does not depend on the size of the training set,
/// which avoids its examples; otherwise vice versa. Throws Error if the pool is too small.
DrawnTask draw_task(const ClassPool& pool, PairTask task, const SetSize& train, const SetSize& test,
                    std::uint64_t train_seed, std::uint64_t test_seed, bool test_first);

/// `classes` without those of `others`.
std::vector<std::int64_t> without(const std::vector<std::int64_t>& classes,
                                  const std::vector<std::int64_t>& others);

PairTask pair_task_named(const std::string& name);

/// The common base of sources that can draw a task, with its parameters.
class TaskSource : public Source {
 public:
  void check_parameters() const override;

 protected:
  TaskSource(std::string task, std::int64_t classes, std::int64_t examples, std::int64_t least)
      : task_(std::move(task)),
        least_examples_(least),
        classes_(classes),
        examples_per_class_(examples) {}

  /// How classes and examples are called, and where the parameters count: "in a drawn task, ".
  struct TaskWords {
    std::string where, classes, examples;
  };
  /// Adds the sizes and seeds of the task to the declaration of T.
  template <class T>
  static void declare_task(Declaration<T>& declaration, const TaskWords& words) {
    declaration
        .parameter("classes", &TaskSource::classes_,
                   words.where + "number of training " + words.classes, at_least(1), at_most(1e6))
        .parameter("examples_per_class", &TaskSource::examples_per_class_,
                   words.where + "training " + words.examples + " of each class (EPCR)",
                   at_least(1), at_most(1e6))
        .parameter("test_classes", &TaskSource::test_classes_,
                   words.where + "number of test " + words.classes + "; 0: as many as for training",
                   at_least(0), at_most(1e6))
        .parameter(
            "test_examples_per_class", &TaskSource::test_examples_per_class_,
            words.where + "test " + words.examples + " of each class; 0: as many as for training",
            at_least(0), at_most(1e6))
        .parameter("test_seed", &TaskSource::test_seed_,
                   words.where +
                       "seed of the test set, drawn before and independently of the training set; "
                       "0: drawn after it, from the pipeline's seed",
                   at_least(0))
        .parameter("least_examples", &TaskSource::least_examples_,
                   words.where + words.classes + " with fewer distinct " + words.examples +
                       " are not drawn",
                   at_least(0));
  }

  SetSize train_size() const;
  SetSize test_size() const;
  DrawnTask draw_from(const ClassPool& pool, Context& context) const;

  std::string task_;
  std::int64_t least_examples_;

 private:
  std::int64_t classes_;
  std::int64_t examples_per_class_;
  std::int64_t test_classes_ = 0;
  std::int64_t test_examples_per_class_ = 0;
  std::int64_t test_seed_ = 0;
};

}  // namespace semblance::sources
