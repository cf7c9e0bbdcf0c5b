// SPDX-License-Identifier: MIT
#include "conformance/ready_transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "conformance/recorded.hpp"
#include "conformance/sample_set.hpp"
#include "registry/parts_of_pairs.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"

namespace semblance::conformance {
namespace {

/// Learns; returns the report of a solver or calibrator.
std::string learn(Transform& transform, RecordedReport report, const SampleSet& samples,
                  Context& context) {
  const SampleTraining training(samples);
  if (auto* normalizer = dynamic_cast<Normalizer*>(&transform))
    normalizer->fit(training.set(), context);
  if (auto* similarity = dynamic_cast<Similarity*>(&transform)) {
    std::vector<std::int64_t> numbers(base_count);
    std::iota(numbers.begin(), numbers.end(), 0);
    similarity->set_bases(samples.values.view().rows_range(0, base_count), numbers, context);
    require(similarity->bases() == base_count, "bases() is " + std::to_string(similarity->bases()) +
                                                   " after set_bases() with " +
                                                   std::to_string(base_count));
  }
  if (auto* learner = dynamic_cast<Learner*>(&transform))
    learner->train(training.set(), report, context);
  if (auto* of_numbers = dynamic_cast<IntervalCalibrator*>(&transform))
    of_numbers->fit({samples.values.view(), samples.targets, samples.target_names}, report,
                    context);
  if (auto* of_novelty = dynamic_cast<NoveltyCalibrator*>(&transform))
    of_novelty->fit({samples.values.values}, report, context);
  if (auto* calibrator = dynamic_cast<Calibrator*>(&transform)) {
    calibrator->check_scores({"svm", "solver/linear_svm", samples.classes, false});
    calibrator->fit({samples.values.view(), samples.labels, samples.classes, false}, report,
                    context);
  }
  return report.text();
}

/// "one score for each of 3 classes"
std::string learned_values(const ComponentInfo& info, const SampleSet& samples) {
  if (info.output->type == PortType::novelty) return "a single score";
  if (info.output->type == PortType::intervals)
    return "the ends and the estimate of " + std::to_string(samples.target_names.size()) +
           " target numbers";
  const bool estimates = info.output->type == PortType::estimates;
  const std::size_t count = learned_output(info, samples).size();
  return (estimates ? "one estimate for each of " : "one score for each of ") +
         std::to_string(count) + (estimates ? " target numbers" : " classes");
}

void check_output(const Subject& subject, const Transform& transform, const SampleSet& samples,
                  const Layout& output) {
  if (dynamic_cast<const Similarity*>(&transform))
    require(output == Layout::vector(base_count), "bind() gives a " + describe(output) + " with " +
                                                      std::to_string(base_count) + " bases set");
  if (dynamic_cast<const Learner*>(&transform) ||
      dynamic_cast<const HeldOutCalibrator*>(&transform))
    require(output == learned_output(subject.info(), samples),
            "bind() of what is trained gives a " + describe(output) + ", not " +
                learned_values(subject.info(), samples));
  require(output.size() > 0, "bind() gives a layout without values: " + describe(output));
  const auto& declared = subject.info().output->layouts;
  require(declared.size() != 1 || declared[0] == output.kind,
          "bind() gives a " + describe(output) + ", but the declaration says a " +
              (declared.empty() ? "" : name(declared[0])));
}

std::unique_ptr<Transform> create(const Subject& subject, const ComponentConfig& config) {
  const auto kind = subject.info().kind();
  if (kind == "similarity") return subject.create_as<Similarity>(config);
  if (kind == "normalizer") return subject.create_as<Normalizer>(config);
  if (kind == "solver") return subject.create_as<Learner>(config);
  if (kind == "calibrator") return subject.create_as<HeldOutCalibrator>(config);
  return subject.create_as<Transform>(config);
}

std::unique_ptr<Transform> reload(const Subject& subject, const ComponentConfig& config,
                                  const Transform& learned, const Layout& input, Context& context) {
  auto fresh = create(subject, config);
  fresh->bind(input);
  pass_state(learned, *fresh, context);
  return fresh;
}

}  // namespace

void learn(const Subject& subject, const ComponentConfig& config, const SampleSet& samples,
           Context& context) {
  const auto transform = create(subject, config);
  transform->bind(samples.layout);
  learn(*transform, subject.report(config), samples, context);
}

Layout learned_output(const ComponentInfo& info, const SampleSet& samples) {
  switch (info.output->type) {
    case PortType::estimates:
      return Layout::vector(samples.target_names.size());
    case PortType::intervals:
      return Layout::vector(3 * samples.target_names.size());
    case PortType::novelty:
      return Layout::vector(1);
    default:
      return Layout::vector(samples.classes.size());
  }
}

ReadyTransform make_ready(const Subject& subject, const ComponentConfig& config,
                          const SampleSet& samples, const Setting& setting) {
  TrialContext context(setting);
  ReadyTransform ready{create(subject, config), {}, {}};
  ready.transform->bind(samples.layout);
  ready.report = learn(*ready.transform, subject.report(config), samples, context);
  if (setting.reloaded)
    ready.transform = reload(subject, config, *ready.transform, samples.layout, context);
  ready.output = ready.transform->bind(samples.layout);
  check_output(subject, *ready.transform, samples, ready.output);
  return ready;
}

namespace {

/// A solver that refuses a layout reports it at once; training would take long. Only a measure that
/// takes samples that differ in size may refuse some of them later, such as series of several
/// lengths. All others are returned as they are after it.
std::optional<ReadyTransform> try_samples(const Subject& subject, const ComponentConfig& config,
                                          const SampleSet& samples) {
  const bool may_refuse_later = samples.layout.ragged() && !config.parts.empty();
  if (subject.info().kind() != "solver" || may_refuse_later)
    return make_ready(subject, config, samples, {});
  create(subject, config)->bind(samples.layout);
  return std::nullopt;
}

/// For samples that differ in size: whether every nested component for comparisons accepts them.
bool taken_by_parts(const ComponentConfig& config, LayoutKind kind, const Catalogue& catalogue) {
  return std::ranges::all_of(config.parts, [&](const ComponentPart& part) {
    const auto* entry = catalogue.find(part.component.id);
    if (!entry || entry->info.inputs.empty()) return true;
    const auto kinds = entry->info.inputs.front().layouts_taken();
    return std::ranges::find(kinds, kind) != kinds.end() &&
           (takes_pairs_only(entry->info) || taken_by_parts(part.component, kind, catalogue));
  });
}

bool same(const ComponentConfig& one, const ComponentConfig& other) {
  return one.id == other.id && one.values == other.values &&
         std::ranges::equal(one.parts, other.parts,
                            [](const ComponentPart& a, const ComponentPart& b) {
                              return a.parameter == b.parameter && same(a.component, b.component);
                            });
}

const std::vector<SampleSet>& sets_to_try(const Subject& subject) {
  auto& sets = subject.accepted_samples().sets;
  const PortInfo& port = subject.info().inputs.at(0);
  if (!sets.empty()) return sets;
  if (port.type == PortType::estimates) return sets = {estimate_samples(2)};
  if (port.type == PortType::intervals) return sets = {interval_samples(2)};
  if (port.type == PortType::novelty) return sets = {novelty_samples()};
  sets = port.type == PortType::scores ? std::vector<SampleSet>{score_samples()}
                                       : sample_sets(port.layouts);
  if (!subject.info().takes(TargetKind::classes))
    for (SampleSet& samples : sets) samples = with_numbers(std::move(samples));
  return sets;
}

/// Tries the samples in their order, or up to the first that are accepted. Where `tried` is given,
/// it gets what learned from these, if that was now.
const std::vector<std::size_t>& accepted(const Subject& subject, const ComponentConfig& config,
                                         bool all, std::optional<ReadyTransform>* tried = nullptr) {
  auto& found = subject.accepted_samples().found;
  const auto known =
      std::ranges::find_if(found, [&](const auto& f) { return same(f.config, config); });
  if (known != found.end() && (known->all || !all)) return known->accepted;
  AcceptedSamples::Found result{config, {}, all};
  std::string refusals;
  const auto& sets = sets_to_try(subject);
  for (std::size_t k = 0; k < sets.size() && (all || result.accepted.empty()); ++k) {
    if (!parts_take(subject, config, sets[k].layout)) continue;
    try {
      auto ready = try_samples(subject, config, sets[k]);
      if (tried) *tried = std::move(ready);
      result.accepted.push_back(k);
    } catch (const Error& refusal) {
      refusals += (refusals.empty() ? "" : "; ") + describe(sets[k].layout) + ": " + refusal.what();
    }
  }
  require(!result.accepted.empty(), "it accepts none of the samples that were tried: " + refusals);
  if (known != found.end()) return (*known = std::move(result)).accepted;
  return found.emplace_back(std::move(result)).accepted;
}

}  // namespace

bool parts_take(const Subject& subject, const ComponentConfig& config, const Layout& layout) {
  return !layout.ragged() || takes_pairs_only(subject.info()) ||
         taken_by_parts(config, layout.kind, subject.catalogue());
}

std::vector<SampleSet> samples_taken(const Subject& subject, const ComponentConfig& config) {
  std::vector<SampleSet> taken;
  for (const std::size_t k : accepted(subject, config, true))
    taken.push_back(sets_to_try(subject)[k]);
  return taken;
}

SampleSet samples_for(const Subject& subject, const ComponentConfig& config) {
  return sets_to_try(subject)[accepted(subject, config, false).front()];
}

RecordedReport train(const Subject& subject, const ComponentConfig& config, Learner& learner,
                     const SampleSet& samples, Context& context, std::span<const double> weights) {
  const SampleTraining training(samples, weights);
  learner.bind(samples.layout);
  RecordedReport report = subject.report(config);
  learner.train(training.set(), report, context);
  return report;
}

void learns_or_refuses(const Subject& subject, const SampleSet& samples) {
  std::optional<ReadyTransform> ready;
  try {
    ready = make_ready(subject, subject.config(), samples, {});
  } catch (const Error&) {
    return;
  }
  testing::TestContext context;
  require_finite(mapped(*ready, samples.values.view(), context).values,
                 "the values that it gives are not finite, without an error");
}

void require_finite(std::span<const float> values, const std::string& otherwise) {
  require(std::ranges::all_of(values, [](float x) { return std::isfinite(x); }), otherwise);
}

FloatMatrix room_for(const ReadyTransform& ready, MatrixView rows) {
  if (!ready.output.ragged()) return {rows.rows, ready.output.size()};
  std::vector<std::size_t> sizes;
  if (ready.transform->sized_by_content()) {
    sizes.resize(rows.rows);
    testing::TestContext context;
    ready.transform->count_values(rows, sizes, context);
    for (std::size_t i = 0; i < rows.rows; ++i)
      require(
          sizes[i] <= ready.transform->values_of(rows.size(i)) && sizes[i] <= ready.output.size(),
          "count_values() gives " + std::to_string(sizes[i]) + " values of " +
              std::to_string(rows.size(i)) + ", but values_of() at most " +
              std::to_string(ready.transform->values_of(rows.size(i))) + ", and it gives a " +
              describe(ready.output));
    return semblance::room_for(ready.output, sizes);
  }
  for (std::size_t i = 0; i < rows.rows; ++i) {
    sizes.push_back(ready.transform->values_of(rows.size(i)));
    require(sizes.back() <= ready.output.size() && sizes.back() % ready.output.depth == 0,
            "values_of() makes " + std::to_string(sizes.back()) + " values of " +
                std::to_string(rows.size(i)) + ", which is no " + describe(ready.output));
  }
  return semblance::room_for(ready.output, sizes);
}

FloatMatrix mapped(const ReadyTransform& ready, MatrixView rows, Context& context) {
  FloatMatrix result = room_for(ready, rows);
  std::ranges::fill(result.values, std::numeric_limits<float>::quiet_NaN());
  ready.transform->apply(rows, result.view(), context);
  return result;
}

Outcome transform_trial(const Subject& subject, const ComponentConfig& config,
                        const Setting& setting) {
  std::optional<ReadyTransform> tried;
  const std::size_t k = accepted(subject, config, false, &tried).front();
  const SampleSet& samples = sets_to_try(subject)[k];
  const ReadyTransform ready = tried && setting == Setting{}
                                   ? std::move(*tried)
                                   : make_ready(subject, config, samples, setting);
  tried.reset();
  TrialContext context(setting);
  return {mapped(ready, samples.values.view(), context).values, ready.report};
}

}  // namespace semblance::conformance
