// SPDX-License-Identifier: MIT
#include "runtime/trained/trained.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "runtime/explain/explainer.hpp"
#include "runtime/explain/given_samples.hpp"
#include "runtime/graph/scoring_node.hpp"
#include "runtime/loop/batch_judging.hpp"
#include "runtime/results/model.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/services/process_threads.hpp"
#include "runtime/session/row_names.hpp"
#include "runtime/session/session.hpp"
#include "runtime/stages/finite_scores.hpp"
#include "runtime/stages/stage_builder.hpp"
#include "runtime/trained/borrowed_rows.hpp"
#include "semblance/cost_path.hpp"
#include "semblance/decision_values.hpp"
#include "semblance/handed_over.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/similarity.hpp"
#include "study/check_pipeline.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// Whether a node's scores are a result: those of a calibrator replace its solver's.
bool gives_final_scores(const Compilation& graph, std::size_t i) {
  const auto scores = [&](std::size_t node) {
    return graph.node(node).scoring() && !graph.facts(node).spec->held_out;
  };
  return scores(i) && std::ranges::none_of(graph.facts(i).consumers, scores);
}

/// Whether a stopped run has produced a model.
bool has_model(const RunProgress& progress) {
  bool any = false, scores = false;
  bool all = true;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    if (progress.facts(i).spec->held_out) continue;
    const bool ready = progress.run(i).ready();
    all = all && ready;
    if (!gives_final_scores(progress.graph(), i)) continue;
    scores = true;
    any = any || ready;
  }
  return scores ? any : all;
}

/// The number of rows per block, so that all threads have work.
std::size_t rows_at_a_time(std::size_t rows, std::size_t threads) {
  constexpr std::size_t fewest = 16;
  return std::clamp(rows / (2 * threads), fewest, block_rows);
}

/// What the time for rows is roughly proportional to: measures of samples that differ in size take
/// time with the square of a sample's size.
double effort_of(MatrixView rows) {
  if (!rows.ragged() || rows.sparse())
    return static_cast<double>(std::max(rows.rows, rows.values()));
  double effort = 0;
  for (std::size_t i = 0; i < rows.rows; ++i)
    effort += static_cast<double>(rows.size(i)) * static_cast<double>(rows.size(i));
  return effort;
}

/// Rows that may have missing values still must not have infinite ones.
void check_not_infinite(MatrixView rows, std::size_t first) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (const auto values = rows.row_span(i);
        std::ranges::any_of(values, [](float value) { return std::isinf(value); }))
      throw Error("row " + std::to_string(first + i) +
                  " (from 0) has an infinite value; remove the row, or replace the value");
}

PairSet pair_set(std::span<const Trained::RowPair> pairs, std::size_t rows) {
  if (rows > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error("pairs can be of 2147483647 rows at most; give fewer rows at a time");
  std::vector<Pair> list;
  list.reserve(pairs.size());
  const auto end = static_cast<std::int64_t>(rows);
  for (const auto& [first, second] : pairs) {
    for (const std::int64_t row : {first, second})
      if (row < 0 || row >= end)
        throw Error("a pair names row " + std::to_string(row) + ", but there are " +
                    std::to_string(rows) + " rows, counted from 0");
    list.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(second), 0});
  }
  return PairSet::listed(std::move(list));
}

}  // namespace

Trained::Trained(SelectingPipeline pipeline, std::shared_ptr<const Catalogue> catalogue)
    : pipeline_(std::move(pipeline)), catalogue_(std::move(catalogue)) {}

Trained::~Trained() = default;

std::unique_ptr<Trained> Trained::train(SelectingPipeline pipeline,
                                        std::shared_ptr<const Catalogue> catalogue,
                                        const RunOptions& options) {
  std::unique_ptr<Trained> made(new Trained(std::move(pipeline), std::move(catalogue)));
  std::optional<OutputFolder> folder;
  RunOptions own = options;
  if (!options.out.empty()) own.out = folder.emplace(options).place();
  ChosenPipeline chosen = chosen_pipeline(made->pipeline_, *made->catalogue_, own);
  made->session_ = std::make_unique<Session>(
      *chosen.pipeline, *made->catalogue_, chosen.options,
      RunPurpose{.cross_validated = chosen.selection.has_value(), .judged_elsewhere = true});
  Session& session = *made->session_;
  made->pace_ = std::vector<std::atomic<double>>(session.progress().size());
  const RunResult result = run_session(session, std::move(chosen.selection));
  if (folder) settled(*folder, result.end == RunEnd::done, options);
  made->end_ = result.end;
  made->stopped_by_ = result.stopped_by;
  if (made->end_ == RunEnd::stopped && !has_model(session.progress())) throw Cancelled();
  session.keep_only_what_was_learned();
  return made;
}

