// SPDX-License-Identifier: MIT
#include "text/libsvm.hpp"

#include "memory_limit.hpp"
#include "text/sparse_text.hpp"

namespace semblance {

std::unique_ptr<Dataset> LibsvmFile::open(Context& context) const {
  SparseRows sparse;
  const bool testing = role_ == "test";
  read_sparse_text(train_file(), testing, sparse, context);
  const std::size_t first = sparse.rows();
  if (!test_file().empty()) read_sparse_text(test_file(), true, sparse, context);

  const auto wanted = static_cast<std::size_t>(dimension_);
  if (wanted != 0 && sparse.width > wanted)
    throw DataError(train_file(), "",
                    "holds index " + std::to_string(sparse.width) + ", but 'dimension' is " +
                        std::to_string(wanted) + "; make it larger or leave it out");
  const std::size_t width = wanted != 0 ? wanted : sparse.width;
  if (width == 0)
    throw DataError(train_file(), "", "no row has a value; check that this is the right file");
  const double bytes = 4.0 * double(width) * double(sparse.rows());
  if (bytes > double(context.memory_budget()))
    throw DataError(train_file(), "",
                    std::to_string(sparse.rows()) + " rows of " + std::to_string(width) +
                        " values need " + mebibytes(bytes) + " when dense, more than the " +
                        mebibytes(double(context.memory_budget())) +
                        " allowed; allow more memory, or check the largest index");
  std::vector<float> dense(width * sparse.rows(), 0.0f);
  for (std::size_t i = 0; i < sparse.rows(); ++i)
    for (std::size_t e = sparse.starts[i]; e < sparse.starts[i + 1]; ++e)
      dense[i * width + sparse.columns[e]] = sparse.values[e];
  return finish(Layout::vector(width), std::move(sparse.classes), std::move(dense),
                std::move(sparse.labels), first, context);
}

Declaration<LibsvmFile> LibsvmFile::declare() {
  Declaration<LibsvmFile> declaration("source/libsvm", "LIBSVM's sparse text format");
  declaration
      .parameter("path", &LibsvmFile::path_, "text file, plain or as .gz, .xz, .bz2, .zst",
                 required())
      .parameter("dimension", &LibsvmFile::dimension_,
                 "number of values of a row; 0: the largest index found", at_least(0),
                 at_most(2147483648.0));
  declare_split(declaration);
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "A line is `label index:value ...` with ascending indices from 1; `#` starts a comment. "
          "Rows become dense. With `role: test`, lines may lack their label; give `dimension` "
          "then, since the largest index of new data may be smaller than in training.")
      .reference("Chang and Lin, LIBSVM: a library for support vector machines, 2011")
      .complexity("memory: 4 bytes a value, zeros included; while reading 8 a non-zero besides")
      .example(R"(
        table: {is: source/libsvm, path: table.libsvm, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
