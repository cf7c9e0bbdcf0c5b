// SPDX-License-Identifier: MIT
#include "export/library_programs.hpp"

#include <fstream>

#include "registry/doors.hpp"
#include "semblance/error.hpp"
#include "support/files/temporary_folder.hpp"

namespace semblance {
namespace {

const LibraryFunctions& library_functions() {
  using Function = const LibraryFunctions*();
  auto* const function = reinterpret_cast<Function*>(
      door_function("svm_models", "semblance_svm_models",
                    "build it on a machine with LIBSVM and LIBLINEAR (apt-get install libsvm-dev "
                    "liblinear-dev), or use another format"));
  return *function();
}

/// A separate file for a library to read.
class ModelFile {
 public:
  explicit ModelFile(const std::string& text) : file_(folder_.path() / "model") {
    std::ofstream out(file_, std::ios::binary);
    out << text;
    out.flush();
    if (!out) throw Error("cannot write '" + file_.string() + "': the disk may be full");
  }
  const char* name() const noexcept { return file_.c_str(); }

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_;
};

}  // namespace

std::unique_ptr<LibraryProgram> read_by_libsvm(const std::string& text,
                                               const std::vector<int>& labels,
                                               SupportVectorMachine::Scores scores) {
  const ModelFile file(text);
  return library_functions().libsvm(file.name(), labels, scores);
}

std::unique_ptr<LibraryProgram> read_by_liblinear(const std::string& text,
                                                  const std::vector<int>& labels) {
  const ModelFile file(text);
  return library_functions().liblinear(file.name(), labels);
}

}  // namespace semblance
