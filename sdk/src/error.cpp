// SPDX-License-Identifier: MIT
#include "semblance/error.hpp"

namespace semblance {

Error::~Error() = default;
DataError::~DataError() = default;
MemoryError::~MemoryError() = default;
Cancelled::~Cancelled() = default;

namespace {

/// Text quoted from a file must not break the line or reach a terminal as a command.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

}  // namespace

DataError::DataError(const std::string& file, const std::string& where, const std::string& what)
    : Error(one_line(file + (where.empty() ? ": " : ": " + where + ": ") + what)) {}

Cancelled::Cancelled() : Error("stopped on request") {}

}  // namespace semblance
