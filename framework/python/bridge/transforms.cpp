// SPDX-License-Identifier: MIT
// Features, normalizers and solvers: what makes a row of each sample.
#include <chrono>

#include "kinds.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/solver.hpp"
#include "training.hpp"

namespace semblance::python {
namespace {

namespace py = pybind11;
using Definition = std::shared_ptr<const PythonComponent::Definition>;

template <class Interface>
class PythonTransform : public PythonPart<Interface> {
 public:
  using PythonPart<Interface>::PythonPart;

  Layout bind(const Layout& input) override { return this->bind_adapter(input); }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    if (out.rows == 0) return;
    this->call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      this->adapter().attr("apply")(lent.rows(in), lent.room(out), lent_context.object());
    });
  }

  void save(StateWriter& state) const override {
    if (this->definition().learns) this->save_state(state);
  }
  void load(const StateReader& state, Context&) override {
    if (this->definition().learns) this->load_state(state);
  }
};

using PythonFeature = PythonTransform<Feature>;

class PythonNormalizer final : public PythonTransform<Normalizer> {
 public:
  using PythonTransform::PythonTransform;

  void fit(const TrainingSet& training, Context& context) override {
    if (!definition().learns) return;
    const WholeRows rows(training.rows);
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      adapter().attr("fit")(lent.rows(rows.view()), lent.integers(training.labels),
                            classes_of(training.classes), lent_context.object());
    });
  }
};

class PythonSolver final : public PythonTransform<Solver> {
 public:
  using PythonTransform::PythonTransform;

  void train(const TrainingSet& training, Report& report, Context& context) override {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const WholeRows rows(training.rows);
    Figures found;
    const bool stop_seen = call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      found = Figures(adapter()
                          .attr("fit")(lent.rows(rows.view()), lent.integers(training.labels),
                                       classes_of(training.classes), lent_context.object())
                          .cast<py::dict>());
    });
    found.tell(report);
    if (!found.has_text("certificate"))
      report.text("certificate",
                  name(stop_seen ? stop_certificate(context) : Certificate::passes_made));
    report.number("train_seconds", std::chrono::duration<double>(Clock::now() - start).count());
  }
};

}  // namespace

std::unique_ptr<Component> make_feature(Definition definition) {
  return std::make_unique<PythonFeature>(std::move(definition));
}

std::unique_ptr<Component> make_normalizer(Definition definition) {
  return std::make_unique<PythonNormalizer>(std::move(definition));
}

std::unique_ptr<Component> make_solver(Definition definition) {
  return std::make_unique<PythonSolver>(std::move(definition));
}

}  // namespace semblance::python
