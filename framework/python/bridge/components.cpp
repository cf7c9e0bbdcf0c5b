// SPDX-License-Identifier: MIT
// The components that call Python, one class per kind.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "python_component.hpp"
#include "report/metrics.hpp"
#include "semblance/basis.hpp"
#include "semblance/basis_checks.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/label_evaluator.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/samples.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"

namespace semblance::python {

namespace {

namespace py = pybind11;

/// All training rows in one view. Made without the interpreter's lock: rows may be computed now, by
/// components that are written in Python as well.
class WholeRows {
 public:
  explicit WholeRows(const Rows& rows) : rows_(rows), view_(rows.view(0, rows.rows())) {}
  ~WholeRows() { rows_.release(0, rows_.rows()); }
  WholeRows(const WholeRows&) = delete;
  WholeRows& operator=(const WholeRows&) = delete;
  MatrixView view() const noexcept { return view_; }

 private:
  const Rows& rows_;
  MatrixView view_;
};

/// The names of the classes, as a tuple; under the lock.
py::tuple classes_of(std::span<const std::string> names) {
  py::tuple classes(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) classes[i] = py::str(names[i]);
  return classes;
}

/// What a solver or an evaluator has returned, as figures() of semblance/_bridge/drawings.py says
/// it in the form of a stored report.
nlohmann::ordered_json reported(const py::object& said) {
  return nlohmann::ordered_json::parse(said.cast<std::string>());
}

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

  void evaluate(const Results& test, Report& report, Context& context) const override {
    check_labelled_scores(test);
    nlohmann::ordered_json found;
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      found =
          reported(adapter().attr("evaluate")(lent.rows(test.outputs), lent.integers(test.labels),
                                              classes_of(test.classes), lent_context.object()));
    });
    replay(found, report);
  }
};

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
    nlohmann::ordered_json found;
    const bool stop_seen = call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      found = reported(adapter().attr("fit")(lent.rows(rows.view()), lent.integers(training.labels),
                                             classes_of(training.classes), lent_context.object()));
    });
    replay(found, report);
    if (!found["metrics"]["certificate"].is_string())
      report.text("certificate",
                  name(stop_seen ? stop_certificate(context) : Certificate::passes_made));
    report.number("train_seconds", std::chrono::duration<double>(Clock::now() - start).count());
  }
};

class PythonSimilarity final : public PythonPart<Similarity> {
 public:
  using PythonPart::PythonPart;

  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override {
    basis_checks::check_not_empty(bases);
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      adapter().attr("set_bases")(lent.rows(bases), lent.integers(indices), lent_context.object());
    });
    bases_ = bases.rows;
  }

  std::size_t bases() const noexcept override { return bases_; }
  double operations() const noexcept override { return 3.0 * static_cast<double>(values_); }
  bool positive_semidefinite() const noexcept override {
    return definition().positive_semidefinite;
  }
  bool learns_from_bases() const noexcept override { return !definition().exact; }

  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_range(in, 0, out, context);
  }

  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const override {
    basis_checks::check_range(bases_, first, out);
    call(context, [&](LentArrays& lent, const LentContext& lent_context) {
      adapter().attr("apply_range")(lent.rows(in), first, lent.room(out), lent_context.object());
    });
  }

  Abilities abilities() const noexcept override { return {.compares_with_itself = true}; }
  void compare_with_itself(MatrixView rows, float* values) const override {
    call_without_context([&](LentArrays& lent) {
      adapter().attr("compare_with_itself")(lent.rows(rows), lent.room({values, rows.rows, 1, 1}));
    });
  }

  void save(StateWriter& state) const override { save_state(state); }
  void load(const StateReader& state, Context&) override {
    load_state(state);
    in_python([&] { bases_ = adapter().attr("count").cast<std::size_t>(); });
  }

 private:
  void prepare(const Layout& input) override {
    basis_checks::check_has_values(input);
    if (input.kind == LayoutKind::sparse)
      throw Error("the samples, each a " + describe(input) +
                  ", cannot be handed to Python; put feature/dense before it");
    bind_adapter(input);
    values_ = input.size();
  }

  std::size_t bases_ = 0;
  std::size_t values_ = 0;
};

template <class Interface, class Part>
constexpr PythonKind kind_of = {
    &Interface::kind_info,
    [](std::shared_ptr<const PythonComponent::Definition> definition)
        -> std::unique_ptr<Component> { return std::make_unique<Part>(std::move(definition)); }};

}  // namespace

const PythonKind* python_kind(std::string_view name) {
  static const std::pair<std::string_view, PythonKind> kinds[] = {
      {"basis", kind_of<Basis, PythonBasis>},
      {"evaluator", kind_of<Evaluator, PythonEvaluator>},
      {"feature", kind_of<Feature, PythonFeature>},
      {"normalizer", kind_of<Normalizer, PythonNormalizer>},
      {"similarity", kind_of<Similarity, PythonSimilarity>},
      {"solver", kind_of<Solver, PythonSolver>},
  };
  for (const auto& [known, kind] : kinds)
    if (known == name) return &kind;
  return nullptr;
}

}  // namespace semblance::python
