// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "export/exported_machine.hpp"
#include "semblance/formula.hpp"

namespace semblance {

/// @name Parts of C programs
/// @{

/// Exactly this value, in hexadecimal.
std::string c_literal(float value);
std::string c_literal(double value);

/// A string literal; bytes that are not ASCII become octal escapes.
std::string c_string(const std::string& text);

/// Text that is safe in a comment.
std::string c_comment(const std::string& text);

/// "float" or "double".
const char* c_type(bool wide);
/// @}

/// How many rows of a matrix are computed side by side: the number of values that compilers hold in
/// SIMD registers at -O2. (gcc 12 does not do so with 8 float64 values: a product takes four times
/// as long.)
constexpr std::size_t c_lanes(bool wide) { return wide ? 4 : 8; }

/// Whether a step compares its argument with each row of a matrix.
bool has_matrix(Formula::Operation operation);

/// The name of the function that computes such a step, and its definition.
std::string c_matrix_function(Formula::Operation operation, bool wide);
std::string c_matrix_definition(Formula::Operation operation, bool wide);

/// The step's constants as a definition of the array `name`: a matrix in panels of c_lanes() rows,
/// the last panel padded with zeros.
std::string c_array(const Formula::Step& step, const std::string& name);

/// The value of an operator on single values, such as "a + b".
std::string c_expression(Formula::Operation operation, bool wide,
                         const std::vector<std::string>& arguments);

/// A machine as one C file.
struct CSource {
  std::string text;
  std::size_t stack_bytes = 0;     ///< of intermediate values, per call
  std::size_t constant_bytes = 0;  ///< of its constants
};

/// Throws Error unless `name` is a valid prefix for names of C functions.
void check_c_name(const std::string& name);

/// C99 that requires only <math.h>, with the function NAME_predict(). `said` ends the comment at
/// its top: how it was proved.
CSource write_c(const ExportedMachine& machine, const std::string& name, const std::string& said);

}  // namespace semblance