std::unique_ptr<Trained> Trained::load(const Folder& folder,
                                       std::shared_ptr<const Catalogue> catalogue,
                                       const RunOptions& options, CheckOptions checking) {
  const std::filesystem::path file =
      folder.in_memory() ? folder.path() / "pipeline.yaml" : model_pipeline(folder.path());
  Model model = verified_model(folder, options.memory);
  model.shapes.without_data = true;
  checking.check_files = false;
  checking.needs_result = false;
  checking.of_model = true;
  PipelineCheck checked = folder.in_memory() ? check_pipeline(folder.read("pipeline.yaml"),
                                                              file.string(), *catalogue, checking)
                                             : load_pipeline(file, *catalogue, checking);
  if (!checked.pipeline) {
    const std::string missing = missing_plugins(model, *catalogue);
    throw Error(missing.empty() ? render(checked.diagnostics) : missing);
  }
  std::unique_ptr<Trained> made(new Trained(*std::move(checked.pipeline), std::move(catalogue)));
  RunOptions without_files = options;
  without_files.out.clear();
  without_files.use_cache = false;
  made->model_checksum_ = model.checksum;
  made->session_ = std::make_unique<Session>(made->pipeline_, *made->catalogue_, without_files,
                                             RunPurpose{.judged_elsewhere = true}, &model.shapes);
  Session& session = *made->session_;
  made->pace_ = std::vector<std::atomic<double>>(session.progress().size());
  session.execute([&] { restore_model(session, model); });
  complete_record(session.progress(), session.data());
  session.keep_only_what_was_learned();
  return made;
}

void Trained::save(const std::filesystem::path& folder) const {
  save_model(session_->progress(), session_->catalogue(), folder);
}

Folder::Contents Trained::files(bool with_reports) const {
  return model_files(session_->progress(), session_->catalogue(), with_reports);
}

const Compilation& Trained::graph() const { return session_->graph(); }

std::vector<std::string> Trained::later_warnings() const {
  return session_->journal().later_warnings();
}

const RunRecord& Trained::record() const noexcept { return session_->journal().record(); }

const Pipeline& Trained::pipeline() const noexcept { return *graph().pipeline; }

std::vector<std::string> Trained::nodes() const {
  std::vector<std::string> names;
  for (const PipelineNode& node : pipeline().nodes)
    if (!node.held_out) names.push_back(node.name);
  return names;
}

std::vector<std::string> Trained::scoring_nodes() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph().size(); ++i)
    if (gives_final_scores(graph(), i)) names.push_back(graph().facts(i).name());
  return names;
}

std::string Trained::scoring_node() const {
  const std::vector<std::string> names = scoring_nodes();
  if (names.empty()) throw Error("the pipeline has no solver, so it scores nothing");
  if (names.size() > 1)
    throw Error("the pipeline has several solvers, " + enumerate(names) + ": say which one");
  return names.front();
}

bool Trained::gives_probabilities(const std::string& node) const {
  return graph().facts(place_of(node)).gives_probabilities;
}

bool Trained::gives_sets(const std::string& node) const {
  return graph().facts(place_of(node)).gives_sets;
}

bool Trained::scores_rows(const std::string& node) const {
  const Node& found = graph().node(place_of(node));
  const bool scores = found.scoring() != nullptr || found.facts().gives_probabilities;
  const Outline& outline = *found.facts().outline;
  const PortType type = output_type(node);
  const std::size_t values = type == PortType::estimates   ? outline.targets.size()
                             : type == PortType::intervals ? 3 * outline.targets.size()
                             : type == PortType::novelty   ? 1
                                                           : outline.classes.size();
  return scores && found.facts().gives_rows() && found.facts().output.size() == values;
}

PortType Trained::output_type(const std::string& node) const {
  return graph().facts(place_of(node)).spec->info().output->type;
}

std::vector<std::string> Trained::maps(const std::string& node) const {
  std::vector<char> leads(graph().size(), 0);
  leads[place_of(node)] = 1;
  std::vector<std::string> found;
  for (std::size_t i = graph().size(); i-- > 0;) {
    if (leads[i] == 0) continue;
    const NodeFacts& before = graph().facts(i);
    for (const std::size_t in : before.inputs) leads[in] = 1;
    if (before.bases) found.push_back(before.name());
  }
  std::ranges::reverse(found);
  return found;
}

