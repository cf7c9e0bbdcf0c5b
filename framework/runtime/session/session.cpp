// SPDX-License-Identifier: MIT
#include "runtime/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/held_out.hpp"
#include "pipeline/resolved.hpp"
#include "runtime/graph/node_files.hpp"
#include "runtime/graph/node_keys.hpp"
#include "runtime/ranks/exchange.hpp"
#include "runtime/services/process_threads.hpp"
#include "runtime/services/processor.hpp"
#include "runtime/session/compile.hpp"
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
                options_.brief ? 1 : options_.threads,
                [this](LogLevel level, const std::string& line) { journal_.log(level, line); },
                [this](const std::string& name, double done, double total) {
                  journal_.node_progress(name, done, total);
                },
                [this] { return memory_.free(); },
                0,
                1,
                options_.cache.empty() ? options_.cache : options_.cache / "spill"} {
  // Each rank reads its own rows, and new rows are read once.
  if (options_.use_cache && !predicting_ && ranks_.count() == 1)
    open_store();
  else if (ranks_.count() == 1)
    slow_data_ = std::make_unique<SlowData>(catalogue_, services_, nullptr, files_,
                                            options_.shared_data.get());
  execute([&] {
    graph_ = compile(pipeline_, catalogue_, services_, files_, known, ranks_.count() > 1,
                     slow_data_.get());
  });
  if (slow_data_) slow_data_->take_room(memory_);
  progress_.emplace(graph_, options_, purpose_, services_, journal_, ranks_);
  data_.emplace(*progress_, catalogue_, files_, memory_, slow_data_.get(), predicting_);
  if (store_) data_->use_store(*store_, std::move(store_hold_));
}

Session::~Session() {
  // Its threads are the parent's, and its destructor might wait for them.
  if (lost_workers()) static_cast<void>(arena_.release());
}

void Session::open_store() {
  store_ = std::make_unique<ArtifactStore>(options_.cache);
  store_hold_ = store_->hold();
  slow_data_ = std::make_unique<SlowData>(catalogue_, services_, store_.get(), files_);
}

void Session::execute(const std::function<void()>& body) {
  const OneBlasThread one;
  // A single thread needs no arena, and creating one would wait for it.
  if (options_.threads == 1) return body();
  expect_workers(options_.threads);
  if (services_.threads == 1) return body();
  arena_->execute(body);
}

void Session::keep_only_what_was_learned() {
  data_->keep_only_what_was_learned();
  // Without a store, sources may still ask for what is retained.
  if (store_)
    slow_data_.reset();
  else if (slow_data_)
    slow_data_->forget();
  store_.reset();
  services_.threads = options_.threads;
  stop_.disarm();
  journal_.fall_silent();
  options_.cancel = nullptr;
  options_.on_progress = nullptr;
  options_.on_log = nullptr;
}

/// Whether the store, other ranks, workers or trainings may ask which node is which.
bool Session::needs_keys() const {
  return graph_.size() > 2 || options_.use_cache || ranks_.together() || purpose_.shares_work ||
         !purpose_.failures.empty() || std::ranges::any_of(graph_.nodes, [](const auto& node) {
           return !node->facts().files.empty();
         });
}

void Session::prepare() {
  if (needs_keys()) assign_keys(graph_, catalogue_, files_);
  for (const auto& node : graph_.nodes)
    if (node->facts().is_source() && node->facts().spec->fold.count == 0)
      note_content(*node, catalogue_, files_);
  journal_.record().files = files_.checksums();
  watch_ranks();
  check_same_run("");
  // Where all ranks must make the same calls, one decides.
  options_.use_cache = ranks_.from_first(options_.use_cache ? "store" : "") == "store";
  if (options_.use_cache) {
    if (!store_) {
      open_store();
      data_->use_store(*store_, std::move(store_hold_));
    }
    const bool shared = ranks_.together() && all_see_store(ranks_, *store_);
    data_->share_store(shared);
    if (ranks_.together() && !shared && ranks_.first())
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
  Plan& plan = progress_->plan();
  plan = make_plan(
      graph_, stored, known_failing(),
      purpose_.planned_ranks > 0 ? largest_share(purpose_.planned_ranks) : share_of(ranks_));
  // All ranks do the same at the same time, so no node can wait.
  if (ranks_.together() || purpose_.planned_ranks > 0) {
    plan.largest_source_bytes = plan.source_bytes;
    plan.least_block_bytes = plan.block_bytes;
  }
  allot_memory(plan, options_.memory, options_.threads);
  data_->take_allotted_memory();
  describe_nodes();
  settle_idle_evaluators();
  for (std::size_t i = 0; i < graph_.size(); ++i)
    if (const auto known = purpose_.failures.find(graph_.facts(i).key);
        known != purpose_.failures.end())
      progress_->fail(i, known->second);
}

std::vector<char> Session::known_failing() const {
  std::vector<char> failing(graph_.size(), 0);
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    if (purpose_.failures.contains(graph_.facts(i).key)) failing[i] = 1;
    if (failing[i])
      for (const std::size_t consumer : graph_.facts(i).consumers) failing[consumer] = 1;
  }
  return failing;
}

