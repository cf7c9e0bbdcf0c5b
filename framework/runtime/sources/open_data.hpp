// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/graph/compilation.hpp"
#include "runtime/ranks/row_share.hpp"
#include "runtime/rows/watched_data.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/store/input_files.hpp"
#include "runtime/store/row_memory.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance {

class SlowData;
struct SourceContent;

/// Of how many rows the data set of a source keeps the values in a process of that share.
std::size_t rows_opened(const Node& source, const RowShare& share);

/// A source's rows, where `all` is its data set: without those that are set aside, or a fold.
std::shared_ptr<const Dataset> rows_among(const Node& source, std::shared_ptr<const Dataset> all);

/// The data sets of a run, each opened when it is first asked for and closed when nothing will look
/// at it any more. Folds of one source share what is opened. Where several ranks share out the
/// rows, a source that can keeps the values of this rank's alone; the first rank's are also those
/// that it judges by looking at them.
class OpenData {
 public:
  /// What is known of an opened source.
  struct Opened {
    std::shared_ptr<const Dataset> dataset;
    std::vector<std::int64_t> row_numbers;         ///< of all rows; empty: their positions
    std::shared_ptr<const SourceContent> content;  ///< once asked for; see row_content.hpp
    bool columns_told = false;                     ///< its constant columns
  };

  /// All of these must live as long.
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

  /// Opens a source's data: the whole, or the fold or the rows in other order that it stands for.
  /// Classes are not compared with those announced where they are a model's (`of_model`).
  void open(const Node& source, bool of_model);

  /// Throws Error where a file of the source was changed and rows have been read since this was
  /// last asked.
  void check_files(const Node& source);

  /// What is known of a source, opened or not.
  Opened& of(const Node& source) { return opened_[source.index]; }
  const Opened& of(const Node& source) const { return opened_[source.index]; }

 private:
  std::shared_ptr<const Dataset> read(const Node& source);
  std::shared_ptr<const Dataset> read_own(const Node& source, SelectiveSource& selective);
  std::shared_ptr<const Dataset> whole(const Node& source);
  std::shared_ptr<const Dataset> rows_of(const Node& source);
  bool has_folds(const Node& source) const;
  WantedRows likely_rows(const Node& source) const;
  WantedRows own_rows(const Node& source, const std::shared_ptr<const Dataset>& all) const;
  void add_own_rows(const Node& source, const std::shared_ptr<const Dataset>& all,
                    std::vector<std::int64_t>& numbers) const;
  bool first_looks_at_all(const Node& source) const;

  const Compilation& graph_;
  const Catalogue& catalogue_;
  RunServices& services_;
  InputFiles& files_;
  RowMemory& memory_;
  const Ranks& ranks_;
  SlowData* const slow_;  ///< nullptr: every source is opened
  std::vector<Opened> opened_;
  /// By what sources share (Node::shares_data_of).
  std::map<std::size_t, std::shared_ptr<WatchedData::Mark>> was_read_;
  std::map<std::string, std::weak_ptr<const Dataset>> unfolded_;  ///< shared by folds
};

}  // namespace semblance
