// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance::conformance {

/// Bytes that the process has allocated and not freed; 0 where its allocator does not tell, as with
/// AddressSanitizer, which finds leaks itself.
std::size_t live_bytes();

/// The bytes that every use leaves behind, given live_bytes() after each of several equal uses; 0
/// if there are none. A cache does not count: it grows by less and less, or at some uses only.
std::size_t left_behind(std::span<const std::size_t> live);

}  // namespace semblance::conformance
