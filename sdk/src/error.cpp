// SPDX-License-Identifier: MIT
#include "semblance/error.hpp"

namespace semblance {

Error::~Error() = default;
DataError::~DataError() = default;
Cancelled::~Cancelled() = default;

DataError::DataError(const std::string& file, const std::string& where, const std::string& what)
    : Error(file + (where.empty() ? ": " : ": " + where + ": ") + what) {}

Cancelled::Cancelled() : Error("stopped on request") {}

}  // namespace semblance
