// SPDX-License-Identifier: MIT
#include "runtime/session/run_data.hpp"

#include <set>
#include <utility>

#include "runtime/graph/node_files.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/session/row_names.hpp"

namespace semblance {

RunData::RunData(RunProgress& progress, const Catalogue& catalogue, InputFiles& files,
                 RowMemory& memory, SlowData* slow, bool of_model)
    : progress_(progress),
      catalogue_(catalogue),
      files_(files),
      memory_(memory),
      shared_trainings_(progress, memory),
      of_model_(of_model),
      open_(progress.graph(), catalogue, progress.services(), files, memory, progress.ranks(),
            slow) {}

const Dataset& RunData::dataset(std::size_t i) {
  const std::size_t source = progress_.facts(i).spec->origin;
  const std::lock_guard lock(open_mutex_);
  auto& opened = open_.of(progress_.facts(source));
  if (!opened.dataset) {
    progress_.started(source);
    guard(source, "reading the data", [&] {
      Trace& trace = progress_.journal().trace();
      Span span(&trace, trace.label(progress_.facts(source).name(), "open"));
      open_.open(progress_.node(source), of_model_);
      progress_.run(source).busy_nanoseconds += std::chrono::nanoseconds(span.end()).count();
    });
  }
  return *opened.dataset;
}

std::span<const std::int32_t> RunData::training_labels(std::size_t i) {
  return dataset(i).labels().first(progress_.facts(i).outline->train_rows);
}

std::span<const double> RunData::training_targets(std::size_t i) {
  const Outline& outline = *progress_.facts(i).outline;
  const auto targets = dataset(i).targets();
  return targets.empty() ? targets : targets.first(outline.train_rows * outline.targets.size());
}

std::span<const double> RunData::training_weights(std::size_t i) {
  const auto weights = dataset(i).weights();
  return weights.empty() ? weights : weights.first(progress_.facts(i).outline->train_rows);
}

std::span<const std::int32_t> RunData::training_groups(std::size_t i) {
  const auto groups = dataset(i).groups();
  return groups.empty() ? groups : groups.first(progress_.facts(i).outline->train_rows);
}

std::span<const std::int64_t> RunData::row_numbers(std::size_t i) {
  const auto numbers = all_row_numbers(i);
  return numbers.empty() ? numbers : numbers.first(progress_.facts(i).outline->train_rows);
}

std::span<const std::int64_t> RunData::all_row_numbers(std::size_t i) {
  dataset(i);
  return opened(i).row_numbers;
}

bool RunData::columns_told(std::size_t i) {
  const std::lock_guard lock(open_mutex_);
  return std::exchange(opened(i).columns_told, true);
}

void RunData::check_files(std::size_t i) {
  const std::lock_guard lock(open_mutex_);
  std::set<std::size_t> leading = {i};  // to node i, from the last one on
  while (!leading.empty()) {
    const std::size_t n = *leading.rbegin();
    leading.erase(n);
    for (const auto& input : progress_.facts(n).spec->inputs)
      leading.insert(input.nodes.begin(), input.nodes.end());
    guard(n, progress_.facts(n).is_source() ? "reading the data" : "reading its files", [&] {
      if (progress_.facts(n).is_source())
        open_.check_files(progress_.node(n));
      else
        semblance::check_files(progress_.node(n), catalogue_, files_);
    });
  }
}

void RunData::guard(std::size_t i, const std::string& phase,
                    const std::function<void()>& body) const {
  in_node(*progress_.graph().pipeline, *progress_.facts(i).spec, phase, [&] {
    try {
      body();
    } catch (const RowError& problem) {
      throw Error(problem.named(row_name(progress_.graph(), *this, i, problem)));
    }
  });
}

bool RunData::may_open_data(std::size_t i) const {
  if (progress_.ranks().together()) return true;
  const NodeFacts& source = progress_.facts(progress_.facts(i).spec->origin);
  const std::size_t data = source.shares_data_of;
  if (data_bytes_.empty() || data_bytes_.contains(data)) return true;
  std::size_t bytes = expected_bytes(source, source.outline->rows());
  for (const auto& [other, taken] : data_bytes_) bytes += taken;
  return bytes <= progress_.plan().source_bytes;
}

bool RunData::admit_data(std::size_t i, bool beyond) {
  if (!beyond && !may_open_data(i)) return false;
  const NodeFacts& source = progress_.facts(progress_.facts(i).spec->origin);
  data_bytes_.emplace(source.shares_data_of, expected_bytes(source, source.outline->rows()));
  return true;
}

void RunData::close_finished_data() {
  const auto over = [&](std::size_t i) {
    return progress_.run(i).life == Life::finished || progress_.run(i).failed() ||
           (progress_.purpose().shares_work && !progress_.unfinished(i));
  };
  std::set<std::size_t> in_use;
  std::vector<char> needed(progress_.size(), 0);
  for (std::size_t i = 0; i < progress_.size(); ++i)
    if (!over(i)) needed[progress_.facts(i).spec->origin] = 1;
  for (std::size_t source = 0; source < progress_.size(); ++source) {
    if (!progress_.facts(source).is_source()) continue;
    if (needed[source])
      in_use.insert(progress_.facts(source).shares_data_of);
    else
      open_.of(progress_.facts(source)).dataset.reset();
  }
  std::erase_if(data_bytes_, [&](const auto& data) { return !in_use.contains(data.first); });
}

void RunData::close_all_data() {
  for (std::size_t source = 0; source < progress_.size(); ++source)
    if (progress_.facts(source).is_source()) open_.of(progress_.facts(source)).dataset.reset();
  data_bytes_.clear();
}

void RunData::take_least_memory(bool least) {
  Plan taken = allotted_;
  if (least) allot_least(taken);
  Plan& plan = progress_.plan();
  plan.source_bytes = taken.source_bytes;
  plan.block_bytes = taken.block_bytes;
  plan.blocks = progress_.services().blocks = taken.blocks;
  memory_.take_throughout(fixed_bytes(plan));
  memory_.let_rows_stay(!least);
}

void RunData::take_allotted_memory() {
  allotted_ = progress_.plan();
  allotted_.nodes.clear();
  take_least_memory(false);
}

void RunData::use_store(ArtifactStore& store, std::unique_ptr<ArtifactStore::Hold> hold) {
  store_ = &store;
  store_hold_ = std::move(hold);
}

void RunData::keep_only_what_was_learned() {
  for (std::size_t i = 0; i < progress_.size(); ++i) {
    NodeRun& ended = progress_.run(i);
    ended.draft.reset();
    ended.rows.reset();
    ended.offsets.store(nullptr);
    if (ended.has_rows()) ended.rows_life = RowsLife::released;
    progress_.node(i).drop_rows();
    if (progress_.facts(i).is_source()) open_.of(progress_.facts(i)) = {};
  }
  store_hold_.reset();
  store_ = nullptr;
}

}  // namespace semblance
