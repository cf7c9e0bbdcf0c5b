// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "conformance/recorded_state.hpp"
#include "conformance/sample_set.hpp"
#include "semblance/pair_solver.hpp"

namespace semblance::conformance {
namespace {

/// The solver learns from all pairs of these samples.
constexpr std::size_t rows_paired = 45;

std::vector<std::int32_t> first_rows() {
  std::vector<std::int32_t> rows;
  for (std::size_t i = 0; i < rows_paired; ++i) rows.push_back(static_cast<std::int32_t>(i));
  return rows;
}

PairSet all_pairs(const SampleSet& samples) {
  return PairSet::all_of(first_rows(),
                         {samples.labels.begin(), samples.labels.begin() + rows_paired}, true);
}

struct Trained {
  std::unique_ptr<PairSolver> solver;
  SampleSet samples;
  RecordedReport report;
};

/// Trains on the first samples that it accepts.
Trained train(const Subject& subject, const ComponentConfig& config, Context& context) {
  std::string refusals;
  for (SampleSet& samples : sample_sets(subject.info().inputs.at(0).layouts)) {
    Trained trained{subject.create_as<PairSolver>(config), std::move(samples),
                    subject.report(config)};
    try {
      trained.solver->bind(trained.samples.layout);
    } catch (const Error& refusal) {
      refusals += describe(trained.samples.layout) + ": " + refusal.what() + "; ";
      continue;
    }
    const testing::MemoryRows rows(trained.samples.values);
    const PairSet pairs = all_pairs(trained.samples);
    trained.solver->train({rows, trained.samples.layout, pairs}, trained.report, context);
    return trained;
  }
  throw Failed("it accepts none of the samples that were tried: " + refusals);
}

std::vector<float> scores(const PairSolver& solver, const SampleSet& samples, const PairSet& pairs,
                          Context& context) {
  const testing::MemoryRows rows(samples.values);
  std::vector<float> out(pairs.size(), std::numeric_limits<float>::quiet_NaN());
  solver.score(rows, pairs, out, context);
  return out;
}

void reload(const Subject& subject, const ComponentConfig& config, Trained& trained,
            Context& context) {
  auto fresh = subject.create_as<PairSolver>(config);
  fresh->bind(trained.samples.layout);
  pass_state(*trained.solver, *fresh, context);
  trained.solver = std::move(fresh);
}

Outcome pair_solver_trial(const Subject& subject, const ComponentConfig& config,
                          const Setting& setting) {
  TrialContext context(setting);
  Trained trained = train(subject, config, context);
  if (setting.reloaded) reload(subject, config, trained, context);
  return {scores(*trained.solver, trained.samples, all_pairs(trained.samples), context),
          trained.report.text()};
}

void every_score(const Subject& subject) {
  testing::TestContext context;
  const Trained trained = train(subject, subject.config(), context);
  require_finite(scores(*trained.solver, trained.samples, all_pairs(trained.samples), context),
                 "a score is not finite or was not written");
  require(!trained.report.text_of("certificate").empty(), "it does not report its certificate");
  require(trained.report.has("objective"), "it does not report its objective");
}

/// Scores all pairs, the same pairs as a list, and each half of the list; with unknown labels.
void ways_to_ask(const Subject& subject) {
  testing::TestContext context;
  const Trained trained = train(subject, subject.config(), context);
  const PairSet all = all_pairs(trained.samples);
  const std::vector<float> whole = scores(*trained.solver, trained.samples, all, context);
  std::vector<Pair> list = all.expanded();
  for (Pair& pair : list) pair.label = 0;
  const auto same = [&](std::size_t first, std::size_t count) {
    const PairSet part = PairSet::listed(
        {list.begin() + std::ptrdiff_t(first), list.begin() + std::ptrdiff_t(first + count)});
    const std::string what = difference(
        {{whole.begin() + std::ptrdiff_t(first), whole.begin() + std::ptrdiff_t(first + count)},
         ""},
        {scores(*trained.solver, trained.samples, part, context), ""});
    require(what.empty(), "asked for " + std::to_string(count) + " pairs as a list: " + what);
  };
  same(0, list.size());
  same(0, list.size() / 2);
  same(list.size() / 2, list.size() - list.size() / 2);
  same(17, 1);
}

void pair_solver_keeps_its_model(const Subject& subject) {
  testing::TestContext context;
  context.stop = StopReason::cancelled;
  try {
    const Trained trained = train(subject, subject.config(), context);
    context.stop = StopReason::none;
    scores(*trained.solver, trained.samples, all_pairs(trained.samples), context);
  } catch (const Cancelled&) {
    // It has no model yet.
  }
}

}  // namespace

void add_pair_solver_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"every score is written and finite, and reported on", every_score},
       {"same bits however the pairs are requested", ways_to_ask},
       {"stopped before its first step", pair_solver_keeps_its_model}});
  add_repetition_and_reload_checks(checks, subject, pair_solver_trial);
}

}  // namespace semblance::conformance
