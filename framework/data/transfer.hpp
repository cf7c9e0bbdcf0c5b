// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "semblance/error.hpp"

namespace semblance {

/// A file to be fetched by HTTP(S).
struct Transfer {
  std::string url;
  /// The growing file. Existing bytes are not fetched again if the server supports ranges and still
  /// has the same file (its ETag or time is stored next to it, as NAME.origin).
  std::filesystem::path part;
  std::optional<std::uint64_t> bytes;  ///< the expected size, if known
  std::uint64_t at_most = 0;           ///< the largest size allowed
  /// Called periodically with the progress; the total is 0 while it is unknown.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// The kind of failure; the partial file is retained.
class TransferError : public Error {
 public:
  enum class Kind {
    unreachable,  ///< no connection at all: no network, a wrong name, no server
    missing,      ///< the server has no such file (404, 410)
    refused,      ///< the server answers with a refusal
    broken,       ///< the connection was cut repeatedly
    wrong         ///< the data cannot be the file: too large, another size
  };
  TransferError(Kind kind, const std::string& what) : Error(what), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

/// The functions of the door to libcurl (transfer.cpp, a library that is loaded on demand).
struct TransferFunctions {
  /// Fetches the file into `part`, resuming an interrupted transfer. Follows redirections to other
  /// http and https addresses only. Throws TransferError, and Error where the disk cannot take it.
  /// Returns whether some of it was there before.
  bool (*fetch)(const Transfer& transfer);
  /// Removes the partial file.
  void (*forget)(const Transfer& transfer) noexcept;
  /// "libcurl/7.88.1 OpenSSL/3.0.19 ..."
  std::string (*library)();
};

/// Throws Error where the door does not exist.
const TransferFunctions& transfer_functions();

}  // namespace semblance
