// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/graph/compilation.hpp"
#include "runtime/ranks/row_share.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/store/input_files.hpp"
#include "runtime/store/row_memory.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

class SlowData;
struct SourceContent;

/// For how many samples the data set of a source holds values, in a process with that share.
std::size_t rows_opened(const Node& source, const RowShare& share);

/// A source's samples out of its data set `all`: without those that are set aside, or a fold.
std::shared_ptr<const Dataset> rows_among(const NodeFacts& source,
                                          std::shared_ptr<const Dataset> all);

/// The data sets of a run, each opened on first use and closed when nothing needs it any more.
/// Folds of one source share the opened data. Where several ranks share the rows, a source that can
/// do so holds only this rank's values; on the first rank also those of the samples that it
/// evaluates by looking at them.
class OpenData {
 public:
  /// The facts about an opened source.
  struct Opened {
    std::shared_ptr<const Dataset> dataset;
    std::vector<std::int64_t> row_numbers;         ///< of all rows; empty: their positions
    std::shared_ptr<void> memory_of_numbers;       ///< as long as they are held
    std::shared_ptr<const SourceContent> content;  ///< once requested; see row_content.hpp
    bool columns_told = false;                     ///< whether its constant columns have been
                                                   ///< reported
  };

  /// All arguments must outlive the object.
  OpenData(const Compilation& graph, const Catalogue& catalogue, RunServices& services,
           InputFiles& files, RowMemory& memory, const Ranks& ranks, SlowData* slow)
      : graph_(graph),
        catalogue_(catalogue),
        services_(services),
        files_(files),
        memory_(memory),
        ranks_(ranks),
        slow_(slow),
        opened_(graph.nodes.size()) {}

  /// Opens a source's data: all of it, or the fold or rearrangement that the source stands for.
  /// Classes are not compared with the announced ones where they are a model's (`of_model`).
  void open(const Node& source, bool of_model);

  /// Throws Error where a file of the source has changed, if rows have been read since the last
  /// call.
  void check_files(const Node& source);

  /// The facts about a source, opened or not.
  Opened& of(const NodeFacts& source) { return opened_[source.index]; }
  const Opened& of(const NodeFacts& source) const { return opened_[source.index]; }

 private:
  std::shared_ptr<const Dataset> read(const Node& source);
  std::shared_ptr<const Dataset> read_own(const Node& source);
  std::shared_ptr<const Dataset> whole(const Node& source);
  std::shared_ptr<const Dataset> rows_of(const Node& source);
  bool has_folds(const NodeFacts& source) const;
  bool stands_alone(const NodeFacts& source) const;
  WantedRows likely_rows(const NodeFacts& source) const;
  WantedRows own_rows(const NodeFacts& source, const std::shared_ptr<const Dataset>& all) const;
  void add_own_rows(const NodeFacts& source, const std::shared_ptr<const Dataset>& all,
                    std::vector<std::int64_t>& numbers) const;
  bool first_looks_at_all(const NodeFacts& source) const;

  const Compilation& graph_;
  const Catalogue& catalogue_;
  RunServices& services_;
  InputFiles& files_;
  RowMemory& memory_;
  const Ranks& ranks_;
  SlowData* const slow_;  ///< nullptr: every source is opened
  std::vector<Opened> opened_;
  /// Keyed by the source that shares the data (NodeFacts::shares_data_of).
  std::map<std::size_t, std::shared_ptr<std::atomic<bool>>> was_read_;
  std::map<std::string, std::weak_ptr<const Dataset>> unfolded_;  ///< shared by folds
};

}  // namespace semblance
