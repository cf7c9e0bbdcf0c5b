// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/data_set.hpp"
#include "semblance/error.hpp"

namespace semblance {

struct GetOptions {
  std::filesystem::path folder;  ///< the data folder
  std::string mirror;            ///< a folder or an address, with NAME/FILE or FILE; may be empty
  bool unverified = false;       ///< take what no checksum is known of
  std::function<void(const std::string&)> say;  ///< told each step, in one line
  std::function<void(const std::string& file, std::uint64_t done, std::uint64_t total)> progress;
};

/// The files could be got in no way; the message says what to do by hand.
class Unreachable : public Error {
 public:
  using Error::Error;
};

/// Puts a data set into the data folder: fetches what is missing, or takes it from a mirror,
/// verifies it, unpacks it and gives each file its name when it is whole. What is there stays as it
/// is. Whenever it is interrupted, the next call goes on; what came so far lies in
/// FOLDER/.downloads/NAME. Returns the number of downloads that were needed. Throws Error.
std::size_t get_data_set(const DataSet& set, const GetOptions& options);

/// Names, addresses, sizes and checksums.
std::string addresses(const std::vector<Download>& downloads);

/// What is to be done where there is no network: files, addresses, checksums, the place and the
/// command.
std::string instructions(const DataSet& set, const std::filesystem::path& folder);

}  // namespace semblance
