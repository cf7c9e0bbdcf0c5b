// SPDX-License-Identifier: MIT
#include "semblance/kind.hpp"

#include <algorithm>

#include "semblance/basis.hpp"
#include "semblance/calibrator.hpp"
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

namespace semblance {
namespace {

PortInfo several(PortInfo port) {
  port.many = true;
  return port;
}

PortInfo samples_of_any_size(PortInfo port) {
  for (const LayoutInfo& info : layouts()) port.layouts.push_back(info.kind);
  return port;
}

PortInfo output_of(PortType type) { return {"out", type, {}, false, true, ""}; }

KindInfo solver(std::vector<PortInfo> inputs, PortType output, std::vector<TargetKind> targets) {
  return {"solver",
          "Learns to classify samples or pairs of them, to predict numbers, or to recognize novel "
          "samples.",
          std::move(inputs), output_of(output), std::move(targets)};
}

/// The solvers of samples: their inputs are the same.
KindInfo learner(PortType output, std::vector<TargetKind> targets) {
  return solver({several(samples_port("the samples; several inputs are concatenated"))}, output,
                std::move(targets));
}

KindInfo calibrator(PortInfo mapped, PortType output) {
  return {
      "calibrator",
      "Maps a solver's scores to probabilities or sets of classes, moves the boundaries between "
      "the classes or of what is novel, or surrounds estimates with intervals.",
      {std::move(mapped)},
      output_of(output)};
}

/// The interfaces, in the order of kinds().
std::vector<KindInfo>& interfaces() {
  static std::vector<KindInfo> all = {Source::kind_info(),
                                      Feature::kind_info(),
                                      Normalizer::kind_info(),
                                      Basis::kind_info(),
                                      Similarity::kind_info(),
                                      PairKernel::kind_info(),
                                      Pairs::kind_info(),
                                      Solver::kind_info(),
                                      Regressor::kind_info(),
                                      IntervalRegressor::kind_info(),
                                      NoveltyDetector::kind_info(),
                                      PairSolver::kind_info(),
                                      Calibrator::kind_info(),
                                      IntervalCalibrator::kind_info(),
                                      IntervalCorrector::kind_info(),
                                      NoveltyCalibrator::kind_info(),
                                      evaluator_of_any()};
  return all;
}

std::vector<std::string> names_of(const std::vector<KindInfo>& all) {
  std::vector<std::string> names;
  for (const KindInfo& kind : all)
    if (std::ranges::find(names, kind.name) == names.end()) names.push_back(kind.name);
  return names;
}

std::vector<std::string>& names() {
  static std::vector<std::string> all = names_of(interfaces());
  return all;
}

}  // namespace

PortInfo samples_port(std::string documentation) {
  return {"from", PortType::samples, {}, false, true, std::move(documentation)};
}

PortInfo samples_output(std::vector<LayoutKind> layouts) {
  PortInfo port = output_of(PortType::samples);
  port.layouts = std::move(layouts);
  return port;
}

const KindInfo& Source::kind_info() {
  static const KindInfo info = {
      "source",
      "Where samples come from, with their labels and the split into training and test rows.",
      {},
      samples_output()};
  return info;
}

const KindInfo& Feature::kind_info() {
  static const KindInfo info = {"feature",
                                "Maps each sample independently, without learning anything.",
                                {samples_port()},
                                samples_output()};
  return info;
}

const KindInfo& Normalizer::kind_info() {
  static const KindInfo info = {
      "normalizer",
      "Learns from the training rows how to map all rows.",
      {several(
          samples_port("the samples; several inputs are normalized separately and concatenated"))},
      samples_output()};
  return info;
}

const KindInfo& Basis::kind_info() {
  // Any layout: a basis is chosen by labels and numbers, or by similarities.
  static const KindInfo info = {"basis",
                                "Chooses training rows to compare others with.",
                                {samples_of_any_size(samples_port())},
                                output_of(PortType::basis)};
  return info;
}

const KindInfo& Similarity::kind_info() {
  static const KindInfo info = {
      "similarity",
      "Compares samples with bases, or with each other as the kernel of a solver.",
      {samples_port(), {"bases", PortType::basis, {}, false, true, "what to compare them with"}},
      samples_output({LayoutKind::vector})};
  return info;
}

const KindInfo& PairKernel::kind_info() {
  static const KindInfo info = {"pair_kernel",
                                "Compares pairs of examples; the value of a solver's parameter.",
                                {},
                                std::nullopt};
  return info;
}

const KindInfo& Pairs::kind_info() {
  static const KindInfo info = {"pairs",
                                "Chooses the pairs of examples to train and test on.",
                                {samples_port()},
                                output_of(PortType::pairs),
                                {TargetKind::classes, TargetKind::none}};
  return info;
}

const KindInfo& Solver::kind_info() {
  static const KindInfo info = learner(PortType::scores, {TargetKind::classes});
  return info;
}

const KindInfo& Regressor::kind_info() {
  static const KindInfo info = learner(PortType::estimates, {TargetKind::numbers});
  return info;
}

const KindInfo& IntervalRegressor::kind_info() {
  static const KindInfo info = learner(PortType::intervals, {TargetKind::numbers});
  return info;
}

const KindInfo& NoveltyDetector::kind_info() {
  static const KindInfo info = learner(PortType::novelty, {});
  return info;
}

const KindInfo& PairSolver::kind_info() {
  static const KindInfo info =
      solver({several(samples_port("the samples; several inputs are concatenated")),
              {"pairs", PortType::pairs, {}, false, true, "the pairs to train and test on"}},
             PortType::pair_scores, {TargetKind::classes, TargetKind::none});
  return info;
}

const KindInfo& Calibrator::kind_info() {
  static const KindInfo info =
      calibrator({"from", PortType::scores, {}, false, true, "the solver whose scores it maps"},
                 PortType::scores);
  return info;
}

const KindInfo& IntervalCalibrator::kind_info() {
  static const KindInfo info = calibrator(
      {"from", PortType::estimates, {}, false, true, "the regressor whose estimates it surrounds"},
      PortType::intervals);
  return info;
}

const KindInfo& IntervalCorrector::kind_info() {
  static const KindInfo info = calibrator(
      {"from", PortType::intervals, {}, false, true, "the regressor whose intervals it corrects"},
      PortType::intervals);
  return info;
}

const KindInfo& NoveltyCalibrator::kind_info() {
  static const KindInfo info = calibrator(
      {"from", PortType::novelty, {}, false, true, "the detector whose threshold it moves"},
      PortType::novelty);
  return info;
}

const KindInfo& Evaluator::kind_info() {
  static const KindInfo info = evaluator_of({PortType::scores});
  return info;
}

KindInfo evaluator_of(std::initializer_list<PortType> results) {
  std::vector<PortInfo> judged;
  for (const PortType type : results) {
    const std::string what = results.size() == 1 ? "the " + std::string(name(type)) : "what";
    const bool of_several = type == PortType::pair_scores;
    judged.push_back({"from", type, {}, of_several, true, what + " to evaluate"});
  }
  return {"evaluator", "Evaluates what was learned, and reports it.", std::move(judged),
          output_of(PortType::report)};
}

const KindInfo& evaluator_of_any() {
  static const KindInfo info =
      evaluator_of({PortType::scores, PortType::estimates, PortType::intervals, PortType::novelty,
                    PortType::samples, PortType::pair_scores});
  return info;
}

bool KindInfo::has_ports_of(const ComponentInfo& component) const {
  const auto is_input_of = [](const std::vector<PortInfo>& ports) {
    return [&](const PortInfo& port) {
      return std::ranges::any_of(ports, [&](const PortInfo& own) {
        return own.name == port.name && own.type == port.type;
      });
    };
  };
  const auto has_input = [&](const PortInfo& port) {
    return component.input(port.name) != nullptr;
  };
  return output.has_value() == component.output.has_value() &&
         (!output || output->type == component.output->type) &&
         std::ranges::all_of(component.inputs, is_input_of(inputs)) &&
         std::ranges::all_of(inputs, has_input);
}

const std::vector<std::string>& kinds() { return names(); }

const KindInfo* kind_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(interfaces(), name, &KindInfo::name);
  return found == interfaces().end() ? nullptr : &*found;
}

void add_kind(const KindInfo& kind) {
  interfaces().push_back(kind);
  if (std::ranges::find(names(), kind.name) == names().end()) names().push_back(kind.name);
}

}  // namespace semblance
