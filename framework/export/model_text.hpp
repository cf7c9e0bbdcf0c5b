// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "semblance/support_vectors.hpp"

namespace semblance {

/// @name Model files of LIBSVM and LIBLINEAR
/// Numbers are written so that they are read back bit for bit. Reading is strict: a line that is
/// missing, too long, or out of order, and a number that is not finite, are Errors that name file
/// and line.
/// @{

/// "linear", "polynomial", "rbf", "sigmoid": LIBSVM's words, which solver parameters use too.
const char* name(SupportVectorMachine::Kernel kernel) noexcept;

/// `labels`: the integers of the classes; none where a number is predicted.
std::string libsvm_text(const SupportVectorMachine& machine, const std::vector<int>& labels);
std::string liblinear_text(const LiblinearMachine& machine, const std::vector<int>& labels);

struct LibsvmModelText {
  SupportVectorMachine machine;  ///< labels in the order of the file; inputs: the largest index
  std::vector<int> labels;
  bool probabilities = false;  ///< it has such parameters, which are ignored
};
LibsvmModelText parse_libsvm(const std::string& text, const std::string& name);

struct LiblinearModelText {
  LiblinearMachine machine;  ///< classes in the order of the file
  std::vector<int> labels;
};
LiblinearModelText parse_liblinear(const std::string& text, const std::string& name);

/// Whether a file is LIBLINEAR's or LIBSVM's, by its first line. Throws Error where it is neither.
bool is_liblinear(const std::string& text, const std::string& name);
/// @}

/// The integers that name classes in such files: the classes' own names if all of these are
/// integers, otherwise their indices.
std::vector<int> integer_labels(const std::vector<std::string>& classes, bool& own);

}  // namespace semblance
