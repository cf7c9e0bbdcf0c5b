// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/check_options.hpp"
#include "registry/catalogue.hpp"
#include "report/run_record.hpp"
#include "runtime/explain/explain_options.hpp"
#include "runtime/run/run.hpp"
#include "runtime/store/folder.hpp"
#include "semblance/explanation.hpp"
#include "semblance/named_pairs.hpp"
#include "semblance/source.hpp"
#include "semblance/state.hpp"
#include "study/selecting_pipeline.hpp"

namespace semblance {

/// A trained pipeline in memory, applied to samples in a program's memory, without files. The same
/// samples get the same bits as in a run with the same pipeline, data and seed, and as from
/// `semblance predict`. All const members may be called from several threads at once.
class Trained {
 public:
  /// The two samples of a pair, by position.
  using RowPair = std::pair<std::int64_t, std::int64_t>;

  /// Runs the pipeline, first choosing the parameters that its `select` leaves open, and fills
  /// options.out if that is not empty. Evaluators without test samples have nothing to do. A
  /// stopped run leaves the solvers' best models; throws Cancelled where there is none. Throws
  /// Error. Afterwards nothing refers to the data or to the targets of pointers in `options`.
  static std::unique_ptr<Trained> train(SelectingPipeline pipeline,
                                        std::shared_ptr<const Catalogue> catalogue,
                                        const RunOptions& options);

  /// Reads a model folder, from any run or from save(), or what files() gave. Does not look for the
  /// data that it was trained on; `checking` is for the files that named_pairs() reads. Throws
  /// Error where it is not a model, or is damaged.
  static std::unique_ptr<Trained> load(const Folder& model,
                                       std::shared_ptr<const Catalogue> catalogue,
                                       const RunOptions& options, CheckOptions checking = {});

  ~Trained();

  /// Writes a model folder: byte for byte what a run writes to OUT/model.
  void save(const std::filesystem::path& folder) const;
  /// The files that save() writes, by their paths in the folder, without a disk; perhaps without
  /// what solvers have reported.
  Folder::Contents files(bool with_reports = true) const;

  /// The run's figures and warnings; for a loaded model, what its solvers reported.
  const RunRecord& record() const noexcept;
  /// The checksum of the model.json it was loaded from; empty where it was trained.
  const std::string& model_checksum() const noexcept { return model_checksum_; }
  RunEnd end() const noexcept { return end_; }
  /// The cause of the stop; empty where the run ran to its end.
  const std::string& stopped_by() const noexcept { return stopped_by_; }

  /// Warnings of components since training, while rows were computed; each is returned once, by the
  /// first call after it.
  std::vector<std::string> later_warnings() const;
  /// Adds one to these.
  void warn(const std::string& line) const;

  /// The pipeline that was run, without open parameters.
  const Pipeline& pipeline() const noexcept;
  /// Names, in topological order.
  std::vector<std::string> nodes() const;
  /// The one node that is trained and scores samples or pairs. Throws Error naming them where there
  /// are several, and where there is none.
  std::string scoring_node() const;

  /// The nodes whose scores are results.
  std::vector<std::string> scoring_nodes() const;

  /// Whether the scores of a node are probabilities of the classes. Throws Error where there is no
  /// such node.
  bool gives_probabilities(const std::string& node) const;
  /// Whether a row's classes with a score of at least 0 are its set.
  bool gives_sets(const std::string& node) const;
  /// Whether a node scores samples, or gives their class probabilities: one value per class, per
  /// number to predict, or per sample, as output_type() says.
  bool scores_rows(const std::string& node) const;
  /// What a node outputs: PortType::scores of classes, estimates of numbers, novelty scores, ...
  PortType output_type(const std::string& node) const;
  /// The similarity maps among the nodes that lead to a node, in topological order.
  std::vector<std::string> maps(const std::string& node) const;
  /// The training samples that a map compares with, one per column: their positions, counted from
  /// 0.
  std::vector<std::int64_t> bases(const std::string& map) const;
  /// The layout of the samples that a map compares its bases with.
  const Layout& compared_layout(const std::string& map) const;
  /// One of its bases as such a sample, zeros included; empty where the map has not retained them.
  std::vector<float> basis(const std::string& map, std::size_t column) const;

  /// @name About a node; they throw Error where there is no node of that name
  /// @{

  /// The source that feeds it; for a loaded model, one that has opened nothing.
  const Source& source(const std::string& node) const;
  /// The samples that pairs of its source are made of, read from their files; nullptr if its source
  /// names no pairs. Throws Error where they are not like those of the training run.
  std::unique_ptr<NamedPairs> named_pairs(const std::string& node) const;
  /// The layout of the rows of the source that feeds it.
  const Layout& input_layout(const std::string& node) const;
  /// The layout of its output rows; for a solver one value per class. Throws Error where it outputs
  /// none.
  const Layout& output_layout(const std::string& node) const;
  /// The names of classes of the source that feeds it, and of a sample's values if they have names.
  const std::vector<std::string>& classes(const std::string& node) const;
  const std::vector<std::string>& columns(const std::string& node) const;
  /// The names of the numbers that its source has to be predicted; empty: none.
  const std::vector<std::string>& targets(const std::string& node) const;
  /// @}

