// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel_matrix.hpp"
#include "penalty_choice.hpp"
#include "prefixed_state.hpp"
#include "ridge/ridge_machine.hpp"
#include "ridge/ridge_problem.hpp"
#include "semblance/declaration.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/plain_similarity.hpp"
#include "semblance/regressor.hpp"
#include "semblance_numerics/spectrum_repair.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::kernel {
namespace {

/// A fit is called optimal if its gradient_norm is at most this.
constexpr double ridge_tolerance = 1e-9;
/// The largest difference between the two sides of the optimality conditions, by the kernel's
/// definition, as a share of the targets' deviation.
constexpr double largest_ridge_violation = 0.1;
constexpr std::string_view ridge_kernel_prefix = "kernel_";

/// `solver/kernel_ridge`: least squares in the space of a kernel.
class KernelRidge final : public Regressor, public Exportable {
 public:
  static Declaration<KernelRidge> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  bool knows_spectrum() const { return kernel_->positive_semidefinite() && repair_ != "square"; }
  void check_memory(const SortedSamples& samples, const Context& context) const;
  RidgeMachine take_machine(const KernelRidgeFit& fit, const KernelRidgeProblem& problem,
                            const SortedSamples& samples, const RepairRecord& repair,
                            Context& context);
  void check_fit(const KernelRidgeFit& fit, const SortedSamples& samples, bool repaired,
                 const TrainingSet& training, Report& report, Context& context) const;

  void report_fit(const KernelRidgeFit& fit, const RepairRecord& repair, bool stopped,
                  Report& report, const Context& context) const;

  std::unique_ptr<Similarity> kernel_;
  double penalty_ = 1;
  std::vector<double> penalties_;
  bool intercept_ = true;
  std::string repair_ = "refuse";
  double negative_weight_ = 1;

