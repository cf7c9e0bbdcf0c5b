// SPDX-License-Identifier: MIT
#include "runtime/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "pipeline/held_out.hpp"
#include "pipeline/resolved.hpp"
#include "runtime/graph/node_files.hpp"
#include "runtime/graph/node_keys.hpp"
#include "runtime/ranks/shared_store.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/services/process_threads.hpp"
#include "runtime/services/processor.hpp"
#include "runtime/session/compile.hpp"
#include "runtime/session/row_names.hpp"
#include "support/safe_text.hpp"

namespace semblance {
namespace {

RunOptions possible(RunOptions options) {
  options.threads = usable_threads(options.threads);
  return options;
}

}  // namespace

Session::Session(const Pipeline& pipeline, const Catalogue& catalogue, const RunOptions& options,
                 RunPurpose purpose, const KnownShapes* known)
    : options_(possible(options)),
      purpose_(std::move(purpose)),
      catalogue_(catalogue),
      predicting_(known != nullptr),
      pipeline_(predicting_ ? pipeline : with_held_out(pipeline)),
      stop_(options.deadline, options.cancel),
      ranks_(options.transport, [this] { return stop_.reason(); }),
      arena_(std::make_unique<tbb::task_arena>(static_cast<int>(options_.threads))),
      journal_(pipeline, options_),
      memory_(options_, journal_),
      services_{stop_,
                *arena_,
                options_.threads,
                [this](LogLevel level, const std::string& line) { journal_.log(level, line); },
                [this](const std::string& name, double done, double total) {
                  journal_.node_progress(name, done, total);
                },
                [this] { return memory_.free(); },
                0,
                1,
                options_.cache.empty() ? options_.cache : options_.cache / "spill"} {
  // Each rank reads its own rows, and new rows are read once.
  if (options_.use_cache && !predicting_ && ranks_.count() == 1) open_store();
  execute([&] {
    graph_ = compile(pipeline_, catalogue_, services_, files_, known, ranks_.count() > 1,
                     slow_data_.get());
  });
  data_ = std::make_unique<OpenData>(graph_, catalogue_, services_, files_, memory_, ranks_,
                                     slow_data_.get());
  for (std::size_t i = 0; i < size(); ++i) runs_.push_back(std::make_unique<NodeRun>());
}

Session::~Session() {
  // Its threads are the parent's, and its destructor might wait for them.
  if (lost_workers()) static_cast<void>(arena_.release());
}

void Session::open_store() {
  store_ = std::make_unique<ArtifactStore>(options_.cache);
  store_hold_ = store_->hold();
  slow_data_ = std::make_unique<SlowData>(catalogue_, services_, *store_, files_);
}

void Session::execute(const std::function<void()>& body) {
  const OneBlasThread one;
  // A single thread needs no arena, and creating one would wait for it.
  if (options_.threads == 1) return body();
  expect_workers(options_.threads);
  arena_->execute(body);
}

void Session::keep_only_what_was_learned() {
  for (std::size_t i = 0; i < size(); ++i) {
    NodeRun& ended = run(i);
    ended.draft.reset();
    ended.rows.reset();
    ended.offsets.store(nullptr);
    if (ended.has_rows()) ended.rows_life = RowsLife::released;
    node(i).drop_rows();
    if (facts(i).is_source()) data_->of(facts(i)) = {};
  }
  store_hold_.reset();
  slow_data_.reset();
  store_.reset();
  stop_.disarm();
  journal_.fall_silent();
  options_.cancel = nullptr;
  options_.on_progress = nullptr;
  options_.on_log = nullptr;
}

void Session::prepare() {
  assign_keys(graph_, catalogue_, files_);
  journal_.record().files = files_.checksums();
  watch_ranks();
  check_same_run("");
  // Where all ranks must make the same calls, one decides.
  options_.use_cache = ranks_.from_first(options_.use_cache ? "store" : "") == "store";
  options_.checkpoint = std::stod(ranks_.from_first(std::to_string(options_.checkpoint)));
  if (options_.use_cache) {
    if (!store_) open_store();
    if (ranks_.together()) ranks_share_store_ = all_see_store(ranks_, *store_);
    if (ranks_.together() && !ranks_share_store_ && ranks_.first())
      journal_.log(LogLevel::warning,
                   "not all ranks see the artifact store '" + store_->folder().string() +
                       "' of the first: they take nothing from it, and rows are not stored; use a "
                       "store that all see (--cache DIR), or none (--no-cache)");
  }
  const auto damaged = [this](const std::string& what) { journal_.log(LogLevel::warning, what); };
  // One rank reads every byte; an artifact counts as stored only if all ranks have it.
  const auto stored = [&](const std::string& key) {
    if (!store_) return false;
    const bool verify = ranks_.first() && !purpose_.shares_work;
    return ranks_.all(verify ? store_->find(key, damaged).has_value() : store_->contains(key));
  };
  plan_ = make_plan(
      graph_, stored, known_failing(),
      purpose_.planned_ranks > 0 ? largest_share(purpose_.planned_ranks) : share_of(ranks_));
  // All ranks do the same at the same time, so no node can wait.
  if (ranks_.together() || purpose_.planned_ranks > 0) {
    plan_.largest_source_bytes = plan_.source_bytes;
    plan_.least_block_bytes = plan_.block_bytes;
  }
  allot_memory(plan_, options_.memory, options_.threads);
  allotted_ = plan_;
  allotted_.nodes.clear();
  take_least_memory(false);
  describe_nodes();
  settle_idle_evaluators();
  for (std::size_t i = 0; i < size(); ++i)
    if (const auto known = purpose_.failures.find(facts(i).key); known != purpose_.failures.end())
      fail(i, known->second);
}

std::vector<char> Session::known_failing() const {
  std::vector<char> failing(size(), 0);
  for (std::size_t i = 0; i < size(); ++i) {
    if (purpose_.failures.contains(facts(i).key)) failing[i] = 1;
    if (failing[i])
      for (const std::size_t consumer : facts(i).consumers) failing[consumer] = 1;
  }
  return failing;
}

void Session::renew_plan(const std::function<bool(const std::string& key)>& stored) {
  std::vector<char> failed(size(), 0);
  for (std::size_t i = 0; i < size(); ++i) failed[i] = run(i).failed() ? 1 : 0;
  // The memory taken throughout was decided at the start.
  plan_.nodes = make_plan(graph_, stored, failed, share_of(ranks_)).nodes;
}

bool Session::unfinished(std::size_t i) const {
  const NodePlan& planned = plan(i);
  const NodeRun& state = run(i);
  if (state.failed()) return false;
  if (planned.learns() && state.life == Life::waiting) return true;
  return planned.rows == RowsPlan::kept && planned.used() && state.rows_pending();
}

void Session::prepare_prediction(const std::string& model) {
  if (ranks_.together()) {
    assign_keys(graph_, catalogue_, files_);
    check_same_run(model);
  }
  plan_.nodes.resize(size());
  memory_.take_throughout(program_bytes);
  describe_nodes();
}

void Session::describe_nodes() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < size(); ++i) {
    auto& record = run(i).record;
    const auto& spec = *facts(i).spec;
    names.push_back(spec.name);
    record.name = spec.name;
    record.component = spec.component.id;
    record.summary = spec.info().summary;
    record.figures = spec.figures;
    record.parameters = parameters_json(spec.component);
    for (const auto& input : spec.inputs)
      for (const std::size_t from : input.nodes)
        if (input.port != held_out_port) record.inputs.push_back(facts(from).name());
    if (plan(i).learning == Learning::none) ready(i);
  }
  journal_.open_display(names);
}

