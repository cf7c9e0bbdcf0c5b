// SPDX-License-Identifier: MIT
// Bases and evaluators.
#include <pybind11/stl.h>

#include "kinds.hpp"
#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/label_evaluator.hpp"
#include "training.hpp"

namespace semblance::python {
namespace {

using Definition = std::shared_ptr<const PythonComponent::Definition>;

class PythonBasis final : public PythonPart<Basis> {
 public:
  using PythonPart::PythonPart;

  bool uses_rows() const override { return definition().uses_rows; }

  std::vector<std::int64_t> select(const TrainingSet& training, Context& context) override {
    return uses_rows() ? chosen(WholeRows(training.rows).view(), training, context)
                       : chosen({}, training, context);
  }

  std::size_t count(std::size_t training_rows, std::size_t classes) const override {
    std::size_t count = 0;
    in_python([&] { count = adapter().attr("count")(training_rows, classes).cast<std::size_t>(); });
    return count;
  }

 private:
  std::vector<std::int64_t> chosen(MatrixView rows, const TrainingSet& training,
                                   Context& context) const {
    std::vector<std::int64_t> indices;
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      if (uses_rows()) adapter().attr("bind")(to_python(training.layout));
      const pybind11::object samples = uses_rows() ? lent.rows(rows) : pybind11::none();
      indices = adapter()
                    .attr("select")(samples, lent.integers(training.labels),
                                    classes_of(training.classes), lent_context.object())
                    .cast<std::vector<std::int64_t>>();
    });
    return indices;
  }
};

class PythonEvaluator final : public PythonPart<Evaluator> {
 public:
  using PythonPart::PythonPart;

  void evaluate(const Scored& test, Report& report, Context& context) const override {
    check_labelled_scores(test);
    Figures found;
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      found = Figures(adapter()
                          .attr("evaluate")(lent.rows(test.scores), lent.integers(test.labels),
                                            classes_of(test.classes), lent_context.object())
                          .cast<pybind11::dict>());
    });
    found.tell(report);
  }
};

}  // namespace

std::unique_ptr<Component> make_basis(Definition definition) {
  return std::make_unique<PythonBasis>(std::move(definition));
}

std::unique_ptr<Component> make_evaluator(Definition definition) {
  return std::make_unique<PythonEvaluator>(std::move(definition));
}

}  // namespace semblance::python
