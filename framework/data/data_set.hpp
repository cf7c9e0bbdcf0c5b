// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// The known properties of a file's content. For a file that stays compressed: of its content after
/// decompression, which all copies share.
struct ContentCheck {
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> lines;
  std::optional<std::string> sha256;  ///< 64 hexadecimal digits
};

/// A file in the data folder, once its data set is there.
struct DataFile {
  std::string path;                  ///< below the data folder
  std::string member;                ///< of the archive; empty: the downloaded file itself
  std::string without_lines;         ///< lines that begin with this are omitted
  std::vector<std::string> instead;  ///< paths of equivalent files
  ContentCheck content;
};

/// One file of a distribution, and what to do with it.
struct Download {
  std::string url;
  std::string file;  ///< the last part of the address
  std::optional<std::uint64_t> bytes;
  std::optional<std::string> sha256;  ///< nothing: unknown
  std::vector<DataFile> gives;
  std::string unpack;         ///< the folder for a whole archive; empty: see `gives`
  std::uint64_t at_most = 0;  ///< the most bytes allowed, compressed and decompressed

  /// Whether the content can be verified.
  bool verifiable() const;
};

struct DataSet {
  std::string name;
  std::string summary;
  std::string licence;
  std::string cite;
  std::string page;
  std::string note;  ///< additional remarks; may be empty
  std::vector<Download> downloads;
};

/// Reads a catalogue of data sets: YAML with the single key `data_sets`, which has one mapping per
/// set. Every path in it must stay below the data folder. Throws Error with all errors, each with
/// its line.
std::vector<DataSet> read_data_catalogue(const std::filesystem::path& file);

/// The sets of the catalogues in this order; later files add to earlier ones. Missing files are
/// skipped. Throws Error where a name occurs twice.
std::vector<DataSet> read_data_catalogues(const std::vector<std::filesystem::path>& files);

}  // namespace semblance
