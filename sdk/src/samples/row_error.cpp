// SPDX-License-Identifier: MIT
#include "semblance/row_error.hpp"

#include <new>

namespace semblance {

RowError::~RowError() = default;

std::string RowError::name(Of of, std::size_t row) {
  const std::string number = std::to_string(row);
  switch (of) {
    case Of::block:
      return "row " + number + " of the block";
    case Of::training:
      return "training row " + number;
    case Of::test:
      return "test row " + number;
    case Of::bases:
      return "basis " + number;
  }
  return "row " + number;
}

RowError::RowError(Of of, std::size_t row, const std::string& before, const std::string& after)
    : Error(before + name(of, row) + after), of_(of), row_(row), before_(before), after_(after) {}

void rethrow_in_row(std::size_t row) {
  try {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (const RowError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    throw RowError(RowError::Of::block, row, "",
                   " (counted from 0): " + std::string(problem.what()));
  }
}

}  // namespace semblance
