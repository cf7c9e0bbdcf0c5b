// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "byte_reader.hpp"

namespace semblance::sources {

/// A file of UTF-16, as spreadsheets write it, as UTF-8.
class Utf16Reader {
 public:
  enum class Order { little, big };

  /// The byte order given by the mark at the start of a file; nothing without a mark.
  static std::optional<Order> order_of(std::span<const unsigned char> start);

  /// `start`: the bytes read so far, including the mark.
  Utf16Reader(ByteReader& bytes, Order order, std::span<const unsigned char> start)
      : bytes_(bytes), order_(order), ahead_(start.begin() + 2, start.end()) {}

  /// Fills `out` up to the end of the file; returns the number of bytes. Throws DataError if it is
  /// not UTF-16.
  std::size_t read(std::span<unsigned char> out);

 private:
  void take_unit(std::uint32_t unit);
  [[noreturn]] void fail() const;

  ByteReader& bytes_;
  Order order_;
  std::vector<unsigned char> ahead_;  ///< read, and not converted yet
  std::string converted_;             ///< and not given yet
  std::uint32_t high_ = 0;            ///< the first half of a pair
};

}  // namespace semblance::sources
