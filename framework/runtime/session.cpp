// SPDX-License-Identifier: MIT
#include "runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/resolved.hpp"
#include "runtime/folds.hpp"
#include "runtime/node_keys.hpp"
#include "runtime/processor.hpp"
#include "runtime/setting_aside.hpp"
#include "semblance/feature.hpp"
#include "support/utc_time.hpp"

namespace semblance {
namespace {

/// The plugins that the components come from, each once.
std::vector<std::pair<std::string, std::string>> plugins_of(const Pipeline& pipeline) {
  std::map<std::string, std::string> plugins;
  for (const PipelineNode& node : pipeline.nodes)
    plugins[node.entry->plugin->name + " " + node.entry->plugin->version] =
        node.entry->plugin->hash;
  return {plugins.begin(), plugins.end()};
}

}  // namespace

Session::Session(const Pipeline& pipeline, const Catalogue& parts, const RunOptions& run_options,
                 const KnownShapes* known)
    : options(run_options),
      catalogue(parts),
      stop(run_options.deadline),
      arena(static_cast<int>(run_options.threads)),
      services{stop,
               arena,
               run_options.threads,
               [this](LogLevel level, const std::string& line) { log(level, line); },
               [this](const std::string& name, double done, double total) {
                 if (progress) progress->node_progress(name, done, total);
               },
               [this] {
                 const std::size_t used = base_bytes_ + *resident_bytes_;
                 return options.memory > used ? options.memory - used : 0;
               }},
      trace(pipeline.name),
      predicting_(known != nullptr),
      log_(run_options.out, run_options.log, [this](const std::string& line) { show(line); }) {
  record.pipeline = pipeline.name;
  record.description = pipeline.description;
  record.seed = pipeline.seed;
  record.command = options.command;
  record.version = SEMBLANCE_VERSION;
  record.started = utc_now();
  record.plugins = plugins_of(pipeline);
  record.threads = options.threads;
  record.memory_budget = options.memory;
  record.resolved_pipeline = resolved_yaml(pipeline);
  arena.execute([&] { compilation = compile(pipeline, catalogue, services, known); });
  for (std::size_t i = 0; i < size(); ++i) runs.push_back(std::make_unique<NodeRun>());
}

Session::~Session() = default;

void Session::prepare() {
  record.files = assign_keys(compilation, catalogue);
  if (options.use_cache) {
    store = std::make_unique<ArtifactStore>(options.cache);
    store_hold = store->hold();
  }
  plan = make_plan(compilation, store.get(), true,
                   [this](const std::string& what) { log(LogLevel::warning, what); });
  allot_memory(plan, options.memory, options.threads);
  services.blocks = plan.blocks;
  base_bytes_ = fixed_bytes(plan);
  describe_nodes();
  open_display();
  settle_idle_evaluators();
}

void Session::settle_idle_evaluators() {
  for (std::size_t i = 0; i < size(); ++i) {
    if (!node(i).has_nothing_to_judge()) continue;
    if (cross_validated) {
      judged_before(i);
      continue;
    }
    guard(i, "preparing", [&] {
      throw Error("there are no test rows to judge; give the source '" +
                  node(node(i).spec->origin).name() +
                  "' some (test_fraction, test_path), or judge by cross-validation: select: "
                  "{metric: " +
                  node(i).name() + ".error_rate}");
    });
  }
}

void Session::judged_before(std::size_t i) {
  runs[i]->ready = runs[i]->finished = true;
  if (progress) progress->node_finished(node(i).name(), false, 0);
  log(LogLevel::info,
      node(i).name() + ": nothing is left to test, the cross-validation has judged");
}

void Session::prepare_prediction() {
  plan.nodes.resize(size());
  base_bytes_ = program_bytes;
  describe_nodes();
  open_display();
}

void Session::open_display() {
  std::vector<Progress::Node> shown;
  for (const auto& run : runs) shown.push_back({run->record.name, 0});
  ProgressOptions display;
  display.quiet = options.quiet;
  progress = std::make_unique<Progress>(shown, display);
}

void Session::describe_nodes() {
  for (std::size_t i = 0; i < size(); ++i) {
    auto& r = runs[i]->record;
    const auto& spec = *node(i).spec;
    r.name = spec.name;
    r.component = spec.component.id;
    r.summary = spec.info().summary;
    r.figures = spec.figures;
    r.parameters = parameters_json(spec.component);
    for (const auto& input : spec.inputs)
      for (const std::size_t from : input.nodes) r.inputs.push_back(node(from).name());
    runs[i]->ready = !plan.nodes[i].learn && !plan.nodes[i].restore;
  }
}

NodeContext Session::context(std::size_t i) {
  const auto& spec = *node(i).spec;
  return {services, spec.name, mixed_seed(spec.seed, spec.component.id)};
}

void Session::guard(std::size_t i, const std::string& phase,
                    const std::function<void()>& body) const {
  in_node(*compilation.pipeline, *node(i).spec, phase, body);
}

const Dataset& Session::dataset(std::size_t i) {
  const std::size_t source = node(i).spec->origin;
  const std::lock_guard lock(open_mutex_);
  auto& run = *runs[source];
  if (!run.dataset) {
    started(source);
    guard(source, "reading the data", [&] {
      const auto start = Trace::Clock::now();
      run.dataset = open(source);
      run.row_numbers = semblance::row_numbers(*run.dataset);
      const auto end = Trace::Clock::now();
      trace.record(trace.label(node(source).name(), "open"), Trace::no_row, start, end);
      run.busy_nanoseconds += std::chrono::nanoseconds(end - start).count();
      const Outline& seen = run.dataset->outline();
      const Outline& promised = *node(source).outline;
      if (seen.layout != promised.layout || seen.train_rows != promised.train_rows ||
          seen.test_rows != promised.test_rows ||
          (!predicting_ && seen.classes != promised.classes))
        throw Error("the data are not what their headers promised");
    });
  }
  return *run.dataset;
}

std::shared_ptr<const Dataset> Session::open(std::size_t source) {
  const auto& spec = *node(source).spec;
  NodeContext c(services, spec.name, mixed_seed(spec.seed, spec.component.id),
                data_bytes(*node(source).outline), name_of_data(spec));
  const auto opened = [&]() -> std::shared_ptr<const Dataset> {
    std::shared_ptr<const Dataset> data = node(source).as<Source>().open(c);
    // Values may take more room than the byte each that the plan has counted.
    const std::size_t counted = node(source).outline->rows() * node(source).output.size();
    *resident_bytes_ += std::max(data->bytes(), counted) - counted;
    return data;
  };
  const std::vector<std::int64_t>& aside = node(source).set_aside;
  if (spec.fold.count == 0 && aside.empty()) return opened();
  const std::string same =
      canonical_json(spec.component, catalogue).dump() + " seed " + std::to_string(spec.seed);
  auto all = unfolded_[same].lock();
  if (!all) unfolded_[same] = all = opened();
  if (!aside.empty()) {
    const Outline& outline = all->outline();
    all = std::make_shared<RearrangedRows>(all, with_set_aside(outline, aside.size()),
                                           rows_with_set_aside(outline, aside));
  }
  if (spec.fold.count == 0) return all;
  return std::make_shared<FoldedDataset>(std::move(all), spec.fold);
}

std::span<const std::int64_t> Session::row_numbers(std::size_t i) {
  const auto numbers = all_row_numbers(i);
  return numbers.empty() ? numbers : numbers.first(node(i).outline->train_rows);
}

std::span<const std::int64_t> Session::all_row_numbers(std::size_t i) {
  dataset(i);
  return runs[node(i).spec->origin]->row_numbers;
}

std::span<const std::int32_t> Session::training_labels(std::size_t i) {
  return dataset(i).labels().first(node(i).outline->train_rows);
}

void Session::log(LogLevel level, const std::string& line) {
  if (level == LogLevel::warning) {
    const std::lock_guard lock(warnings_mutex_);
    // Data are looked at for their outline first, then read: what is to be said of them is said
    // once.
    if (std::ranges::find(record.warnings, line) != record.warnings.end()) return;
    record.warnings.push_back(line);
  }
  log_.write(level, line);
}

void Session::show(const std::string& line) const {
  if (progress)
    progress->message(line);
  else
    fmt::print(stderr, "{}\n", line);
}

Measured Session::measured_now() const {
  return {record.started, options.threads, processor_kind()};
}

void Session::taken_from_store(std::size_t i, const Measured& made) {
  if (made.processor != processor_kind()) other_processors_[i] = made.processor;
}

void Session::tell_processors() {
  if (other_processors_.empty()) return;
  const auto& [first, processor] = *other_processors_.begin();
  log(LogLevel::warning,
      fmt::format("{} of {} nodes, first '{}', come from the store, computed on another kind of "
                  "processor ({}; this one is {}): the last digits of results can differ from "
                  "those of a run that computes everything here, as --no-cache does",
                  other_processors_.size(), size(), node(first).name(), processor,
                  processor_kind()));
}

void Session::started(std::size_t i) {
  if (runs[i]->started) return;
  runs[i]->started = true;
  if (progress) progress->node_started(node(i).name());
  log(LogLevel::info, node(i).name() + ": started");
}

void Session::finished(std::size_t i) {
  auto& run = *runs[i];
  if (run.finished) return;
  run.finished = true;
  run.record.seconds = static_cast<double>(run.busy_nanoseconds.load()) * 1e-9;
  run.record.cached = !run.started;
  if (run.rows_predicted > 0) {
    run.record.metrics["predict_rows"] = run.rows_predicted.load();
    run.record.metrics["predict_seconds"] =
        static_cast<double>(run.predict_nanoseconds.load()) * 1e-9;
  }
  if (progress) progress->node_finished(node(i).name(), run.record.cached, run.record.seconds);
  log(LogLevel::info, node(i).name() + (run.record.cached ? ": from the store" : ": finished"));
}

FloatMatrix joined_rows(const std::vector<MatrixView>& inputs) {
  std::size_t cols = 0, offset = 0;
  for (const auto& input : inputs) cols += input.cols;
  FloatMatrix joined(inputs.at(0).rows, cols);
  for (const auto& input : inputs) {
    const auto slice = joined.view().cols_range(offset, input.cols);
    for (std::size_t r = 0; r < joined.rows; ++r)
      std::copy_n(input.row(r), input.cols, slice.row(r));
    offset += input.cols;
  }
  return joined;
}

void Session::compute(std::size_t i, std::size_t first, const std::vector<MatrixView>& inputs,
                      MutableMatrixView out) {
  const auto& n = node(i);
  if (n.kind == NodeKind::source) return runs[i]->dataset->read(first, out);
  NodeContext c = context(i);
  if (n.kind == NodeKind::normalizer) {
    std::size_t offset = 0;
    for (std::size_t p = 0; p < inputs.size(); ++p) {
      n.as<Transform>(p).apply(inputs[p], out.cols_range(offset, n.widths[p]), c);
      offset += n.widths[p];
    }
    return;
  }
  if (inputs.size() == 1) return n.as<Transform>().apply(inputs[0], out, c);
  const FloatMatrix joined = joined_rows(inputs);
  n.as<Transform>().apply(joined.view(), out, c);
}

KeptRows::Room Session::room(std::size_t bytes) {
  if (services.free_memory() < bytes) return {KeptRows::Residence::leaves_on_release, nullptr};
  *resident_bytes_ += bytes;
  return {KeptRows::Residence::stays,
          std::shared_ptr<void>(
              nullptr, [resident = resident_bytes_, bytes](void*) { *resident -= bytes; })};
}

void Session::fail(std::size_t i, const std::string& message) {
  auto& run = *runs[i];
  if (run.failed) return;
  run.failed = true;
  run.rows.reset();
  run.training.reset();
  run.draft.reset();
  run.rows_ready = false;
  if (!message.empty()) on_failure(i, message);
  for (const std::size_t consumer : node(i).consumers) fail(consumer, "");
}

std::filesystem::path Session::spill_folder() {
  std::error_code failure;
  const auto folder = options.cache / "spill";
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error("cannot keep matrices on disk: '" + folder.string() + "': " + failure.message() +
                "; choose another folder with --cache DIR or allow more --memory");
  return folder;
}

std::shared_ptr<KeptRows> Session::keep(std::size_t rows, std::size_t cols) {
  const std::size_t bytes = rows * cols * sizeof(float);
  KeptRows::Room found = room(bytes);
  if (found.residence == KeptRows::Residence::stays)
    return KeptRows::in_memory(rows, cols, std::move(found));
  log(LogLevel::info, fmt::format("{} x {} values go to disk: over the memory budget", rows, cols));
  return KeptRows::spilled(spill_folder(), rows, cols);
}

}  // namespace semblance