const Node& Trained::map_node(const std::string& map) const {
  const Node& node = graph().node(place_of(map));
  if (node.facts().bases) return node;
  throw Error("node '" + map + "' (" + node.facts().spec->component.id + ") is no similarity map");
}

const Layout& Trained::compared_layout(const std::string& map) const {
  return graph().facts(map_node(map).facts().inputs.at(0)).output;
}

std::vector<float> Trained::basis(const std::string& map, std::size_t column) const {
  const Node& node = map_node(map);
  const auto& similarity = node.as<Similarity>();
  const std::size_t count = similarity.bases();
  if (column >= count)
    throw Error("the map '" + map + "' has " + std::to_string(count) + " bases, counted from 0");
  if (!similarity.abilities().keeps_bases) return {};
  std::vector<float> row(compared_layout(map).size());
  similarity.kept_basis(column, row);
  return row;
}

std::vector<std::int64_t> Trained::bases(const std::string& map) const {
  const auto chosen = graph().node(*map_node(map).facts().bases).chosen_rows();
  return {chosen.begin(), chosen.end()};
}

std::size_t Trained::place_of(const std::string& node) const {
  for (std::size_t i = 0; i < graph().size(); ++i)
    if (graph().facts(i).name() == node) return i;
  const std::string hint = did_you_mean(node, nodes());
  throw Error("the pipeline has no node '" + node + "'" + (hint.empty() ? "" : "; " + hint));
}

const Source& Trained::source(const std::string& node) const {
  return graph().node(graph().facts(place_of(node)).spec->origin).as<Source>();
}

std::unique_ptr<NamedPairs> Trained::named_pairs(const std::string& node) const {
  const std::size_t origin = graph().facts(place_of(node)).spec->origin;
  const NodeFacts& facts = graph().facts(origin);
  const auto component = catalogue_->create(facts.spec->component);
  auto& source = dynamic_cast<Source&>(*component);
  if (!source.names_pairs()) return nullptr;
  const Outline& outline = *facts.outline;
  std::unique_ptr<NamedPairs> pairs;
  session_->execute([&] {
    in_node(pipeline(), *facts.spec, "reading the samples of pairs", [&] {
      source.apply_model({"", facts.output, outline.classes, outline.columns, outline.targets});
      NodeContext context = session_->progress().context(origin);
      pairs = source.open_samples(context);
      if (pairs->layout() != facts.output)
        throw Error("its rows are each a " + describe(pairs->layout()) +
                    ", but the model was trained on rows that are each a " +
                    describe(facts.output));
    });
  });
  return pairs;
}

const Layout& Trained::input_layout(const std::string& node) const {
  return graph().facts(graph().facts(place_of(node)).spec->origin).output;
}

const Layout& Trained::output_layout(const std::string& node) const {
  return graph().facts(giving(node)).output;
}

const std::vector<std::string>& Trained::classes(const std::string& node) const {
  return graph().facts(place_of(node)).outline->classes;
}

const std::vector<std::string>& Trained::targets(const std::string& node) const {
  return graph().facts(place_of(node)).outline->targets;
}

const std::vector<std::string>& Trained::columns(const std::string& node) const {
  return graph().facts(place_of(node)).outline->columns;
}

std::size_t Trained::giving(const std::string& node) const {
  const std::size_t i = place_of(node);
  if (!graph().facts(i).gives_rows())
    throw Error("node '" + node + "' (" + graph().facts(i).spec->component.id +
                ") gives no row for a row of its source");
  return i;
}

void Trained::check_learned(std::size_t i) const {
  const NodeFacts& node = graph().facts(i);
  if (!session_->progress().run(i).ready())
    throw Error("node '" + node.name() + "' has not learned: the run was stopped earlier");
  for (const std::size_t in : node.inputs) check_learned(in);
}

FloatMatrix Trained::apply(const std::string& node, MatrixView rows,
                           const std::atomic<bool>* cancel) const {
  const std::size_t i = giving(node);
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  if (rows.rows == 0) return {0, graph().facts(i).output.size()};
  const Stage stage =
      StageBuilder(session_->progress(), session_->data(), cancel).of_user().of_given(i, rows);
  FloatMatrix out = stage.steps.back().sizes.rows(0, rows.rows);
  compute(i, rows, stage, out.view(), cancel);
  judge_batch(graph().node(i), out.view());
  return out;
}