void Session::settle_idle_evaluators() {
  for (std::size_t i = 0; i < size(); ++i) {
    if (!facts(i).lacks_test_rows()) continue;
    if (purpose_.settles_idle_evaluators()) {
      judged_before(i);
      continue;
    }
    guard(i, "preparing", [&] {
      throw Error("there are no test rows to evaluate; give the source '" +
                  facts(facts(i).spec->origin).name() +
                  "' some (test_fraction, test_path), or evaluate by cross-validation: select: "
                  "{metric: " +
                  facts(i).name() + ".error_rate}");
    });
  }
}

bool Session::stopping() const {
  return (ranks_.together() ? ranks_.stop() : stop_.reason()) != StopReason::none;
}

std::string Session::stopper() const {
  if (!ranks_.together() || stop_.reason() != StopReason::none) return stop_.stopper();
  return ranks_.stop() == StopReason::deadline ? "the deadline" : "another rank";
}

void Session::watch_ranks() {
  if (!ranks_.together()) return;
  const auto doing = [this]() -> std::string {
    const std::size_t learns = learns_;
    if (learns == 0) return "rows were being computed or written";
    const Node& node = graph_.node(learns - 1);
    return "node '" + node.name() + "' (" + node.facts().spec->component.id + ") was " +
           node.phase();
  };
  const auto tell = [this](const std::string& message) {
    // Other ranks are silent.
    if (ranks_.first())
      journal_.log(LogLevel::warning, message);
    else
      fmt::print(stderr, "semblance: {}\n", safe_text(message));
  };
  watch_ = std::make_unique<RankWatch>(ranks_, doing, tell);
}