  Layout layout_;
  RidgeMachine machine_;
};

Declaration<KernelRidge> KernelRidge::declare() {
  return Declaration<KernelRidge>("solver/kernel_ridge",
                                  "Kernel ridge regression on any similarity, with exact "
                                  "leave-one-out errors")
      .documentation(
          "Minimizes sum_i w_i (y_i - f(x_i) - b)^2 + penalty |f|^2 over the functions f of the "
          "kernel's space, for each target: f(x) = sum_i a_i k(x_i, x) with (K + penalty I) a + b "
          "= "
          "y and sum a = 0. The intercept b is not penalized, so that it makes no difference where "
          "the targets' zero is; `intercept: false` omits it, which is scikit-learn's KernelRidge "
          "with alpha = penalty. The mean of a Gaussian process with this kernel and the noise "
          "variance `penalty` is the same function. All targets share one factor.\n"
          "\n"
          "The error of each training sample under the fit to all other samples follows from its "
          "coefficient and the diagonal of the inverse: `leave_one_out_rmse` is exact, not an "
          "estimate from folds. With `penalties` the one with the smallest mean squared "
          "leave-one-out error is chosen; for several targets, with the smallest mean of these "
          "errors over the variances of the targets. Ties go to the larger penalty. What the "
          "kernel learns from its bases (a width) and the repair of its matrix are those of all "
          "training samples. Each penalty takes a Cholesky factor: on all threads, up to about ten "
          "of them take less time than one eigendecomposition.\n"
          "\n"
          "The matrix of all training samples is computed in float32 and centred in double. If the "
          "kernel is not positive semi-definite by construction, it is replaced by its symmetric "
          "part, and its spectrum is checked or repaired as that of solver/kernel_svm: `repair` "
          "and `negative_weight` mean the same, and `krein` with negative_weight 1 is least "
          "squares "
          "in a Krein space. The solution is refined until its gradient no longer falls. Then the "
          "fit of a random sample of training samples is computed by the kernel's definition in "
          "double: `check_error` is the largest difference between kernel values, as a share of "
          "the largest; `check_violation` that between y - f - b and penalty a / w, as a share of "
          "the targets' standard deviation. More than 0.001 and 0.1 are errors: a penalty far "
          "below "
          "the rounding of similarities asks for more digits than float32 has.\n"
          "\n"
          "A sample of weight 0 is ignored, except for what the kernel learns from its bases and "
          "for the repair. Columns far from 0 with similarity/linear: use solver/ridge, which is "
          "the same machine and centres them in double. The result does not depend on the number "
          "of threads.")
      .reference(
          "Saunders, Gammerman, Vovk 1998; Rasmussen and Williams: Gaussian Processes for Machine "
          "Learning, eq. (2.25) and (5.12); Suykens and Vandewalle 1999 (with the intercept); "
          "Oglic and Gärtner 2018 (Krein spaces)")
      .complexity(
          "n rows: n^2 / 2 kernel values, 4 n^2 bytes; per penalty 2/3 n^3 operations and 8 n^2 "
          "bytes. With a repair about 10 n^3 operations and 40 n^2 bytes. An estimate takes n "
          "kernel values")
      .accepts({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sequence,
                LayoutKind::string, LayoutKind::set, LayoutKind::sparse})
      .takes_weights()
      .parameter("kernel", &KernelRidge::kernel_, "the similarity measure",
                 default_component("similarity/rbf"))
      .parameter("penalty", &KernelRidge::penalty_,
                 "weight of |f|^2 against the squared errors, which scikit-learn calls alpha",
                 above(0))
      .parameter("penalties", &KernelRidge::penalties_,
                 "candidates, instead of `penalty`: the one with the smallest leave-one-out error "
                 "is used",
                 above(0))
      .parameter("intercept", &KernelRidge::intercept_,
                 "add a constant that is not penalized; without it, estimates shrink towards 0")
      .parameter("repair", &KernelRidge::repair_, "what to do about an indefinite kernel",
                 choices({"refuse", "clip", "flip", "shift", "square", "krein"}))
      .parameter("negative_weight", &KernelRidge::negative_weight_,
                 "for the repair krein: weight m of |f-|^2 beside |f+|^2", above(0))
      .reports(common::solver_figures({"objective", "gradient_norm", "squared_norm", "check_error",
                                       "check_violation", "parameters", "train_seconds"}))
      .reports(common::penalty_figures())
      .reports({"bases", "number of training rows that samples are compared with",
                FigureUnit::count, Better::none})
      .reports(
          {"negative_eigenvalues", "of the kernel's matrix before its repair", FigureUnit::count})
      .example(R"(
        table: {is: source/csv, path: houses.csv, target: price}
        x:     {is: normalizer/zscore, from: table}
        fit:   {is: solver/kernel_ridge, penalties: [0.01, 0.1, 1, 10], from: x}
        test:  {is: evaluator/regression, from: fit})");
}

void KernelRidge::check_parameters() const {
  common::check_penalties(penalties_);
  if (negative_weight_ != 1 && repair_ != "krein")
    throw Error(
        "negative_weight is used by repair: krein only; set that, or remove negative_weight");
}

Layout KernelRidge::bind(const Layout& input) {
  layout_ = input;
  if (input.size() == 0) throw Error("samples without values cannot be used for regression");
  kernel_->bind(input);
  return Layout::vector(machine_.targets());
}

void KernelRidge::check_memory(const SortedSamples& samples, const Context& context) const {
  const std::size_t n = samples.order.size(), bytes = samples.bytes_with_bases();
  if (!knows_spectrum()) check_matrix_memory(numerics::spectrum_repair(repair_), n, bytes, context);
  const std::size_t wanted = bytes + n * n * (sizeof(float) + sizeof(double));
  if (wanted <= context.memory_budget()) return;
  const auto mebibytes = [](std::size_t size) {
    return std::to_string((size + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
  };
  throw MemoryError("for n = " + std::to_string(n) +
                    " training rows the kernel's matrix takes 4 n^2 bytes and its factor 8 n^2, "
                    "with the samples " +
                    mebibytes(wanted) + ", but " + mebibytes(context.memory_budget()) +
                    " are allowed; train on fewer rows, raise --memory, or use solver/ridge on the "
                    "similarities to a part of the rows (basis/random)");
}

/// The samples in their order.
TrainingSet as_one_class(const TrainingSet& training, std::span<const std::int32_t> labels,
                         std::span<const std::string> classes) {
  TrainingSet all = training;
  all.labels = labels;
  all.classes = classes;
  return all;
}

void KernelRidge::train(const TrainingSet& training, Report& report, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(training);
  common::check_finite(training.rows, context);
  layout_ = training.layout;
  kernel_->bind(training.layout);
  const std::vector<std::int32_t> labels(training.rows.rows());
  const std::vector<std::string> classes(1);
  const SortedSamples samples(as_one_class(training, labels, classes), context);
  check_memory(samples, context);
  samples.set_bases(*kernel_, context);
  FloatMatrix matrix = symmetric_part(*kernel_, samples, context);
  RepairRecord repair;
  if (!knows_spectrum())
    repair =
        make_semidefinite(numerics::spectrum_repair(repair_), negative_weight_, matrix, context);
  const KernelRidgeProblem problem(std::as_const(matrix).view(), training.targets,
                                   training.target_names.size(), training.weights, intercept_,
                                   context);
  const std::vector<double> penalties = penalties_.empty() ? std::vector{penalty_} : penalties_;
  common::PenaltyChoice<KernelRidgeFit> choice(training, problem.used(),
                                               problem.constant_fit(penalties.front()));
  bool stopped = false;
  try {
    choice.choose(penalties, context,
                  [&](double penalty) { return problem.fit(penalty, context); });
  } catch (const Cancelled&) {
    stopped = true;
  }
  const KernelRidgeFit& fit = choice.best();
  if (!stopped) check_fit(fit, samples, repair.spectrum.has_value(), training, report, context);
  machine_ = take_machine(fit, problem, samples, repair, context);
  report_fit(fit, repair, stopped, report, context);
  choice.report(report, context);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
}

void KernelRidge::report_fit(const KernelRidgeFit& fit, const RepairRecord& repair, bool stopped,
                             Report& report, const Context& context) const {
  const bool optimal = fit.gradient_norm <= ridge_tolerance;
  report.text("certificate", name(stopped   ? stop_certificate(context)
                                  : optimal ? Certificate::converged
                                            : Certificate::iteration_limit));
  report.number("objective", fit.objective);
  report.number("gradient_norm", fit.gradient_norm);
  report.number("squared_norm", fit.squared_norm);
  report.integer("bases", static_cast<std::int64_t>(machine_.bases()));
  report.integer("parameters",
                 static_cast<std::int64_t>(machine_.bases() * layout_.size() +
                                           (machine_.bases() + 1) * machine_.targets()));
  if (repair.spectrum)
    report.integer("negative_eigenvalues",
                   static_cast<std::int64_t>(repair.spectrum->negative(repair.tolerance)));
}

/// Makes the samples with coefficients the bases of the kernel.
RidgeMachine KernelRidge::take_machine(const KernelRidgeFit& fit, const KernelRidgeProblem& problem,
                                       const SortedSamples& samples, const RepairRecord& repair,
                                       Context& context) {
  const std::size_t n = problem.rows(), m = fit.coefficients.count();
  std::vector<std::size_t> places = problem.used();
  std::vector<std::vector<double>> coefficients;
  for (std::size_t k = 0; k < m; ++k) {
    const double* a = fit.coefficients.row(k);
    coefficients.emplace_back(a, a + n);
    if (repair.spectrum)
      numerics::repair_coefficients(repair.how, *repair.spectrum, coefficients.back(),
                                    repair.negative_weight);
  }
  // The kernel would learn another width from some of the samples, and a repair mixes all.
  if (kernel_->learns_from_bases() || repair.spectrum) {
    places.resize(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = i;
  }
  Vectors<double> chosen(m, places.size());
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t j = 0; j < places.size(); ++j) chosen.row(k)[j] = coefficients[k][places[j]];
  if (places.size() < n) samples.set_bases(*kernel_, places, context);
  return {std::move(chosen), fit.intercepts};
}

/// Compares the kernel's values, and the fit of a few samples, with their definition.
void KernelRidge::check_fit(const KernelRidgeFit& fit, const SortedSamples& samples, bool repaired,
                            const TrainingSet& training, Report& report, Context& context) const {
  const auto* plain = dynamic_cast<const PlainSimilarity*>(kernel_.get());
  if (!plain) return;
  std::vector<std::size_t> all(samples.order.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const FloatMatrix bases = samples.values_at(all, context);
  const std::vector<std::size_t> places = checked_rows(all.size());
  const FloatMatrix checked = samples.values_at(places, context);
  if (const auto error = check_similarity(*kernel_, bases.view(), checked.view(), context,
                                          "the kernel's values for a sample of training rows"))
    report.number("check_error", *error);
  if (repaired || !kernel_->positive_semidefinite()) return;
  const double violation =
      ridge_violation(fit, training, places, [&](std::size_t i, std::span<double> values) {
        plain->compare_plainly(bases.view(), checked.view().rows_range(i, 1), values.data());
      });
  report.number("check_violation", violation);
  if (violation > largest_ridge_violation)
    throw Error("the rounding of similarities to float32 changes the fit of a training sample by " +
                to_text(Value(std::round(1000 * violation) / 10)) +
                " % of the targets' standard deviation: the penalty is too small for similarities "
                "that differ so little; raise it, or scale the samples so that they differ more");
}

void KernelRidge::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  common::check_estimates(out, machine_.targets());
  if (in.cols != layout_.size())
    throw Error("rows of " + std::to_string(in.cols) + " values do not match a model for " +
                std::to_string(layout_.size()));
  // Enough rows for the speed of a matrix product, and at most four million kernel values.
  constexpr std::size_t most_values = std::size_t{4} << 20, rows_at_once = 240;
  const std::size_t step = std::clamp(most_values / machine_.bases(), std::size_t{1}, rows_at_once);
  FloatMatrix kernel(std::min(step, in.rows), machine_.bases());
  for (std::size_t first = 0; first < in.rows; first += step) {
    context.check_stop();
    const std::size_t count = std::min(step, in.rows - first);
    const MutableMatrixView block = kernel.view().rows_range(0, count);
    kernel_->apply(in.rows_range(first, count), block, context);
    machine_.estimate(block, out.rows_range(first, count));
  }
}

void KernelRidge::save(StateWriter& state) const {
  if (machine_.targets() == 0) throw Error("the solver has not been trained");
  machine_.save(state);
  common::PrefixedWriter prefixed(state, ridge_kernel_prefix);
  kernel_->save(prefixed);
}

void KernelRidge::load(const StateReader& state, Context& context) {
  RidgeMachine machine(state);
  kernel_->load(common::PrefixedReader(state, ridge_kernel_prefix), context);
  if (kernel_->bases() != machine.bases())
    throw Error("the saved kernel regression has " + std::to_string(machine.bases()) +
                " coefficients per target, but its kernel has " + std::to_string(kernel_->bases()) +
                " bases; train it again");
  machine_ = std::move(machine);
}

Formula::Value KernelRidge::write(Formula& formula, Formula::Value in) const {
  if (machine_.targets() == 0) throw Error("the solver has not been trained");
  return machine_.write(formula, write_part(*kernel_, "its kernel", formula, in));
}

}  // namespace

ComponentEntry declare_kernel_ridge() { return KernelRidge::declare().entry(); }

}  // namespace semblance::kernel
