// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "class_task.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {

/// The common base of generated tasks with many classes (pairwise SVM, sections 6.1 and 6.2): a
/// number of classes with a constant number of examples each, and a test set determined by the
/// task. A class's examples are numbered, and all examples of a set are distinct.
class GeneratedClasses : public Source {
 public:
  bool selects_rows() const override { return true; }
  void check_parameters() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;

 protected:
  explicit GeneratedClasses(std::int64_t examples) : examples_per_class_(examples) {}

  virtual std::size_t dimension() const = 0;
  virtual std::int64_t class_count() const = 0;
  /// The number of distinct examples of a class.
  virtual std::uint64_t room(std::int64_t c) const = 0;
  virtual std::string class_name(std::int64_t c) const = 0;
  virtual void fill(std::int64_t c, std::uint64_t example, std::span<float> out) const = 0;

  /// Adds the parameters of this class to the declaration of T.
  template <class T>
  static void declare_task(Declaration<T>& declaration) {
    declaration
        .parameter("classes", &GeneratedClasses::classes_, "number of training classes",
                   at_least(1), at_most(1e6))
        .parameter("examples_per_class", &GeneratedClasses::examples_per_class_,
                   "training examples of each class (EPCR)", at_least(1), at_most(1e6))
        .parameter("task", &GeneratedClasses::task_,
                   "pair: no test rows; interexample: new examples of the same classes; "
                   "interclass: examples of other classes",
                   choices({"pair", "interexample", "interclass"}))
        .parameter("test_classes", &GeneratedClasses::test_classes_,
                   "number of test classes; 0: as many as training classes", at_least(0),
                   at_most(1e6))
        .parameter("test_examples_per_class", &GeneratedClasses::test_examples_per_class_,
                   "test examples of each class; 0: as many as training examples", at_least(0),
                   at_most(1e6))
        .parameter("test_seed", &GeneratedClasses::test_seed_,
                   "seed of the test set, drawn before and independently of the training set; 0: "
                   "drawn after it, from the pipeline's seed",
                   at_least(0))
        .parameter("least_examples", &GeneratedClasses::least_examples_,
                   "classes with fewer distinct examples are not drawn", at_least(0))
        .gives(LayoutKind::vector)
        .random();
  }
  /// The meaning of these parameters, for the documentation.
  static std::string task_documentation();

 private:
  ClassPool pool() const;
  DrawnTask draw(Context& context) const;
  SetSize train_size() const;
  SetSize test_size() const;

  std::int64_t classes_ = 50;
  std::int64_t examples_per_class_;
  std::string task_ = "pair";
  std::int64_t test_classes_ = 0;
  std::int64_t test_examples_per_class_ = 0;
  std::int64_t test_seed_ = 0;
  std::int64_t least_examples_ = 100;
};

}  // namespace semblance::sources