void Trained::apply(const std::string& node, MatrixView rows, MutableMatrixView out,
                    const std::atomic<bool>* cancel) const {
  apply_to_part(node, rows, out, cancel);
  judge(node, out);
}

bool Trained::judges_batches(const std::string& node) const {
  return semblance::judges_batches(graph().node(place_of(node)));
}

void Trained::judge(const std::string& node, MutableMatrixView out) const {
  judge_batch(graph().node(place_of(node)), out);
}

void Trained::apply_to_part(const std::string& node, MatrixView rows, MutableMatrixView out,
                            const std::atomic<bool>* cancel) const {
  const std::size_t i = giving(node);
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  const Layout& layout = graph().facts(i).output;
  if (layout.ragged())
    throw Error("the rows of '" + node + "', each a " + describe(layout) + ", differ in size");
  if (out.rows != rows.rows || out.cols != layout.size())
    throw Error("there is room for " + std::to_string(out.rows) + " x " + std::to_string(out.cols) +
                " values, but '" + node + "' gives " + std::to_string(rows.rows) + " x " +
                std::to_string(layout.size()));
  if (rows.rows == 0) return;
  const Stage stage =
      StageBuilder(session_->progress(), session_->data(), cancel).of_user().of_given(i, rows);
  compute(i, rows, stage, out, cancel);
}

void Trained::compute(std::size_t i, MatrixView rows, const Stage& stage, MutableMatrixView out,
                      const std::atomic<bool>* cancel) const {
  const auto start = std::chrono::steady_clock::now();
  const OneBlasThread one;
  const StepGuard guard = step_guard(session_->data());
  const Node& source = graph().node(graph().facts(i).spec->origin);
  const bool keeps_missing = source.as<Source>().keeps_missing();
  NodeContext context = session_->progress().context(i);
  const std::size_t at_a_time = rows_at_a_time(rows.rows, context.threads());
  context.parallel_for((rows.rows + at_a_time - 1) / at_a_time, [&](std::size_t block) {
    if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled();
    const std::size_t first = block * at_a_time, count = std::min(at_a_time, rows.rows - first);
    if (keeps_missing)
      check_not_infinite(rows.rows_range(first, count), first);
    else
      check_values(rows.rows_range(first, count), source.facts().output, first, SymbolsOf::any);
    compute_block(stage, first, out.rows_range(first, count), guard);
  });
  for (const StageStep& step : stage.steps)
    tell_unknown_rows(session_->progress(), session_->data(), step.node, true);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  pace_[i].store(taken.count() / effort_of(rows), std::memory_order_relaxed);
}

double Trained::expected_seconds(const std::string& node, MatrixView rows) const {
  const double pace = pace_[place_of(node)].load(std::memory_order_relaxed);
  return pace > 0 ? pace * effort_of(rows) : std::numeric_limits<double>::infinity();
}

FloatMatrix Trained::inputs_of(std::size_t i, MatrixView rows,
                               const std::atomic<bool>* cancel) const {
  const Stage stage = StageBuilder(session_->progress(), session_->data(), cancel)
                          .of_user()
                          .inputs_of_given(i, rows);
  FloatMatrix inputs = stage.steps.back().sizes.rows(0, rows.rows);
  compute(i, rows, stage, inputs.view(), cancel);
  return inputs;
}

std::vector<double> Trained::decisions(const std::string& node, MatrixView rows,
                                       const std::atomic<bool>* cancel) const {
  const std::size_t i = giving(node);
  const auto* machine = dynamic_cast<const DecisionValues*>(graph().node(i).parts.at(0).get());
  if (!machine)
    throw Error("node '" + node + "' (" + graph().facts(i).spec->component.id +
                ") has scores only, no decision values");
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  const std::size_t count = machine->decision_values();
  std::vector<double> values(rows.rows * count);
  if (values.empty()) return values;
  const OneBlasThread one;
  const FloatMatrix inputs = inputs_of(i, rows, cancel);
  NodeContext context = session_->progress().context(i);
  context.stop_at(cancel);
  const std::size_t at_a_time = rows_at_a_time(rows.rows, context.threads());
  session_->data().guard(i, "computing decision values", [&] {
    context.parallel_for((rows.rows + at_a_time - 1) / at_a_time, [&](std::size_t block) {
      const std::size_t first = block * at_a_time, some = std::min(at_a_time, rows.rows - first);
      machine->decide(inputs.view().rows_range(first, some),
                      std::span(values).subspan(first * count, some * count), context);
    });
    check_decisions(graph(), graph().node(i), values, count, inputs.view());
  });
  return values;
}

