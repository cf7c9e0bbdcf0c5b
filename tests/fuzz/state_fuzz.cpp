// SPDX-License-Identifier: MIT
#include "conformance/ready_transform.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/similarity.hpp"
#include "trained_components.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

namespace {

/// The number of values per row that the runtime expects before reading the state.
std::size_t expected_size(const Trained& trained, const Layout& bound) {
  const auto kind = trained.subject->info().kind();
  if (kind == "similarity") return conformance::base_count;
  if (kind != "solver") return bound.size();
  return conformance::learned_output(trained.subject->info(), trained.samples).size();
}

/// In the runtime's order: bound, loaded, applied.
void use_transform(const Trained& trained, const DamagedState& state, Context& context) {
  conformance::ReadyTransform ready{trained.subject->create_as<Transform>(), {}, {}};
  const auto& transform = ready.transform;
  ready.output = transform->bind(trained.samples.layout);
  const std::size_t size = expected_size(trained, ready.output);
  transform->load(state, context);
  const auto* similarity = dynamic_cast<const Similarity*>(transform.get());
  if (similarity && similarity->bases() != size) return;  // which the runtime refuses
  const MatrixView rows = trained.samples.values.view().rows_range(0, 3);
  FloatMatrix result =
      ready.output.ragged() ? conformance::room_for(ready, rows) : FloatMatrix(3, size);
  transform->apply(rows, result.view(), context);
  DamagedState again;
  transform->save(again);
}

void use_pair_solver(const Trained& trained, const DamagedState& state, Context& context) {
  const auto solver = trained.subject->create_as<PairSolver>();
  solver->bind(trained.samples.layout);
  solver->load(state, context);
  const testing::MemoryRows rows(trained.samples.values);
  const PairSet pairs = PairSet::listed({{0, 1, 0}, {2, 2, 0}, {299, 0, 0}});
  std::vector<float> scores(pairs.size());
  solver->score(rows, pairs, scores, context);
  DamagedState again;
  solver->save(again);
}

}  // namespace

// The id of a component on a separate line, then the damage to its state.
FUZZ_TARGET(state) {
  static TrainedComponents components(SEMBLANCE_PLUGINS);
  const Trained& trained = components[input.until('\n')];
  if (trained.state.empty()) return;
  DamagedState state = trained.state;
  for (int n = 0; n < 4 && !input.empty(); ++n) state.damage(input);
  expect_result_or_error([&] {
    testing::TestContext context(1);
    context.budget = memory;
    if (trained.subject->info().input("pairs"))
      use_pair_solver(trained, state, context);
    else
      use_transform(trained, state, context);
  });
}
