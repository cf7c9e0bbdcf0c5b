// SPDX-License-Identifier: MIT
#include "report/page/testing/study_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/over_slot.hpp"
#include "report/tables/slot_effects.hpp"

namespace semblance::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> names(std::string_view stem, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(fmt::format("{}{}", stem, i + 1));
  return out;
}

RunRecord merged_run() {
  RunRecord run;
  run.pipeline = "normalizers";
  run.description = "Similarities, sizes of the basis and solvers.";
  run.command = "./semblance ablate pipelines/normalizers.yaml";
  run.version = "0.1.0";
  run.started = "2026-01-12T10:22:03Z";
  run.seed = 3;
  run.threads = 2;
  run.wall_seconds = 75;
  run.files = {{"train.csv", "xxh128:0123"}};
  run.graph_svg =
      "<svg width=\"2000pt\" height=\"60pt\" viewBox=\"0 0 2000 60\" "
      "xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"80\" height=\"40\" fill=\"#ddd\"/>"
      "<text x=\"8\" y=\"24\">table</text></svg>";
  for (int i = 0; i < 14; ++i) {
    NodeRecord node;
    node.name = fmt::format("node{}", i);
    node.component = "feature/hog";
    node.seconds = 0.1 * i;
    node.bytes = 1000 * static_cast<std::size_t>(i);
    run.nodes.push_back(node);
  }
  return run;
}

/// Means of a made-up error rate, with the deviation of `repeat`.
double error_rate(const std::vector<std::size_t>& choices, std::size_t repeat) {
  const double size = std::pow(2.0, static_cast<double>(choices[1]));
  const double mean = 0.02 + 0.2 / size / (1.0 + static_cast<double>(choices[0])) +
                      0.01 / (1.0 + static_cast<double>(choices[2]));
  return mean + 0.002 * std::sin(3.0 * static_cast<double>(repeat + choices[0] + 2 * choices[1]));
}

NodeRecord solver_node(const std::vector<std::size_t>& choices, std::size_t repeat) {
  NodeRecord node;
  node.name = "svm";
  node.component = "solver/linear_svm";
  Curve curve{"objective", "iteration", "objective", {}, {}};
  for (int i = 0; i < 60; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(error_rate(choices, repeat) * 100 + 1000.0 / (1 + i * i));
  }
  node.curves.push_back(curve);
  return node;
}

Standing standing_of(const Method& method) {
  Standing standing;
  double sum = 0, squares = 0;
  for (const Measurement& measurement : method.measurements) {
    if (std::isnan(measurement.value)) continue;
    ++standing.measured;
    sum += measurement.value;
    squares += measurement.value * measurement.value;
  }
  const double n = static_cast<double>(standing.measured);
  standing.mean = n > 0 ? sum / n : nan;
  standing.deviation = n > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1))) : nan;
  standing.standard_error = standing.deviation / std::sqrt(n);
  return standing;
}

/// Sets made-up numbers instead of true statistics.
void fill_comparison(StudyRecord& study) {
  Comparison& comparison = study.comparison;
  std::vector<double> means;
  for (const Method& method : study.results.methods) {
    comparison.standings.push_back(standing_of(method));
    if (!std::isnan(comparison.standings.back().mean))
      means.push_back(comparison.standings.back().mean);
  }
  std::ranges::sort(means);
  for (std::size_t i = 0; i < comparison.standings.size(); ++i) {
    Standing& standing = comparison.standings[i];
    if (std::isnan(standing.mean)) continue;
    standing.average_rank =
        1.0 + static_cast<double>(std::ranges::lower_bound(means, standing.mean) - means.begin());
    standing.best = standing.mean == means.front();
    if (i == 0) continue;
    standing.difference = standing.mean - comparison.standings[0].mean;
    standing.t = {0.0004 * static_cast<double>(i), 0.001 * static_cast<double>(i), ""};
    standing.wilcoxon = {0.03, 0.06, ""};
  }
  if (study.repeats.size() > 1) {
    comparison.friedman_p = 0.0002;
    comparison.critical_difference = 2.5;
  }
  comparison.effects = slot_effects(study.results);
}

