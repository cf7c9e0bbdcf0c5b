// SPDX-License-Identifier: MIT
#include "registry/figures.hpp"

#include <doctest/doctest.h>

#include "registry/catalogue.hpp"
#include "registry/component_info_json.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/pair_solver.hpp"

namespace semblance::figures_test {
namespace {

struct Judge final : Evaluator {
  void evaluate(const Results&, Report&, Context&) const override {}
};
struct SampleJudge final : EvaluatorOf<PortType::samples> {
  void evaluate(const Results&, Report&, Context&) const override {}
};
struct PairJudge final : EvaluatorOf<PortType::pair_scores> {
  void evaluate(const Results&, Report&, Context&) const override {}
};
struct PairLearner final : PairSolver {
  void bind(const Layout&) override {}
  void train(const PairTrainingSet&, Report&, Context&) override {}
  void score(const Rows&, const PairSet&, std::span<float>, Context&) const override {}
  void save(StateWriter&) const override {}
  void load(const StateReader&, Context&) override {}
};

template <class T>
ComponentInfo info_of(const char* id) {
  return Declaration<T>(id, "A test").entry().info;
}

TEST_CASE("the ports follow from the base class") {
  CHECK(info_of<Judge>("evaluator/a").inputs.at(0).type == PortType::scores);
  CHECK(info_of<SampleJudge>("evaluator/a").inputs.at(0).type == PortType::samples);
  const ComponentInfo pairs = info_of<PairJudge>("evaluator/a");
  CHECK(pairs.inputs.at(0).type == PortType::pair_scores);
  CHECK(pairs.inputs.at(0).many);
  const ComponentInfo learner = info_of<PairLearner>("solver/a");
  CHECK(learner.input("pairs") != nullptr);
  CHECK(learner.output->type == PortType::pair_scores);
}

TEST_CASE("a component is of the kind whose interface it implements") {
  CHECK_THROWS_WITH_AS(info_of<Judge>("solver/a"),
                       "'solver/a' is declared by a class that derives from the interface of the "
                       "kind 'evaluator', so its id must begin with 'evaluator/'",
                       Error);
}

TEST_CASE("declared figures survive as JSON") {
  ComponentInfo info = info_of<Judge>("evaluator/a");
  info.figures = {{"top_*_accuracy", "of K", FigureUnit::share, Better::higher, true},
                  {"rows", "judged", FigureUnit::count},
                  {"train_seconds", "spent", FigureUnit::seconds, Better::lower},
                  {"model_bytes", "on disk", FigureUnit::bytes, Better::lower}};
  const auto json = to_json(info);
  CHECK(json["figures"][0].dump() ==
        R"({"name":"top_*_accuracy","documentation":"of K","unit":"share","better":"higher",)"
        R"("headline":true})");
  CHECK(to_json(component_info_from_json(json)) == json);
}

TEST_CASE("a figure is found by its name before a pattern, and a column by its table") {
  const std::vector<FigureInfo> figures = {{"top_*", "", FigureUnit::count},
                                           {"top_accuracy", "", FigureUnit::share},
                                           {"t.recall", "", FigureUnit::share}};
  CHECK(figure_named(figures, "top_accuracy")->unit == FigureUnit::share);
  CHECK(figure_named(figures, "top_3")->unit == FigureUnit::count);
  CHECK(figure_named(figures, "top_") == nullptr);
  CHECK(unit_of_column(figures, "t", "recall") == FigureUnit::share);
  CHECK(unit_of_column(figures, "u", "recall") == FigureUnit::plain);
  CHECK(unit_of_column(figures, "u", "top_accuracy") == FigureUnit::share);
  CHECK(unit_of_column(figures, "u", "seconds") == FigureUnit::seconds);
  CHECK(is_over_time(figures, {"u", "seconds", "gap", {}, {}}));
  CHECK_FALSE(is_over_time(figures, {"u", "iteration", "gap", {}, {}}));
  CHECK(comparable_figures(figures) == std::vector<std::string>{"top_*", "top_accuracy"});
}

TEST_CASE("a node may report what the runtime, its component and its component's parts do") {
  Catalogue all;
  ComponentInfo outer = info_of<PairLearner>("solver/outer");
  outer.figures = {{"gain", "", FigureUnit::plain, Better::higher}};
  ComponentInfo inner = info_of<PairLearner>("solver/inner");
  inner.figures = {{"objective", "", FigureUnit::plain, Better::lower},
                   {"gain", "", FigureUnit::plain, Better::lower}};
  for (const ComponentInfo& info : {outer, inner})
    all.add({info, std::make_shared<PluginOrigin>()}, nullptr);
  ComponentConfig config{"solver/outer", {}, {{"solver", {"solver/inner", {}, {}}}}};
  const auto figures = figures_of(config, all);
  CHECK(figure_named(figures, "gain")->better == Better::higher);
  CHECK(figure_named(figures, "objective") != nullptr);
  CHECK(figure_named(figures, "predict_seconds")->unit == FigureUnit::seconds);
  config.parts.clear();
  CHECK(figure_named(figures_of(config, all), "objective") == nullptr);
}

}  // namespace
}  // namespace semblance::figures_test