std::optional<std::vector<RowSpan>> Session::own_rows(std::size_t i, RowSpan span) const {
  if (!ranks_.together()) return std::nullopt;
  const Outline& outline = *facts(i).outline;
  std::vector<RowSpan> own = ranks_.own(span, outline.train_rows, outline.rows());
  for (RowSpan& piece : own) piece.first -= span.first;
  return own;
}

void Session::check_same_run(const std::string& model) {
  if (!ranks_.together()) return;
  const auto demand_same = [&](const std::string& own, const char* difference,
                               const std::string& remedy) {
    const std::string firsts = ranks_.from_first(own);
    const std::vector<char> same =
        ranks_.collectives().gather(std::vector<char>(1, own == firsts ? 1 : 0));
    const auto other = static_cast<std::size_t>(std::ranges::find(same, 0) - same.begin());
    if (other < same.size())
      throw Error("rank " + std::to_string(other) + " on " + ranks_.transport().place(other) +
                  " has " + difference + " than rank 0 on " + ranks_.transport().place(0) + "; " +
                  remedy);
  };
  // Common results of all ranks must have the same bits everywhere: otherwise they would wait for
  // each other for ever where one of them takes an additional step.
  demand_same(
      processor_kind(), "another kind of processor",
      "what both compute would differ in the last digits, and with it how many steps they take: "
      "they would wait for each other forever. Start all ranks on machines of the same kind");
  demand_same(model, "another model", "copy that of the first rank");
  std::string keys;
  for (std::size_t i = 0; i < size(); ++i) keys += facts(i).key;
  demand_same(keys,
              "another pipeline, other data or options, or another version of the program or its "
              "plugins,",
              "make them the same");
}

NodeContext Session::context(std::size_t i) {
  const auto& spec = *facts(i).spec;
  NodeContext made(services_, spec.name, mixed_seed(spec.seed, spec.component.id));
  const bool together = learning_together_ == i;
  if (together) made.learn_with(&ranks_.collectives());
  // Components side by side in one node would mistake each other's checkpoints for their own.
  if (NodeCheckpoint* checkpoint = run(i).checkpoint.get();
      checkpoint && node(i).parts.size() == 1) {
    checkpoint->learn_with(together ? &ranks_.collectives() : nullptr);
    made.keep_in(checkpoint);
  }
  return made;
}

void Session::guard(std::size_t i, const std::string& phase,
                    const std::function<void()>& body) const {
  in_node(*graph_.pipeline, *facts(i).spec, phase, [&] {
    try {
      body();
    } catch (const RowError& problem) {
      throw Error(problem.named(row_name(*this, i, problem)));
    }
  });
}

const Dataset& Session::dataset(std::size_t i) {
  const std::size_t source = facts(i).spec->origin;
  const std::lock_guard lock(open_mutex_);
  auto& opened = data_->of(facts(source));
  if (!opened.dataset) {
    started(source);
    guard(source, "reading the data", [&] {
      const auto start = Trace::Clock::now();
      data_->open(node(source), predicting_);
      const auto end = Trace::Clock::now();
      Trace& trace = journal_.trace();
      trace.record(trace.label(facts(source).name(), "open"), Trace::no_row, start, end);
      run(source).busy_nanoseconds += std::chrono::nanoseconds(end - start).count();
    });
  }
  return *opened.dataset;
}

std::span<const std::int64_t> Session::row_numbers(std::size_t i) {
  const auto numbers = all_row_numbers(i);
  return numbers.empty() ? numbers : numbers.first(facts(i).outline->train_rows);
}

std::span<const std::int64_t> Session::all_row_numbers(std::size_t i) {
  dataset(i);
  return opened(i).row_numbers;
}

std::span<const std::int32_t> Session::training_labels(std::size_t i) {
  return dataset(i).labels().first(facts(i).outline->train_rows);
}

std::span<const double> Session::training_weights(std::size_t i) {
  const auto weights = dataset(i).weights();
  return weights.empty() ? weights : weights.first(facts(i).outline->train_rows);
}

std::span<const std::int32_t> Session::training_groups(std::size_t i) {
  const auto groups = dataset(i).groups();
  return groups.empty() ? groups : groups.first(facts(i).outline->train_rows);
}

