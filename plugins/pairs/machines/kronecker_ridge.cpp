// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "convergence_report.hpp"
#include "machines/grid_ridge.hpp"
#include "machines/kronecker_machine.hpp"
#include "newton/conjugate_gradients.hpp"
#include "semblance/left_out_scores.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/regressor.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"
#include "tuning/penalty_choice.hpp"

namespace semblance::pairs {
namespace {

/// `solver/kronecker_ridge`: kernel ridge regression on pairs, without the matrix of pairs.
class KroneckerRidge final : public Regressor,
                             public LeftOutScores,
                             public KroneckerMachine,
                             public common::PenaltyParameters {
 public:
  static Declaration<KroneckerRidge> declare();

  void check_parameters() const override { common::check_penalties(penalties_); }
  Layout bind(const Layout& input) override {
    bind_kernels(input);
    return Layout::vector(functions());
  }
  std::string left_out_problem() const override {
    return penalties_.empty() ? "knows the estimates of pairs without themselves only where it "
                                "compares 'penalties'; list one or more of them"
                              : "";
  }
  bool leaves_out_groups() const override { return setting_ != "new_pairs"; }
  void train(const TrainingSet& training, Report& report, Context& context) override {
    train_leaving_out(training, {}, report, context);
  }
  void train_leaving_out(const TrainingSet& training, MutableMatrixView left_out, Report& report,
                         Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override { save_machine(state); }
  void load(const StateReader& state, Context& context) override { load_machine(state, context); }

 private:
  /// The fits to all targets, as a PenaltyChoice has them.
  struct Fit {
    double penalty = 0;
    std::vector<Function> functions = {};
    double objective = 0;
    double gradient_norm = 0;  ///< the largest
    double violation = 0;      ///< the largest
    std::vector<double> left_out = {};
    std::size_t unknown = 0;
  };
  using Choice = common::PenaltyChoice<Fit>;
  void check_groups(const PairIndex& pairs, std::span<const std::int32_t> groups) const;
  void choose(VecTrick& products, const TrainingSet& training, Choice& choice,
              Context& context) const;
  /// Adds the function of a target, which conjugate gradients find from these coefficients on.
  void add_function(VecTrick& products, const std::vector<double>& target,
                    std::vector<double> coefficients, Fit& fit, Context& context) const;
  double violation(const VecTrick& products, const std::vector<double>& target, double penalty,
                   const Function& fit) const;

  std::string setting_ = "new_pairs";
};

Declaration<KroneckerRidge> KroneckerRidge::declare() {
  Declaration<KroneckerRidge> declaration(
      "solver/kronecker_ridge",
      "Kernel ridge regression on pairs with the product of two kernels, for many pairs");
  declare_penalty(declaration, {"weight of |f|^2 against the squared errors, which scikit-learn "
                                "calls alpha: the larger, the smoother the fit"});
  declare_kernels(declaration)
      .parameter(
          "setting", &KroneckerRidge::setting_,
          "what is new in the pairs to predict, as of source/pairs: `penalties` are compared "
          "by the errors of pairs without themselves, without all pairs of their first or "
          "their second sample, or of both",
          choices({"new_pairs", "new_first", "new_second", "both_new"}))
      .documentation(
          "The machine of solver/kernel_ridge with similarity/kronecker: it minimizes sum_i (y_i - "
          "f(x_i) - b)^2 + penalty |f|^2, with f(c, d) = sum_j a_j k(a_j, c) g(b_j, d) over the "
          "training pairs (a_j, b_j). The matrix of all pairs is never computed: n pairs of m "
          "first and q second samples need the two small kernel matrices, and a product with the "
          "large one takes n (m + q) operations (the generalized vec trick). Conjugate gradients "
          "solve the system; their steps grow with the ratio of the largest kernel eigenvalue and "
          "the penalty.\n\n"
          "`gradient_norm` is the norm of y - f - b - penalty a as a share of its initial one, "
          "computed from the final coefficients; the certificate says `iteration limit` if it is "
          "above `tolerance`. Then the optimality of a sample of pairs is checked by the "
          "definition of f: `check_violation`, as a share of the target's mean absolute deviation. "
          "Both kernels must be positive semi-definite, which is checked where it is not a "
          "theorem. Widths (`gamma: scale`) are learned from the distinct samples of a side. Sums "
          "are in double; the result does not depend on the number of threads.\n\n"
          "With `penalties`, each pair is estimated by the fit that leaves out what `setting` "
          "says, and the penalty with the smallest mean squared error of these is chosen, as by "
          "solver/kernel_ridge; `leave_one_out_rmse` is its error. These errors are exact: they "
          "follow from the eigenvectors of both kernels, where each first sample has one pair with "
          "each second sample. Other tables of pairs are refused: choose their penalty by "
          "`select`. `both_new` takes the eigenvectors of the smaller side's kernel without each "
          "sample. A calibrator with `folds: leave_one_out` learns from these estimates.")
      .reference(
          "Airola and Pahikkala, Fast Kronecker product kernel methods via generalized vec trick, "
          "IEEE Transactions on Neural Networks and Learning Systems 2018, algorithm 1; Pahikkala, "
          "Airola, Stock, De Baets "
          "and Waegeman, Efficient regularized least-squares algorithms for conditional ranking on "
          "relational data, 2013; Stock, Pahikkala, Airola, De Baets and Waegeman, A comparative "
          "study of pairwise learning methods based on kernel ridge regression, 2018; Algebraic "
          "shortcuts for leave-one-out cross-validation in supervised network inference, 2020")
      .complexity(
          "n pairs of m first and q second samples: per iteration and target 2 n (m + q) "
          "operations, or, if n is more than m q / 8, 2 m q (m + q) that are faster; 24 m q + 28 "
          "(m^2 + q^2) + 64 n bytes. An estimate takes n operations per distinct first sample of a "
          "block of rows, and q. `penalties`: 9 (m^3 + q^3) operations, and 10 m q (m + q) for "
          "each; `both_new`: 9 m^4 for the smaller m, and for each 4 m^2 q (m + q)")
      .reports(
          common::solver_figures({"objective", "gradient_norm", "squared_norm", "check_error",
                                  "check_violation", "iterations", "parameters", "train_seconds"}))
      .example(R"(
        pairs:
          is: source/pairs
          path: affinities.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/csv, path: targets.csv, label: none, id: protein}
          target: affinity
          test_fraction: 0.25
        ridge:
          is: solver/kronecker_ridge
          first:  {is: similarity/rbf, gamma: 0.5}
          second: {is: similarity/rbf, gamma: 0.1}
          from: pairs
        test: {is: evaluator/regression, from: ridge})");
  return declaration;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void subtract_mean(std::span<double> values) {
  const double subtracted = mean(values);
  for (double& value : values) value -= subtracted;
}

/// P K P + penalty I with P, which subtracts the mean if there is an intercept.
class Penalized : public PlainVectors {
 public:
  Penalized(VecTrick& products, double penalty, bool centred, double size, Context& context)
      : products_(products), penalty_(penalty), centred_(centred), size_(size), context_(context) {}

  bool multiply(const Vector& x, Vector& y) const {
    y.resize(x.size());
    products_.product(x, y, context_);
    if (centred_) subtract_mean(y);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += penalty_ * x[i];
    return context_.stop_requested() == StopReason::none;
  }
  bool precondition(const Vector& residual, Vector& z) {
    z = residual;
    course.record(steps++, norm(residual) / size_);
    return true;
  }

  std::size_t steps = 0;
  numerics::Convergence course;

 private:
  VecTrick& products_;
  double penalty_;
  bool centred_;
  double size_;  // of the first residual
  Context& context_;
};

/// (P K P + penalty I) a = P y: then a sums to 0, and the intercept is the mean of y - K a. The
/// residual that conjugate gradients claim is replaced by the true one before they end, and they
/// go on from there while that helps.
void KroneckerRidge::add_function(VecTrick& products, const std::vector<double>& target,
                                  std::vector<double> coefficients, Fit& fit,
                                  Context& context) const {
  std::vector<double> right = target, image;
  if (intercept_) subtract_mean(right);
  Function made;
  const double size = PlainVectors().norm(right);
  Penalized system(products, fit.penalty, intercept_, size, context);
  std::vector<double> rest = right;
  double share = 1;
  const auto find_rest = [&] {
    const bool found = system.multiply(made.coefficients, image);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = right[i] - image[i];
    share = system.norm(rest) / size;
    made.converged = share <= tolerance_;
    return found;
  };
  const auto most = static_cast<std::size_t>(most_iterations_);
  made.converged = size == 0;
  made.coefficients = std::move(coefficients);
  if (made.coefficients.empty() || size == 0) {
    made.coefficients.assign(target.size(), 0);
  } else {
    made.stopped = !find_rest();
    if (made.converged) system.course.record(0, share);
  }
  while (!made.converged && !made.stopped) {
    std::vector<double> change(target.size());
    const Ended ended =
        conjugate_gradients(system, rest, change, tolerance_ / share, most - made.iterations);
    if (ended == Ended::indefinite)
      throw Error(
          "the kernel of pairs with the penalty is not positive definite within rounding; "
          "raise the penalty");
    made.iterations = --system.steps;
    system.add(1, change, made.coefficients);
    const double before = share;
    made.stopped = !find_rest() || ended == Ended::stopped;
    system.course.record_last(made.iterations, share);
    if (!(share < 0.5 * before) || made.iterations >= most) break;
  }
  if (size > 0) fit.gradient_norm = std::max(fit.gradient_norm, share);
  made.course = system.course.points();
  if (intercept_) subtract_mean(made.coefficients);
  products.product(made.coefficients, rest, context);
  made.squared_norm = PlainVectors().dot(made.coefficients, rest);
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = target[i] - rest[i];
  if (intercept_) made.intercept = mean(rest);
  made.objective = fit.penalty * made.squared_norm;
  for (const double r : rest) made.objective += (r - made.intercept) * (r - made.intercept);
  fit.objective += made.objective;
  fit.violation = std::max(fit.violation, violation(products, target, fit.penalty, made));
  fit.functions.push_back(std::move(made));
}

/// The largest |y - f - b - penalty a| of a few pairs, by the definition of f, as a share of the
/// target's mean absolute deviation.
double KroneckerRidge::violation(const VecTrick& products, const std::vector<double>& target,
                                 double penalty, const Function& fit) const {
  const double centre = intercept_ ? mean(target) : 0;
  double deviation = 0, square = 0, worst = 0;
  for (const double y : target) {
    deviation += std::abs(y - centre) / double(target.size());
    square += (y - centre) * (y - centre);
  }
  if (deviation == 0) return 0;
  for (const std::size_t i : checked_rows(target.size()))
    worst = std::max(worst, std::abs(target[i] - products.row_product(i, fit.coefficients) -
                                     fit.intercept - penalty * fit.coefficients[i]) /
                                deviation);
  constexpr double most = 0.1;
  if (fit.converged && !(worst <= most))
    throw Error("a sample of pairs violates the optimality conditions by " + std::to_string(worst) +
                " of the target's mean deviation" +
                (worst * deviation <= tolerance_ * std::sqrt(square)
                     ? "; lower 'tolerance', which allows that"
                     : ", though the gradient is small: rounding; raise the penalty"));
  return worst;
}

/// The numbers of one target.
std::vector<double> target_of(const TrainingSet& training, std::size_t t) {
  std::vector<double> target;
  const std::size_t m = training.target_names.size();
  for (std::size_t i = 0; i < training.rows.rows(); ++i)
    target.push_back(training.targets[i * m + t]);
  return target;
}

/// Fits each penalty in closed form, which conjugate gradients then check and improve.
void KroneckerRidge::choose(VecTrick& products, const TrainingSet& training, Choice& choice,
                            Context& context) const {
  const std::map<std::string, LeftOut> left_out = {{"new_pairs", LeftOut::pair},
                                                   {"new_first", LeftOut::first},
                                                   {"new_second", LeftOut::second},
                                                   {"both_new", LeftOut::both}};
  const GridRidge grid(products, intercept_, left_out.at(setting_), context);
  const std::size_t m = training.target_names.size();
  auto fits = grid.fits(training.targets, m, penalties_, context);
  auto next = fits.begin();
  choice.choose(penalties_, context, [&](double penalty) {
    Fit fit{penalty};
    for (std::size_t t = 0; t < m; ++t) {
      add_function(products, target_of(training, t), std::move(next->coefficients[t]), fit,
                   context);
      if (fit.functions.back().stopped) throw Cancelled();
    }
    fit.left_out = std::move(next++->errors);
    return fit;
  });
}

/// Throws Error unless what is left out before a pair is estimated includes all of its group.
void KroneckerRidge::check_groups(const PairIndex& pairs,
                                  std::span<const std::int32_t> groups) const {
  std::map<std::int32_t, std::size_t> known;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t j = known.emplace(groups[i], i).first->second;
    const bool first = setting_ != "new_second" && pairs.first[i] == pairs.first[j];
    const bool second = setting_ != "new_first" && pairs.second[i] == pairs.second[j];
    if (!first && !second)
      throw Error("'setting: " + setting_ +
                  "' estimates pairs with others of their group; give the source and the solver "
                  "the same setting");
  }
}

void KroneckerRidge::train_leaving_out(const TrainingSet& training, MutableMatrixView left_out,
                                       Report& report, Context& context) {
  common::check_targets(training);
  std::vector<std::size_t> all(training.rows.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const common::LeftOutSamples used{all, {}, training.target_names};
  Choice choice(used, common::relative_error(used, training.targets), {candidates().front()});
  Fit& fit = choice.best();
  const auto fit_target = [&](VecTrick& products, std::size_t t) {
    if (left_out.rows > 0 && leaves_out_groups()) check_groups(products.index(), training.groups);
    if (t == 0 && !penalties_.empty()) try {
        choose(products, training, choice, context);
      } catch (const Cancelled&) {  // a stop still requires a model
        for (Function& made : fit.functions) made.stopped = true, made.converged = false;
      }
    if (fit.functions.size() == t) add_function(products, target_of(training, t), {}, fit, context);
    return fit.functions[t];
  };
  const Function found = learn(training, training.target_names.size(),
                               "raise 'iterations' or the penalty, or accept a larger 'tolerance'",
                               fit_target, report, context);
  report.number("gradient_norm", fit.gradient_norm);
  report.number("check_violation", fit.violation);
  choice.report(report, context);
  common::report_convergence(found.course, "iteration", "relative residual", tolerance_, report);
  common::write_left_out(fit.left_out, used, training.targets, training.rows, *this, left_out,
                         context);
}

void KroneckerRidge::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  common::check_estimates(out, functions());
  const std::vector<double> estimates = values(in, context);
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t t = 0; t < functions(); ++t)
      out.row(i)[t] = static_cast<float>(estimates[i * functions() + t]);
}

}  // namespace

ComponentEntry declare_kronecker_ridge() { return KroneckerRidge::declare().entry(); }

}  // namespace semblance::pairs
