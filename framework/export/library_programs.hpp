// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "export/exported_machine.hpp"
#include "semblance/matrix.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance {

/// A model file that LIBSVM or LIBLINEAR has read, and predicts with.
class LibraryProgram {
 public:
  virtual ~LibraryProgram() = default;
  /// The scores of dense rows, in the form of the model's own scores.
  virtual ExportedScores scores(MatrixView rows) = 0;
  /// Rows whose class the library finds by another rule than the model: several classes have the
  /// most votes, and the library takes the first of them.
  std::size_t equal_votes = 0;
};

/// The functions of the door to both libraries (framework/export/svm_models, a library that is
/// loaded on demand: LIBLINEAR brings a BLAS, whose threads start with the program). Each reads a
/// file. Both throw Error.
struct LibraryFunctions {
  std::unique_ptr<LibraryProgram> (*libsvm)(const std::string& file, const std::vector<int>& labels,
                                            SupportVectorMachine::Scores scores);
  std::unique_ptr<LibraryProgram> (*liblinear)(const std::string& file,
                                               const std::vector<int>& labels);
};

/// `labels`: the integers of the classes, in their order; none where the file predicts a number.
/// Throw Error where the library rejects the text, and where the door does not exist.
std::unique_ptr<LibraryProgram> read_by_libsvm(const std::string& text,
                                               const std::vector<int>& labels,
                                               SupportVectorMachine::Scores scores);
std::unique_ptr<LibraryProgram> read_by_liblinear(const std::string& text,
                                                  const std::vector<int>& labels);

}  // namespace semblance
