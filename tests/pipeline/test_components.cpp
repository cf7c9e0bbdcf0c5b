// SPDX-License-Identifier: MIT
#include "test_components.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "registry/plugin_library.hpp"
#include "schema/schema.hpp"
#include "semblance/basis.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/novelty_detector.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/pairs.hpp"
#include "semblance/regressor.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"
#include "semblance/source.hpp"

namespace semblance::testing {
namespace {

struct Images final : Source {
  static Declaration<Images> declare() {
    return Declaration<Images>("source/images", "Images")
        .parameter("path", &Images::path, "folder of the images", required())
        .parameter("folds", &Images::folds, "folds to train on", at_least(1), at_most(5))
        .parameter("names", &Images::names, "classes to take")
        .gives(LayoutKind::image);
  }
  Outline outline(Context&) const override { return {}; }
  std::unique_ptr<Dataset> open(Context&) const override { return nullptr; }
  std::vector<std::string> files() const override {
    return {path.value + "/batch_1.bin", path.value + "/batch_2.bin"};
  }
  Path path;
  std::vector<std::int64_t> folds = {1, 2, 3, 4, 5};
  std::vector<std::string> names;
};

struct Table final : Source {
  static Declaration<Table> declare() {
    return Declaration<Table>("source/table", "A table")
        .parameter("file", &Table::file, "CSV file", required())
        .parameter("labels", &Table::labels, "file of labels", optional());
  }
  Outline outline(Context&) const override { return {}; }
  std::unique_ptr<Dataset> open(Context&) const override { return nullptr; }
  std::vector<std::string> files() const override {
    if (labels.value.empty()) return {file.value};
    return {file.value, labels.value};
  }
  Path file;
  Path labels;
};

/// Its samples have classes, or numbers if a target is named, or nothing.
struct Columns final : Source {
  static Declaration<Columns> declare() {
    return Declaration<Columns>("source/columns", "A table by columns")
        .parameter("label", &Columns::label, "column of the classes")
        .parameter("target", &Columns::target, "column of the numbers");
  }
  Outline outline(Context&) const override { return {}; }
  std::unique_ptr<Dataset> open(Context&) const override { return nullptr; }
  TargetKind target_kind() const override {
    if (!target.empty()) return TargetKind::numbers;
    return label == "none" ? TargetKind::none : TargetKind::classes;
  }
  std::string label;
  std::string target;
};

/// Its samples always have numbers.
struct Waves final : Source {
  static Declaration<Waves> declare() { return {"source/waves", "Sums of waves"}; }
  Outline outline(Context&) const override { return {}; }
  std::unique_ptr<Dataset> open(Context&) const override { return nullptr; }
  TargetKind target_kind() const override { return TargetKind::numbers; }
};

struct Hog final : Feature {
  static Declaration<Hog> declare() {
    return Declaration<Hog>("feature/hog", "Histograms of gradients")
        .parameter("cell", &Hog::cell, "side of a cell", at_least(2), unit("pixels"))
        .parameter("signed", &Hog::with_sign, "keep the sign")
        .accepts({LayoutKind::image})
        .gives(LayoutKind::grid);
  }
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  std::int64_t cell = 8;
  bool with_sign = false;
};

struct Pixels final : Feature {
  static Declaration<Pixels> declare() {
    return Declaration<Pixels>("feature/pixels", "The pixels")
        .accepts({LayoutKind::image})
        .gives(LayoutKind::vector);
  }
  Layout bind(const Layout& input) override { return input; }
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
};

struct ZScore final : Normalizer {
  static Declaration<ZScore> declare() {
    return Declaration<ZScore>("normalizer/zscore", "Zero mean, unit variance");
  }
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
};

struct RandomBasis final : Basis {
  static Declaration<RandomBasis> declare() {
    return Declaration<RandomBasis>("basis/random", "Random rows")
        .parameter("count", &RandomBasis::number, "how many", at_least(1))
        .random();
  }
  std::vector<std::int64_t> select(const TrainingSet&, Context&) override { return {}; }
  std::size_t count(std::size_t, std::size_t) const override { return 0; }
  std::int64_t number = 100;
};

struct IndexBasis final : Basis {
  static Declaration<IndexBasis> declare() {
    return Declaration<IndexBasis>("basis/index", "The first rows of each class")
        .parameter("per_class", &IndexBasis::per_class, "how many of each class", at_least(1))
        .learns_from({TargetKind::classes});
  }
  std::vector<std::int64_t> select(const TrainingSet&, Context&) override { return {}; }
  std::size_t count(std::size_t, std::size_t) const override { return 0; }
  std::int64_t per_class = 10;
};

struct SimilarityBase : Similarity {
  void set_bases(MatrixView, std::span<const std::int64_t>, Context&) override {}
  std::size_t bases() const noexcept override { return 0; }
  double operations() const noexcept override { return 0; }
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  void prepare(const Layout&) override {}
};

struct Rbf final : SimilarityBase {
  static Declaration<Rbf> declare() {
    return Declaration<Rbf>("similarity/rbf", "Gaussian")
        .parameter("gamma", &Rbf::gamma, "inverse squared width", above(0))
        .symmetric();
  }
  double gamma = 1;
};

struct Polynomial final : SimilarityBase {
  static Declaration<Polynomial> declare() {
    return Declaration<Polynomial>("similarity/polynomial", "Polynomial")
        .parameter("degree", &Polynomial::degree, "of the polynomial", at_least(1))
        .parameter("gamma", &Polynomial::gamma, "factor", choices({"scale", "auto"}), above(0));
  }
  std::int64_t degree = 3;
  std::string gamma = "scale";
};

struct Rigid final : SimilarityBase {
  static Declaration<Rigid> declare() {
    return Declaration<Rigid>("similarity/rigid", "Best of several shifts")
        .parameter("shift", &Rigid::shift, "cells", at_least(0), at_most(8))
        .parameter("weights", &Rigid::weights, "of the shifts", at_least(0))
        .parameter("edges", &Rigid::edges, "what lies outside", choices({"zero", "repeat"}))
        .accepts({LayoutKind::grid});
  }
  void check_parameters() const override {
    if (weights.size() > static_cast<std::size_t>(shift + 1))
      throw Error("'weights' has " + std::to_string(weights.size()) + " values, but shift " +
                  std::to_string(shift) + " has " + std::to_string(shift + 1) + " rings");
  }
  std::int64_t shift = 1;
  std::vector<double> weights;
  std::string edges = "zero";
};

/// A similarity that reads a file: tests parts with files.
struct Precomputed final : SimilarityBase {
  static Declaration<Precomputed> declare() {
    return Declaration<Precomputed>("similarity/precomputed", "From a file")
        .parameter("matrix", &Precomputed::matrix, "npy file", required());
  }
  std::vector<std::string> files() const override { return {matrix.value}; }
  Path matrix;
};

struct Product final : PairKernel {
  static Declaration<Product> declare() {
    return Declaration<Product>("pair_kernel/product", "Product of two")
        .parameter("kernel", &Product::kernel, "of single samples");
  }
  Similarity& standard_kernel() const noexcept override { return *kernel; }
  double evaluate(const StandardKernelValues&) const noexcept override { return 0; }
  bool symmetric() const noexcept override { return false; }
  std::unique_ptr<Similarity> kernel;
};

struct LinearSvm final : Solver {
  static Declaration<LinearSvm> declare() {
    return Declaration<LinearSvm>("solver/linear_svm", "Linear SVM")
        .parameter("C", &LinearSvm::c, "trade-off", above(0))
        .parameter("loss", &LinearSvm::loss, "loss", choices({"hinge", "squared_hinge"}));
  }
  Layout bind(const Layout& input) override { return input; }
  void train(const TrainingSet&, Report&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  double c = 1;
  std::string loss = "squared_hinge";
};

struct KernelSvm final : Solver {
  static Declaration<KernelSvm> declare() {
    return Declaration<KernelSvm>("solver/kernel_svm", "Kernel SVM")
        .parameter("C", &KernelSvm::c, "trade-off", above(0))
        .parameter("kernel", &KernelSvm::kernel, "the kernel", default_component("similarity/rbf"))
        .parameter("warm", &KernelSvm::warm, "solver that starts it", optional());
  }
  Layout bind(const Layout& input) override { return input; }
  void train(const TrainingSet&, Report&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  double c = 1;
  std::unique_ptr<Similarity> kernel;
  std::unique_ptr<Solver> warm;
};

struct NeedsKernel final : Solver {
  static Declaration<NeedsKernel> declare() {
    return Declaration<NeedsKernel>("solver/needs_kernel", "Without default")
        .parameter("kernel", &NeedsKernel::kernel, "the kernel");
  }
  Layout bind(const Layout& input) override { return input; }
  void train(const TrainingSet&, Report&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  std::unique_ptr<Similarity> kernel;
};

/// Its parameters are another library's: values by name.
struct Library final : Solver {
  static Declaration<Library> declare() {
    return Declaration<Library>("solver/library", "Of a library")
        .parameter("options", &Library::options, "the library's own");
  }
  void check_parameters() const override {
    if (options.contains("dept")) throw Error("options.dept: the library has no such option");
  }
  Layout bind(const Layout& input) override { return input; }
  void train(const TrainingSet&, Report&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  NamedValues options = {{"depth", std::int64_t{3}}, {"rule", "gini"}};
};

struct LinearSvr final : Regressor {
  static Declaration<LinearSvr> declare() { return {"solver/linear_svr", "Predicts numbers"}; }
  Layout bind(const Layout& input) override { return input; }
  void train(const TrainingSet&, Report&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
};

struct OneClass final : NoveltyDetector {
  static Declaration<OneClass> declare() {
    return Declaration<OneClass>("solver/one_class", "Recognizes novel samples")
        .parameter("warm", &OneClass::warm, "solver that starts it", optional());
  }
  Layout bind(const Layout& input) override { return input; }
  void train(const TrainingSet&, Report&, Context&) override {}
  void apply(MatrixView, MutableMatrixView, Context&) const override {}
  std::unique_ptr<Solver> warm;
};

struct PairLearner final : PairSolver {
  static Declaration<PairLearner> declare() { return {"solver/of_pairs", "Learns from pairs"}; }
  void bind(const Layout&) override {}
  void train(const PairTrainingSet&, Report&, Context&) override {}
  void score(const Rows&, const PairSet&, std::span<float>, Context&) const override {}
  void save(StateWriter&) const override {}
  void load(const StateReader&, Context&) override {}
};

struct Classification final : Evaluator {
  static Declaration<Classification> declare() {
    return Declaration<Classification>("evaluator/classification", "Error rate")
        .reports({"accuracy", "right", FigureUnit::share, Better::higher, true})
        .reports({"error_rate", "wrong", FigureUnit::share, Better::lower, true})
        .reports({"top_*_accuracy", "nearly right", FigureUnit::share, Better::higher})
        .reports({"rows", "judged", FigureUnit::count})
        .reports({"classes.recall", "of a class", FigureUnit::share, Better::higher});
  }
  void evaluate(const Results&, Report&, Context&) const override {}
};

/// Reports the figure accuracy of evaluator/classification with another direction.
struct Inaccuracy final : Evaluator {
  static Declaration<Inaccuracy> declare() {
    return Declaration<Inaccuracy>("evaluator/inaccuracy", "Misnamed")
        .reports({"accuracy", "how far off", FigureUnit::plain, Better::lower});
  }
  void evaluate(const Results&, Report&, Context&) const override {}
};

struct Regression final : EvaluatorOf<PortType::estimates> {
  static Declaration<Regression> declare() {
    return Declaration<Regression>("evaluator/regression", "Errors")
        .reports({"rmse", "error", FigureUnit::plain, Better::lower, true});
  }
  void evaluate(const Results&, Report&, Context&) const override {}
};

struct Novelty final : EvaluatorOf<PortType::novelty> {
  static Declaration<Novelty> declare() { return {"evaluator/novelty", "Novel samples found"}; }
  void evaluate(const Results&, Report&, Context&) const override {}
};

template <class... Classes>
Catalogue make_catalogue() {
  Catalogue catalogue;
  // Shared by all creators, which call each other for parts.
  const auto add = [&](ComponentEntry entry) {
    catalogue.add({entry.info, std::make_shared<PluginOrigin>()},
                  [entry](const ComponentConfig& config, const Catalogue& all) {
                    return create_component(entry, config, all);
                  });
  };
  (add(Classes::declare().entry()), ...);
  return catalogue;
}

/// For the tests of the schema: records the checked pipelines and outcomes, one JSON value per
/// line; the first line has the schema. Does nothing unless $SEMBLANCE_RECORD_CHECKS names a file.
void record(const std::string& text, const PipelineCheck& result) {
  static const char* const file = std::getenv("SEMBLANCE_RECORD_CHECKS");
  if (!file) return;
  static std::ofstream stream = [] {
    std::ofstream opened(file);
    opened << nlohmann::ordered_json{{"schema", pipeline_schema(test_catalogue())}} << "\n";
    return opened;
  }();
  nlohmann::ordered_json json = {{"text", text}, {"accepted", result.pipeline.has_value()}};
  json["messages"] = nlohmann::ordered_json::array();
  for (const auto& d : result.diagnostics)
    if (d.severity == Severity::error) json["messages"].push_back(d.message);
  constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
  stream << json.dump(-1, ' ', false, replace) << std::endl;
}

}  // namespace

const Catalogue& test_catalogue() {
  static const Catalogue catalogue =
      make_catalogue<Images, Table, Columns, Waves, Hog, Pixels, ZScore, RandomBasis, IndexBasis,
                     Rbf, Polynomial, Rigid, Precomputed, Product, LinearSvm, KernelSvm,
                     NeedsKernel, Library, LinearSvr, OneClass, PairLearner, Classification,
                     Inaccuracy, Regression, Novelty>();
  return catalogue;
}

const char* const good_text = R"(name: demo
description: What a pipeline looks like
seed: 3
nodes:
  images: {is: source/images, path: cifar}
  hog: {is: feature/hog, cell: 8, from: images}
  x: {is: normalizer/zscore, from: hog}
  bases: {is: basis/index, per_class: 5, from: images}
  rbf: {is: similarity/rbf, gamma: 0.5, from: x, bases: bases}
  svm: {is: solver/linear_svm, C: 10, from: rbf}
  test: {is: evaluator/classification, from: svm}
)";

PipelineCheck check(const std::string& text, std::vector<std::string> overrides) {
  CheckOptions options;
  options.data = "/data";
  options.overrides = std::move(overrides);
  options.check_files = false;
  const bool changed = !options.overrides.empty();
  PipelineCheck result = check_pipeline(text, "p.yaml", test_catalogue(), options);
  if (!changed) record(text, result);
  return result;
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, "not in the pipeline: ", from);
  REQUIRE_MESSAGE(text.find(from, at + 1) == std::string::npos, "twice in the pipeline: ", from);
  return text.substr(0, at) + to + text.substr(at + from.size());
}

std::string changed(const std::string& from, const std::string& to) {
  return replaced(good_text, from, to);
}

void expect(const Wrong& wrong) {
  CAPTURE(wrong.what);
  const PipelineCheck result = check(wrong.text, wrong.overrides);
  CHECK_FALSE(result.pipeline.has_value());
  CHECK("\n" + render(result.diagnostics) == wrong.rendered);
}

}  // namespace semblance::testing
