// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "libsvm_functions.hpp"
#include "named_class.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/novelty_detector.hpp"
#include "solver_figures.hpp"
#include "training_checks.hpp"

namespace semblance::libraries {
namespace {

/// `solver/libsvm_one_class`: the LIBSVM library's one-class SVM, as a baseline.
class LibSvmOneClass final : public NoveltyDetector, public LibSvmFunctions {
 public:
  static Declaration<LibSvmOneClass> declare();

  Layout bind(const Layout& input) override {
    bind_rows(input);
    return Layout::vector(functions());
  }
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_functions(in, out, context);
  }
  void save(StateWriter& state) const override { save_functions(state); }
  void load(const StateReader& state, Context&) override { load_functions(state); }
  std::string learned_class() const override { return normal_; }

 private:
  double nu_ = 0.1;
  std::string normal_;
};

Declaration<LibSvmOneClass> LibSvmOneClass::declare() {
  Declaration<LibSvmOneClass> declaration("solver/libsvm_one_class",
                                          "LIBSVM's one-class SVM, as a baseline");
  declaration
      .documentation(
          "Learns what the training rows are usually like, or those of one class, and scores a "
          "sample by the library's decision value: at least 0 if it is usual. `objective` is the "
          "dual objective that the library minimizes, by its coefficients in double; gradient_norm "
          "is the bound `eps` on the violation of the optimality conditions at which the library "
          "stops. If it gives up earlier, after 10,000,000 steps or 100 per row, the certificate "
          "says 'iteration limit'. The library cannot be interrupted, and only one training runs "
          "at a time. It takes no sample weights; solver/one_class_svm does.")
      .accepts_sparse()
      .reference("Chang, Lin: LIBSVM, a library for support vector machines, 2011, section 2.3")
      .complexity(
          "time: nu rows^2 x columns and more; memory: 16 bytes per non-zero value plus the cache")
      .reports(common::solver_figures(
          {"objective", "gradient_norm", "iterations", "support_vectors", "train_seconds"}));
  with_libsvm_kernel(declaration)
      .parameter("nu", &LibSvmOneClass::nu_,
                 "the largest share of the training rows that it calls novel, and the least share "
                 "of support vectors",
                 above(0), at_most(1))
      .parameter(
          "normal", &LibSvmOneClass::normal_,
          "the class of the rows that it learns from; empty: all rows, whatever their class");
  return with_libsvm_options(declaration).example(R"(
        glyphs: {is: source/glyphs}
        x:      {is: feature/hog, cell: 4, from: glyphs}
        usual:  {is: solver/libsvm_one_class, normal: circle, from: x}
        test:   {is: evaluator/novelty, normal: circle, from: usual})");
}

void LibSvmOneClass::train(const TrainingSet& training, Report& report, Context& context) {
  const std::vector<std::uint32_t> chosen = common::rows_of_class(training, normal_, "normal");
  common::check_finite(training.rows, context);
  svm_parameter settings = settings_for(training.rows.cols());
  settings.svm_type = ONE_CLASS;
  settings.nu = nu_;
  train_functions(training, chosen, settings, {std::vector<double>(chosen.size(), 1)}, report,
                  context);
}

}  // namespace

ComponentEntry declare_libsvm_one_class() { return LibSvmOneClass::declare().entry(); }

}  // namespace semblance::libraries
