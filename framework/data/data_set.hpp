// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace semblance {

/// What is known of a file's content. Of a compressed file that is kept as it is: of the content
/// after decompression, which all copies of it share.
struct ContentCheck {
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> lines;
  std::optional<std::string> sha256;  ///< 64 hexadecimal digits
};

/// A file that lies in the data folder once a data set is there.
struct DataFile {
  std::string path;                  ///< below the data folder
  std::string member;                ///< of the archive; empty: the download itself
  std::string without_lines;         ///< lines that begin so are left out
  std::vector<std::string> instead;  ///< paths that serve as well
  ContentCheck content;
};

/// One file of a distribution, and what becomes of it.
struct Download {
  std::string url;
  std::string file;  ///< the last part of the address
  std::optional<std::uint64_t> bytes;
  std::optional<std::string> sha256;  ///< nothing: not known
  std::vector<DataFile> gives;
  std::string unpack;         ///< the folder that a whole archive goes to; empty: `gives` tells
  std::uint64_t at_most = 0;  ///< bytes that it may have, packed and unpacked

  /// Whether a right content can be told from a wrong one.
  bool verifiable() const;
};

struct DataSet {
  std::string name;
  std::string summary;
  std::string licence;
  std::string cite;
  std::string page;
  std::string note;  ///< what else is to be known; may be empty
  std::vector<Download> downloads;
};

}  // namespace semblance