std::vector<Explanation> Trained::explain(const std::string& node, MatrixView rows,
                                          MatrixView background, const ExplainOptions& options,
                                          const std::atomic<bool>* cancel) const {
  const std::size_t machine = explained_machine(graph(), node);
  check_learned(machine);
  const Node& source = graph().node(graph().facts(machine).spec->origin);
  for (const auto& [view, what] : {std::pair{rows, "the rows"}, {background, "the background"}}) {
    check_rows(view, source.facts().output, what, Longest::any);
    if (source.as<Source>().keeps_missing())
      check_not_infinite(view, 0);
    else
      check_values(view, source.facts().output, 0, SymbolsOf::any);
  }
  const OneBlasThread one;
  return Explainer(session_->progress(), session_->data(), machine, options, rows, background,
                   cancel)
      .explain();
}

std::vector<Explanation> Trained::explain(const std::string& node, MatrixView samples,
                                          std::span<const std::size_t> chosen,
                                          std::size_t background, std::optional<std::uint64_t> seed,
                                          const ExplainOptions& options,
                                          const std::atomic<bool>* cancel) const {
  const NodeFacts& machine = graph().facts(explained_machine(graph(), node));
  const Layout& layout = graph().facts(machine.spec->origin).output;
  std::vector<std::size_t> others;
  if (samples.rows > 1)
    others = background_samples(samples.rows, background, seed.value_or(machine.spec->seed));
  const FloatMatrix rows = samples_at(layout, samples, chosen);
  const FloatMatrix compared = samples_at(layout, samples, others);
  return explain(node, rows.view(), compared.view(), options, cancel);
}

std::vector<std::uint32_t> Trained::vector_rows(const std::string& node) const {
  const Node& found = graph().node(place_of(node));
  const auto* machine = dynamic_cast<const DecisionValues*>(found.parts.at(0).get());
  if (!machine) return {};
  const auto rows = machine->vector_rows();
  return {rows.begin(), rows.end()};
}

std::vector<std::int64_t> Trained::chosen_rows(const std::string& bases) const {
  const auto rows = graph().node(place_of(bases)).chosen_rows();
  return {rows.begin(), rows.end()};
}

std::size_t Trained::costs(const std::string& node) const {
  const auto* path = dynamic_cast<const CostPath*>(graph().node(place_of(node)).parts.at(0).get());
  return path ? path->costs() : 1;
}

void Trained::use_cost(const std::string& node, std::size_t number) {
  const std::size_t i = place_of(node);
  auto* path = dynamic_cast<CostPath*>(graph().node(i).parts.at(0).get());
  if (!path)
    throw Error("node '" + node + "' (" + graph().facts(i).spec->component.id +
                ") learns no machines for several costs");
  path->use_cost(number);
}

void Trained::write_state(const std::string& node, StateWriter& state) const {
  const std::size_t i = place_of(node);
  check_learned(i);
  const auto* learner = dynamic_cast<const Transform*>(graph().node(i).parts.at(0).get());
  if (!learner)
    throw Error("node '" + node + "' (" + graph().facts(i).spec->component.id + ") learns nothing");
  learner->save(state);
}

std::vector<float> Trained::apply_pairs(const std::string& node, MatrixView rows,
                                        std::span<const RowPair> pairs,
                                        const std::atomic<bool>* cancel) const {
  const std::size_t i = place_of(node);
  const Node& solver = graph().node(i);
  if (!dynamic_cast<const PairSolver*>(solver.parts.at(0).get()))
    throw Error("node '" + node + "' (" + solver.facts().spec->component.id +
                ") does not score pairs");
  check_learned(i);
  check_rows(rows, input_layout(node), "the rows", Longest::any);
  const PairSet wanted = pair_set(pairs, rows.rows);
  std::vector<float> scores(wanted.size());
  if (scores.empty()) return scores;
  const OneBlasThread one;
  const FloatMatrix inputs = inputs_of(i, rows, cancel);
  const MatrixRows given(inputs.view());
  NodeContext context = session_->progress().context(i);
  context.stop_at(cancel);
  session_->data().guard(i, "scoring pairs", [&] {
    solver.as<PairSolver>().score(given, wanted, scores, context);
    check_scores(graph(), solver, {scores.data(), scores.size(), 1, 1}, {});
  });
  return scores;
}

}  // namespace semblance