  /// The output of a node for these rows of its source. Few rows are computed on the calling
  /// thread, many in blocks on all threads of the run. Throws Error where the rows do not fit or
  /// hold a value that is not finite, and where the node gives no rows or has not learned;
  /// Cancelled once `cancel` is set.
  FloatMatrix apply(const std::string& node, MatrixView rows,
                    const std::atomic<bool>* cancel = nullptr) const;
  /// The same into `out`, where rows are of one size.
  void apply(const std::string& node, MatrixView rows, MutableMatrixView out,
             const std::atomic<bool>* cancel = nullptr) const;

  /// Whether a row's output also depends on the other rows that apply() gets.
  bool judges_batches(const std::string& node) const;
  /// apply() for rows that are only a part of a batch: judge() completes it.
  void apply_to_part(const std::string& node, MatrixView rows, MutableMatrixView out,
                     const std::atomic<bool>* cancel = nullptr) const;
  void judge(const std::string& node, MutableMatrixView out) const;

  /// The values of a kernel machine's functions for these rows of its source, before they become
  /// scores: one per row and function, row-major. Throws Error where the node has none.
  std::vector<double> decisions(const std::string& node, MatrixView rows,
                                const std::atomic<bool>* cancel = nullptr) const;
  /// Why the machine `node` (empty: the only one) gives these results, one explanation per row;
  /// `background` are rows that the shares of columns compare with (Explainer). Throws Error.
  std::vector<Explanation> explain(const std::string& node, MatrixView rows, MatrixView background,
                                   const ExplainOptions& options,
                                   const std::atomic<bool>* cancel = nullptr) const;
  /// The same for the `chosen` ones of these samples; the background is at most `background` of all
  /// of them, drawn with `seed`, or with the machine's seed as `semblance explain MODEL DATA` does.
  std::vector<Explanation> explain(const std::string& node, MatrixView samples,
                                   std::span<const std::size_t> chosen, std::size_t background,
                                   std::optional<std::uint64_t> seed, const ExplainOptions& options,
                                   const std::atomic<bool>* cancel = nullptr) const;
  /// The training samples that a kernel machine compares with; empty where it was loaded.
  std::vector<std::uint32_t> vector_rows(const std::string& node) const;
  /// The training samples that a node of bases has chosen; empty where it was loaded.
  std::vector<std::int64_t> chosen_rows(const std::string& bases) const;
  /// The number of costs that a node has learned a machine for, and which of these it uses from now
  /// on (CostPath). Throws Error where there are none. Not while the node computes.
  std::size_t costs(const std::string& node) const;
  void use_cost(const std::string& node, std::size_t number);
  /// Writes what a node has learned, as save() does, without files.
  void write_state(const std::string& node, StateWriter& state) const;

  /// f(u, v) of a pair solver for pairs of `rows`, which are samples of its source.
  std::vector<float> apply_pairs(const std::string& node, MatrixView rows,
                                 std::span<const RowPair> pairs,
                                 const std::atomic<bool>* cancel = nullptr) const;

  /// How long apply() may take for these rows, in seconds, judging by the last call for the node,
  /// or by the training; infinity for a loaded model before the first call.
  double expected_seconds(const std::string& node, MatrixView rows) const;

 private:
  Trained(SelectingPipeline pipeline, std::shared_ptr<const Catalogue> catalogue);

  const struct Compilation& graph() const;
  const class Node& map_node(const std::string& map) const;
  std::size_t place_of(const std::string& node) const;
  std::size_t giving(const std::string& node) const;
  void check_learned(std::size_t node) const;
  void compute(std::size_t node, MatrixView rows, const struct Stage& stage, MutableMatrixView out,
               const std::atomic<bool>* cancel) const;
  FloatMatrix inputs_of(std::size_t node, MatrixView rows, const std::atomic<bool>* cancel) const;

  SelectingPipeline pipeline_;
  std::shared_ptr<const Catalogue> catalogue_;
  std::unique_ptr<Session> session_;
  /// Seconds per effort_of(rows) in the last call for each node; 0: no call yet.
  mutable std::vector<std::atomic<double>> pace_;
  double training_seconds_ = std::numeric_limits<double>::infinity();
  std::string model_checksum_;
  RunEnd end_ = RunEnd::done;
  std::string stopped_by_;
};

}  // namespace semblance
