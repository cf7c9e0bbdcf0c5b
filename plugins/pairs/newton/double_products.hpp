// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

/// Sums in double that must not lose digits.
namespace semblance::pairs {

/// <a, b>, always in the same order of summation.
double dot(const double* a, const double* b, std::size_t count) noexcept;

/// to += factor * from
void add_scaled(double factor, const double* from, double* to, std::size_t count) noexcept;

/// (M + M') / 2 in place; an empty matrix stays empty.
void symmetrise(std::vector<double>& matrix, std::size_t size);

/// Products run on the context's threads, one block each: the same bits for any number of threads.
void use_one_blas_thread();

/// Converts sizes to BLAS's type.
inline int narrow(std::size_t n) noexcept { return static_cast<int>(n); }

}  // namespace semblance::pairs
