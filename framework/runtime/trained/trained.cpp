// SPDX-License-Identifier: MIT
#include "runtime/trained/trained.hpp"

#include <algorithm>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/results/model.hpp"
#include "runtime/results/output_folder.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/results/run_results.hpp"
#include "runtime/services/node_error.hpp"
#include "runtime/session/session.hpp"
#include "semblance/cost_path.hpp"
#include "semblance/decision_values.hpp"
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
  const auto begin = std::chrono::steady_clock::now();
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
  made->training_seconds_ =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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

void Trained::warn(const std::string& line) const {
  session_->journal().log(LogLevel::warning, line);
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

}  // namespace semblance
