// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "report/metrics.hpp"
#include "report/progress.hpp"
#include "report/run_record.hpp"
#include "report/trace.hpp"
#include "runtime/artifact_store.hpp"
#include "runtime/kept_rows.hpp"
#include "runtime/plan.hpp"
#include "runtime/row_tags.hpp"
#include "runtime/run_log.hpp"
#include "runtime/run_options.hpp"

namespace semblance {

struct SourceContent;

/// What a node has in hand while a run goes on.
struct NodeRun {
  std::shared_ptr<const SourceContent> content;  ///< of a source, once asked for
  bool ready = false;                            ///< has learned, or there is nothing to learn
  std::shared_ptr<const Dataset> dataset;        ///< of a source, once opened
  std::vector<std::int64_t> row_numbers;         ///< and its rows' numbers; empty: their positions
  std::vector<std::int64_t> basis;               ///< of a basis: the training rows chosen
  std::shared_ptr<KeptRows> rows;                ///< kept rows, while needed
  bool rows_ready = false;                       ///< and they are all there
  bool rows_done = false;                        ///< nothing is left to do for its kept rows
  std::unique_ptr<ArtifactStore::Draft> draft;   ///< the artifact that `rows` are written into
  std::shared_ptr<const Rows> training;          ///< of a solver: its input's training rows
  std::vector<std::int32_t> test_labels;         ///< of a solver: with its scores
  RowTags tags;                                  ///< and of these; of a pair solver: of all rows
  PairSelection pairs;                           ///< of pairs: those chosen
  PairSet test_pairs;                            ///< of a pair solver: what `rows` are scores of
  NodeRecord record;
  std::atomic<std::int64_t> busy_nanoseconds = 0;
  std::atomic<std::size_t> rows_streamed = 0;
  std::atomic<std::int64_t> predict_nanoseconds = 0;  ///< of a solver: busy with scores of rows
  std::atomic<std::size_t> rows_predicted = 0;
  std::atomic<bool> columns_told = false;  ///< of a source: its constant columns
  bool started = false;
  bool finished = false;
  bool failed = false;  ///< it or a node before it; nothing more is done for it
};

/// What several nodes give of the same rows, next to each other.
FloatMatrix joined_rows(const std::vector<MatrixView>& inputs);

/// Everything one run shares: the compiled pipeline, its plan, threads, store, log and display.
class Session {
 public:
  /// With `known`, the shapes of a model that is applied to new data.
  Session(const Pipeline& pipeline, const Catalogue& catalogue, const RunOptions& options,
          const KnownShapes* known = nullptr);
  ~Session();

  /// Makes the plan (verifying what the store has), refuses what cannot fit, and lists the nodes
  /// for the display.
  void prepare();

  /// For predict(): nothing is learned, kept or stored.
  void prepare_prediction();

  const CompiledNode& node(std::size_t i) const { return compilation.nodes[i]; }
  std::size_t size() const { return compilation.nodes.size(); }
  NodeContext context(std::size_t i);
  void guard(std::size_t i, const std::string& phase, const std::function<void()>& body) const;

  /// The opened data set of the source that node i's rows come from; opened when first asked for.
  const Dataset& dataset(std::size_t i);
  std::span<const std::int32_t> training_labels(std::size_t i);
  /// TrainingSet::row_numbers of node i's training rows.
  std::span<const std::int64_t> row_numbers(std::size_t i);
  /// The same of all its rows.
  std::span<const std::int64_t> all_row_numbers(std::size_t i);

  void log(LogLevel level, const std::string& line);
  void started(std::size_t i);
  void finished(std::size_t i);
  /// Takes note that evaluator i has nothing to judge, since a cross-validation has done it.
  void judged_before(std::size_t i);
  /// Seconds since the session began.
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  /// When and with what this run measures.
  Measured measured_now() const;
  /// Takes note that something of node i comes from the store, made under these conditions.
  void taken_from_store(std::size_t i, const Measured& made);
  /// Warns where what came from the store was made on another kind of processor.
  void tell_processors();
  bool stopping() const { return stop.reason() != StopReason::none; }

  /// Computes node i's rows [first, first + out.rows) from its inputs' rows. `out` may be wider
  /// strided. Thread-safe once the node is ready.
  void compute(std::size_t i, std::size_t first, const std::vector<MatrixView>& inputs,
               MutableMatrixView out);

  /// A matrix for later stages: in memory while the budget lasts, else on disk.
  std::shared_ptr<KeptRows> keep(std::size_t rows, std::size_t cols);
  KeptRows::Room room(std::size_t bytes);

  /// Takes note that node i failed: everything behind it fails with it. Only with `on_failure`.
  void fail(std::size_t i, const std::string& message);

  const RunOptions& options;
  const Catalogue& catalogue;
  StopSwitch stop;
  tbb::task_arena arena;
  RunServices services;
  Trace trace;
  Compilation compilation;
  std::unique_ptr<ArtifactStore> store;
  std::optional<FileLock> store_hold;  ///< until what the plan found in the store is in hand
  Plan plan;
  std::vector<std::unique_ptr<NodeRun>> runs;
  std::unique_ptr<Progress> progress;
  RunRecord record;

  /// Whether a cross-validation has judged the pipeline before: then evaluators that are left
  /// without test rows have nothing to do, which is an error otherwise.
  bool cross_validated = false;
  /// Whether the states of finished nodes are wanted at the end, for the model.
  bool keeps_states = true;
  /// With it, a node that fails does not end the run: told of each, the rest goes on.
  std::function<void(std::size_t node, const std::string& message)> on_failure;

 private:
  void show(const std::string& line) const;
  void describe_nodes();
  /// Evaluators without test rows: refuses them before anything is computed, or settles them.
  void settle_idle_evaluators();
  std::shared_ptr<const Dataset> open(std::size_t source);
  void open_display();
  std::filesystem::path spill_folder();

  std::mutex warnings_mutex_;
  std::mutex open_mutex_;
  std::map<std::string, std::weak_ptr<const Dataset>> unfolded_;  ///< shared by folds
  /// Of nodes that come from the store: the other kinds of processors that they were made on.
  std::map<std::size_t, std::string> other_processors_;
  const bool predicting_;
  RunLog log_;
  std::shared_ptr<std::atomic<std::size_t>> resident_bytes_ =
      std::make_shared<std::atomic<std::size_t>>(0);
  std::size_t base_bytes_ = 0;
  std::filesystem::path spill_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace semblance
