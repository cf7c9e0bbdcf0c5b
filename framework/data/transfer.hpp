// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "semblance/error.hpp"

namespace semblance {

/// A file that is fetched by HTTP(S).
struct Transfer {
  std::string url;
  /// Where it grows: what is there already is not fetched again, if the server can go on in the
  /// middle and still has the same file (its ETag or time is kept beside, as NAME.origin).
  std::filesystem::path part;
  std::optional<std::uint64_t> bytes;  ///< what it should have, if known
  std::uint64_t at_most = 0;           ///< what it may have
  /// Told now and then how far it is; the total is 0 while it is not known.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// What went wrong; what came so far is kept.
class TransferError : public Error {
 public:
  enum class Kind {
    unreachable,  ///< no connection at all: no network, a wrong name, nobody listens
    missing,      ///< the server has no such file (404, 410)
    refused,      ///< the server answers, and says no
    broken,       ///< the connection was cut, again and again
    wrong         ///< what comes cannot be the file: too large, another size
  };
  TransferError(Kind kind, const std::string& what) : Error(what), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

/// Fetches the file into `part`, going on where it was cut. Follows redirections to other http and
/// https addresses, nowhere else. Throws TransferError, and Error where the disk cannot take it.
/// Returns whether some of it was there before.
bool fetch(const Transfer& transfer);

/// Forgets what came so far.
void forget(const Transfer& transfer) noexcept;

/// "libcurl/7.88.1 OpenSSL/3.0.19 ..."
std::string transfer_library();

}  // namespace semblance