void Session::prepare_prediction(const std::string& model) {
  if (ranks_.together()) {
    assign_keys(graph_, catalogue_, files_);
    check_same_run(model);
  }
  progress_->plan().nodes.resize(graph_.size());
  memory_.take_throughout(program_bytes(options_.memory));
  describe_nodes();
}

void Session::check_same_data(const std::map<std::string, std::string>& contents) {
  for (const auto& node : graph_.nodes) {
    const auto known = contents.find(node->name());
    if (known == contents.end() || node->facts().new_data) continue;
    note_content(*node, catalogue_, files_);
    if (node->facts().content != known->second)
      throw Error("the files of '" + node->name() +
                  "' have changed since the model was trained, so it is not known which rows it "
                  "has learned from; name the data after the model, as in MODEL DATA");
  }
}

void Session::describe_nodes() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    auto& record = progress_->run(i).record;
    const auto& spec = *graph_.facts(i).spec;
    names.push_back(spec.name);
    record.name = spec.name;
    record.component = spec.component.id;
    record.summary = spec.info().summary;
    record.figures = spec.figures;
    record.parameters = parameters_json(spec.component);
    for (const auto& input : spec.inputs)
      for (const std::size_t from : input.nodes)
        if (input.port != held_out_port) record.inputs.push_back(graph_.facts(from).name());
    if (progress_->plan(i).learning == Learning::none) progress_->ready(i);
  }
  journal_.open_display(names);
}

namespace {

/// The first of a component's headline figures, preferring one of which less is better. Where the
/// component takes several kinds of results, its figures depend on them.
std::string figure_to_select_by(const ComponentInfo& evaluator) {
  if (evaluator.inputs.size() > 1) return "FIGURE";
  std::string found = "FIGURE";
  for (auto figure = evaluator.figures.rbegin(); figure != evaluator.figures.rend(); ++figure)
    if (figure->headline && figure->better == Better::higher) found = figure->name;
  for (auto figure = evaluator.figures.rbegin(); figure != evaluator.figures.rend(); ++figure)
    if (figure->headline && figure->better == Better::lower) found = figure->name;
  return found;
}

}  // namespace

void Session::settle_idle_evaluators() {
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    if (!graph_.facts(i).lacks_test_rows()) continue;
    if (purpose_.settles_idle_evaluators()) {
      progress_->judged_before(i);
      continue;
    }
    data_->guard(i, "preparing", [&] {
      throw Error("there are no test rows to evaluate; give the source '" +
                  graph_.facts(graph_.facts(i).spec->origin).name() +
                  "' some (test_fraction, test_path), or evaluate by cross-validation: select: "
                  "{metric: " +
                  graph_.facts(i).name() + "." + figure_to_select_by(graph_.facts(i).spec->info()) +
                  "}");
    });
  }
}

std::string Session::stopper() const {
  if (!ranks_.together() || stop_.reason() != StopReason::none) return stop_.stopper();
  return ranks_.stop() == StopReason::deadline ? "the deadline" : "another rank";
}

void Session::watch_ranks() {
  if (!ranks_.together()) return;
  const auto doing = [this]() -> std::string {
    const auto learns = progress_->learning();
    if (!learns) return "rows were being computed or written";
    const Node& node = graph_.node(*learns);
    return "node '" + node.name() + "' (" + node.facts().spec->component.id + ") was " +
           node.facts().phase;
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
  for (std::size_t i = 0; i < graph_.size(); ++i) keys += graph_.facts(i).key;
  demand_same(keys,
              "another pipeline, other data or options, or another version of the program or its "
              "plugins,",
              "make them the same");
}

}  // namespace semblance
