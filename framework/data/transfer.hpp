// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "semblance/error.hpp"

namespace semblance {

/// A file to be fetched by HTTP(S).
struct Transfer {
  std::string url;
  std::filesystem::path part;  ///< the growing file
  /// Bytes of an earlier attempt are not fetched again. A server may have another file by now: the
  /// caller must know how to verify the whole.
  bool resume = false;
  std::uint64_t at_most = 0;  ///< the largest size allowed
  /// Called periodically; the total is 0 while it is unknown. Must not throw.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// The address gives no such file: there is no network or no server, or it refuses.
class TransferError : public Error {
 public:
  using Error::Error;
};

/// The functions of the door to libcurl (transfer.cpp, a library that is loaded on demand).
struct TransferFunctions {
  /// Fetches the file into `part`; follows redirections to other http and https addresses only.
  /// Throws TransferError, and Error where the connection breaks again and again, the file is too
  /// large, or the disk cannot take it. Returns whether some of it was there before.
  bool (*fetch)(const Transfer& transfer);
};

}  // namespace semblance
