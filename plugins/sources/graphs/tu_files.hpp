// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphs/graph_set.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// A text file of a data set in TUDataset's format.
struct TuFile {
  std::string name;  ///< for messages: "graphs/MUTAG/MUTAG_A.txt"
  std::vector<std::uint8_t> bytes;

  std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Calls visit(line, number) for each line, counted from 1, without those of blanks at the end.
  void each_line(const std::function<void(std::string_view, std::size_t)>& visit) const;
  std::size_t lines() const;
  /// "line 12"
  static std::string place(std::size_t line) { return "line " + std::to_string(line); }
};

/// The files of a data set in TUDataset's format, from a folder or an archive.
class TuFiles {
 public:
  /// Reads the wanted ones, such as "A" for NAME_A.txt. Throws DataError.
  TuFiles(const std::string& path, const std::vector<std::string>& wanted, const Context& context);

  /// NAME_graph_labels.txt for "graph_labels"; null: there is none.
  const TuFile* find(const std::string& part) const;
  /// Throws DataError saying what it is for if there is none.
  const TuFile& at(const std::string& part, const std::string& purpose) const;
  /// "MUTAG_A.txt" for "A"
  std::string name_of(const std::string& part) const { return set_ + "_" + part + ".txt"; }
  const std::string& path() const noexcept { return path_; }
  /// The size of all texts.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  void read_folder(const std::vector<std::string>& wanted, const Context& context);
  void read_archive(const std::vector<std::string>& wanted, const Context& context);
  /// The bytes that the next file may have.
  std::uint64_t most(const Context& context) const;
  void refuse_size(const std::string& name, const Context& context) const;
  void add(const std::string& part, TuFile file);

  std::string path_;
  std::string set_;  ///< the name of the data set
  std::map<std::string, TuFile> files_;
  std::size_t bytes_ = 0;
};

/// How the graphs of a data set are read.
struct TuForm {
  std::string edges;   ///< auto, directed, undirected
  bool drops_empty;    ///< graphs without nodes
  std::string remedy;  ///< of edges that differ in the opposite direction
};

/// Appends the graphs of a data set, as GraphSource::read() does.
void read_tu_graphs(const TuFiles& files, const TuForm& form, const FactRules& rules, GraphSet& set,
                    Context& context);

/// The files of a folder with one of these parts; only `path` if it is no folder.
std::vector<std::string> list_tu_files(const std::string& path,
                                       const std::vector<std::string>& parts);

}  // namespace semblance::sources