void add_combination(StudyRecord& study, const std::vector<std::size_t>& choices) {
  const bool failed = study.results.methods.size() == 1;
  Method method;
  for (std::size_t slot = 0; slot < choices.size(); ++slot)
    method.choices.push_back(study.slots[slot].alternatives[choices[slot]]);
  method.name = fmt::format("{}-{}-{}", method.choices[0], method.choices[1], method.choices[2]);
  for (std::size_t repeat = 0; repeat < study.repeats.size(); ++repeat) {
    VariantRecord variant;
    variant.name = fmt::format("{}-{}", method.name, repeat);
    variant.choices = choices;
    variant.repeat = repeat;
    variant.finished = !failed;
    if (failed)
      variant.error = "node 'svm' <solver/linear_svm>: no memory";
    else
      variant.nodes.push_back(solver_node(choices, repeat));
    method.measurements.push_back(
        {failed ? nan : error_rate(choices, repeat), variant.error, {}, ""});
    study.variants.push_back(std::move(variant));
  }
  study.results.methods.push_back(std::move(method));
}

}  // namespace

StudyRecord sample_study(std::size_t similarities, std::size_t sizes, std::size_t solvers,
                         std::size_t repeats) {
  StudyRecord study;
  study.run = merged_run();
  study.slots = {{"similarity", names("similarity/s", similarities)},
                 {"bases", {}},
                 {"solver", names("solver/v", solvers)}};
  for (std::size_t i = 0; i < sizes; ++i)
    study.slots[1].alternatives.push_back(fmt::format("{}", 10 << i));
  study.repeats = repeats == 1 ? std::vector<std::string>{""} : names("seed ", repeats);
  study.metric_node = "test";
  study.results.metric = "error_rate";
  study.results.unit = FigureUnit::share;
  study.results.slots = {"similarity", "bases", "solver"};
  study.results.blocks = study.repeats;
  study.results.baseline = 0;
  for (std::size_t i = 0; i < similarities; ++i)
    for (std::size_t j = 0; j < sizes; ++j)
      for (std::size_t k = 0; k < solvers; ++k) add_combination(study, {i, j, k});
  study.nodes_before = 7 * study.variants.size();
  study.nodes_after = 14;
  fill_comparison(study);
  return study;
}

StudyRecord study_over_data() {
  StudyRecord study;
  study.slots = {{"data", {"iris", "glass", "wine", "seeds"}}, {"C", {"1", "10"}}};
  study.repeats = {"seed 1", "seed 2"};
  study.metric_node = "test";
  study.results.metric = "accuracy";
  study.results.unit = FigureUnit::share;
  study.results.higher_is_better = true;
  study.results.slots = {"data", "C"};
  study.results.blocks = study.repeats;
  study.results.baseline = 0;
  for (std::size_t data = 0; data < 3; ++data)
    for (std::size_t c = 0; c < 2; ++c) {
      const std::size_t alternative = data == 0 ? 0 : data + 1;
      Method method{
          "", {study.slots[0].alternatives[alternative], study.slots[1].alternatives[c]}, {}};
      for (std::size_t seed = 0; seed < 2; ++seed) {
        const auto step = static_cast<double>(data + 2 * c + seed);
        method.measurements.push_back({0.5 + 0.0625 * step, "", {}, ""});
        VariantRecord variant;
        variant.name = method.choices[0] + method.choices[1];
        variant.choices = {alternative, c};
        variant.repeat = seed;
        variant.finished = true;
        study.variants.push_back(std::move(variant));
      }
      study.results.methods.push_back(std::move(method));
    }
  group_over_slot(study, 0);
  study.comparison = compare(study.results);
  return study;
}

}  // namespace semblance::testing