bool Session::columns_told(std::size_t i) {
  const std::lock_guard lock(open_mutex_);
  return std::exchange(opened(i).columns_told, true);
}

void Session::take_least_memory(bool least) {
  Plan taken = allotted_;
  if (least) allot_least(taken);
  plan_.source_bytes = taken.source_bytes;
  plan_.block_bytes = taken.block_bytes;
  plan_.blocks = services_.blocks = taken.blocks;
  memory_.take_throughout(fixed_bytes(plan_));
  memory_.let_rows_stay(!least);
}

bool Session::may_open_data(std::size_t i) const {
  if (ranks_.together()) return true;
  const NodeFacts& source = facts(facts(i).spec->origin);
  const std::size_t data = source.shares_data_of;
  if (data_bytes_.empty() || data_bytes_.contains(data)) return true;
  std::size_t bytes = expected_bytes(source, source.outline->rows());
  for (const auto& [other, taken] : data_bytes_) bytes += taken;
  return bytes <= plan_.source_bytes;
}

bool Session::admit_data(std::size_t i, bool beyond) {
  if (!beyond && !may_open_data(i)) return false;
  const NodeFacts& source = facts(facts(i).spec->origin);
  data_bytes_.emplace(source.shares_data_of, expected_bytes(source, source.outline->rows()));
  return true;
}

void Session::close_all_data() {
  for (std::size_t source = 0; source < size(); ++source)
    if (facts(source).is_source()) data_->of(facts(source)).dataset.reset();
  data_bytes_.clear();
}

void Session::check_files(std::size_t i) {
  const std::lock_guard lock(open_mutex_);
  std::set<std::size_t> leading = {i};  // to node i, from the last one on
  while (!leading.empty()) {
    const std::size_t n = *leading.rbegin();
    leading.erase(n);
    for (const auto& input : facts(n).spec->inputs)
      leading.insert(input.nodes.begin(), input.nodes.end());
    guard(n, facts(n).is_source() ? "reading the data" : "reading its files", [&] {
      if (facts(n).is_source())
        data_->check_files(facts(n));
      else
        semblance::check_files(facts(n), catalogue_, files_);
    });
  }
}

void Session::close_finished_data() {
  const auto over = [&](std::size_t i) {
    return run(i).life == Life::finished || run(i).failed() ||
           (purpose_.shares_work && !unfinished(i));
  };
  std::set<std::size_t> in_use;
  std::vector<char> needed(size(), 0);
  for (std::size_t i = 0; i < size(); ++i)
    if (!over(i)) needed[facts(i).spec->origin] = 1;
  for (std::size_t source = 0; source < size(); ++source) {
    if (!facts(source).is_source()) continue;
    if (needed[source])
      in_use.insert(facts(source).shares_data_of);
    else
      data_->of(facts(source)).dataset.reset();
  }
  std::erase_if(data_bytes_, [&](const auto& data) { return !in_use.contains(data.first); });
}

void Session::started(std::size_t i) {
  if (run(i).computed) return;
  run(i).computed = true;
  journal_.node_started(facts(i).name());
}

void Session::finished(std::size_t i) {
  auto& ended = run(i);
  if (ended.life == Life::finished) return;
  ended.life = Life::finished;
  ended.record.seconds = static_cast<double>(ended.busy_nanoseconds.load()) * 1e-9;
  ended.record.cached = !ended.computed;
  if (ended.rows_predicted > 0) {
    ended.record.metrics["predict_rows"] = ended.rows_predicted.load();
    ended.record.metrics["predict_seconds"] =
        static_cast<double>(ended.predict_nanoseconds.load()) * 1e-9;
  }
  journal_.node_finished(ended.record);
}

void Session::judged_before(std::size_t i) {
  run(i).life = Life::finished;
  journal_.node_settled(facts(i).name(),
                        purpose_.cross_validated
                            ? "nothing is left to test: cross-validation has evaluated it"
                            : "there is nothing to test");
}

void Session::fail(std::size_t i, const std::string& message) {
  auto& failing = run(i);
  if (failing.failed()) return;
  failing.life = Life::failed;
  failing.rows.reset();
  failing.draft.reset();
  failing.rows_life = RowsLife::pending;
  node(i).drop_rows();
  if (!message.empty()) purpose_.on_failure(i, message);
  for (const std::size_t consumer : facts(i).consumers) fail(consumer, "");
}

}  // namespace semblance
