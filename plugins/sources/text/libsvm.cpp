// SPDX-License-Identifier: MIT
#include <algorithm>

#include "rows/memory_limit.hpp"
#include "rows/table_source.hpp"
#include "text/sparse_text.hpp"

namespace semblance::sources {
namespace {

/// LIBSVM's sparse text format, read into dense or sparse rows.
class LibsvmFile final : public TableSource {
 public:
  LibsvmFile() : TableSource(Answers::words) {}

  void check_parameters() const override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<LibsvmFile> declare();

 private:
  SparseFormat format() const;
  /// The index of the first value; `width`: the number of values per row, 0: unknown.
  std::size_t first_index(const SparseRows& sparse, std::size_t width) const;

  void check_is_no_kernel(const SparseRows& sparse) const;
  bool sparse() const;
  std::unique_ptr<Dataset> sparse_data(SparseRows sparse, const Layout& layout, std::size_t first,
                                       std::size_t train_rows, Context& context) const;

  std::int64_t dimension_ = 0;
  std::string first_index_ = "1";
  bool precomputed_ = false;
  std::string rows_ = "dense";
};

/// The conversion of the rows to dense ones.
struct Columns {
  std::size_t first = 1;  ///< the index of the first value
  std::size_t width = 0;
};

void check_dense_fits(std::size_t rows, const Columns& columns, const SparseRows& sparse,
                      const std::string& file, const Context& context) {
  const double bytes = 4.0 * double(columns.width) * double(rows);
  if (bytes <= double(context.memory_budget())) return;
  throw DataError(file, "",
                  std::to_string(rows) + " rows of " + std::to_string(columns.width) +
                      " values need " + mebibytes(bytes) + " when dense, more than the " +
                      mebibytes(double(context.memory_budget())) + " allowed; the largest index, " +
                      std::to_string(sparse.largest) + ", is in " + sparse.largest_at +
                      ": correct it, set 'rows: sparse', or allow more memory");
}

/// An index far beyond the number of values is more likely an error than a column.
void warn_of_lonely_index(const SparseRows& sparse, const Columns& columns, const std::string& file,
                          Context& context) {
  constexpr std::size_t many = std::size_t{1} << 20;
  if (columns.width < many || columns.width / 64 < sparse.given) return;
  context.log(LogLevel::warning, file + ": the index " + std::to_string(sparse.largest) + " in " +
                                     sparse.largest_at + " makes rows of " +
                                     std::to_string(columns.width) + " values, of which only " +
                                     std::to_string(sparse.given) +
                                     " are given in total; correct it if it is a mistake");
}

/// Documents are mostly zeros, which take memory and time that nobody asked for.
void advise_sparse_rows(const SparseRows& sparse, const Columns& columns, const std::string& file,
                        Context& context) {
  const double dense = 4.0 * double(columns.width) * double(sparse.rows());
  const double kept = 8.0 * double(sparse.given);
  constexpr double noticeable = 100e6, much = 20;
  if (dense < noticeable || dense < much * kept) return;
  context.log(LogLevel::warning,
              file + ": " + std::to_string(sparse.rows()) + " rows of " +
                  std::to_string(columns.width) + " values take " + mebibytes(dense) +
                  " when dense, and " + mebibytes(kept) +
                  " when sparse; set 'rows: sparse' if what follows takes sparse rows, as linear "
                  "machines and normalizer/unit_length do");
}

std::vector<float> dense_rows(const SparseRows& sparse, const Columns& columns) {
  const std::size_t rows = sparse.starts.size() - 1;
  std::vector<float> dense(columns.width * rows, 0.0f);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t e = sparse.starts[i]; e < sparse.starts[i + 1]; ++e)
      dense[i * columns.width + sparse.indices[e] - columns.first] = sparse.values[e];
  return dense;
}

/// Columns that some rows do not list also contain zeros.
void check_precision(SparseRows& sparse, const std::string& file, Context& context) {
  for (std::size_t k = 0; k < sparse.named.size(); ++k)
    if (sparse.named[k] < sparse.rows()) sparse.precision.add(k, 0.0);
  sparse.precision.check(
      file, [](std::size_t k) { return "index " + std::to_string(k); }, context);
}

SparseFormat LibsvmFile::format() const {
  SparseFormat format;
  format.first = first_index_ == "1" || precomputed_ ? 1 : 0;
  format.precomputed = precomputed_;
  format.numbers_count = precomputed_ && !model();
  const std::size_t width = model() ? model()->layout.size() : static_cast<std::size_t>(dimension_);
  if (width == 0) return format;
  const std::size_t last = first_index_ == "0" ? width - 1 : width;
  format.last = static_cast<std::uint32_t>(std::min(last, std::size_t{1} << 31));
  format.why_last =
      model() ? std::to_string(last) + ", the last one of the rows of " + std::to_string(width) +
                    " values that the model was trained on; remove indices it does not know"
              : "the 'dimension' of " + std::to_string(width) + " allows; raise or omit it";
  return format;
}

/// If each row starts with 0 and its own number, that is not a value.
void LibsvmFile::check_is_no_kernel(const SparseRows& sparse) const {
  constexpr std::size_t several = 3;
  if (precomputed_ || model() || sparse.rows() < several || sparse.numbered < sparse.rows()) return;
  throw DataError(train_file(), "",
                  "begins each row with 0 and the row's number, as LIBSVM's precomputed kernels "
                  "do; set 'precomputed: true', or remove this column if it is a value");
}

void LibsvmFile::check_parameters() const {
  TableSource::check_parameters();
  check_has_beside();
  if (precomputed_ && first_index_ != "1")
    throw Error(
        "'precomputed' says what index 0 is, so that values count from 1; omit 'first_index'");
}

std::size_t LibsvmFile::first_index(const SparseRows& sparse, std::size_t width) const {
  if (precomputed_) return 1;
  if (first_index_ != "automatic") return first_index_ == "0" ? 0 : 1;
  if (sparse.least == 0) {
    if (width == 0 || sparse.largest < width) return 0;
    throw DataError(train_file(), "",
                    "the index " + std::to_string(sparse.largest) + " in " + sparse.largest_at +
                        " is too large for rows of " + std::to_string(width) +
                        " values when indices count from 0, as the index 0 in the file says; "
                        "correct one of them");
  }
  if (model() && sparse.largest < width)
    throw DataError(train_file(), "",
                    "holds neither the index 0 nor " + std::to_string(width) +
                        ", so it is unknown whether its indices count from 0 or from 1; say which: "
                        "--set nodes.NODE.first_index=1");
  return 1;
}

std::unique_ptr<Dataset> LibsvmFile::open(Context& context) const {
  SparseRows sparse;
  if (!this->sparse()) sparse.wanted = wanted();
  if (this->sparse()) spill_beyond_share(context, sparse.values, sparse.indices);
  SparseFormat format = this->format();
  const std::size_t first = read_files(train_file(), test_file(), sparse,
                                       [&](const std::string& file, const FactRules& rules) {
                                         const bool second = sparse.rows() > 0;
                                         format.facts = rules;
                                         read_sparse_text(file, format, sparse, context);
                                         format.numbers_count = false;
                                         if (!second) check_is_no_kernel(sparse);
                                       });
  if (sparse.given == 0 && !model())
    throw DataError(train_file(), "", "no row has a value; check that it is the right file");
  check_facts(sparse, context);

  Columns columns;
  columns.width = model() ? model()->layout.size() : static_cast<std::size_t>(dimension_);
  columns.first = sparse.given == 0 ? 1 : first_index(sparse, columns.width);
  if (columns.width == 0) columns.width = sparse.largest + 1 - columns.first;
  if (!model() && !this->sparse()) advise_sparse_rows(sparse, columns, train_file(), context);
  if (!this->sparse())
    check_dense_fits(sparse.starts.size() - 1, columns, sparse, train_file(), context);
  if (!model() && dimension_ == 0) warn_of_lonely_index(sparse, columns, train_file(), context);
  // New rows may be close together; the model's training samples were not.
  if (!model()) check_precision(sparse, train_file(), context);
  if (this->sparse())
    return sparse_data(std::move(sparse), Layout::sparse(columns.width), columns.first, first,
                       context);
  auto dense = dense_rows(sparse, columns);
  return finish(Layout::vector(columns.width), static_cast<RowFacts&&>(sparse),
                packed(std::move(dense), columns.width, std::move(sparse.held)), first, context);
}

bool LibsvmFile::sparse() const {
  return model() ? model()->layout.kind == LayoutKind::sparse : rows_ == "sparse";
}

constexpr std::size_t rows_a_look = 4096;

/// Explicit zeros are equivalent to implicit ones.
std::unique_ptr<Dataset> LibsvmFile::sparse_data(SparseRows sparse, const Layout& layout,
                                                 std::size_t first, std::size_t train_rows,
                                                 Context& context) const {
  SpillingRows rows;
  rows.offsets.reserve(sparse.starts.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i + 1 < sparse.starts.size(); ++i) {
    if (i % rows_a_look == 0) {
      context.check_stop();
      sparse.values.drop_pages();
      sparse.indices.drop_pages();
    }
    for (std::size_t e = sparse.starts[i]; e < sparse.starts[i + 1]; ++e) {
      if (sparse.values[e] == 0) continue;
      sparse.values[kept] = sparse.values[e];
      sparse.indices[kept++] = sparse.indices[e] - static_cast<std::uint32_t>(first);
    }
    rows.offsets.push_back(kept);
  }
  sparse.values.resize(kept);
  sparse.indices.resize(kept);
  rows.values = std::move(sparse.values);
  rows.columns = std::move(sparse.indices);
  return finish(layout, static_cast<RowFacts&&>(sparse), ragged(std::move(rows)), train_rows,
                context);
}

Declaration<LibsvmFile> LibsvmFile::declare() {
  Declaration<LibsvmFile> declaration("source/libsvm", "LIBSVM's sparse text format");
  declare_text_file(declaration, "text file");
  declaration
      .parameter("dimension", &LibsvmFile::dimension_,
                 "number of values per row; 0: the largest index found", at_least(0),
                 at_most(2147483648.0))
      .parameter("first_index", &LibsvmFile::first_index_,
                 "the index of a row's first value: 1 in LIBSVM's files, 0 in those that "
                 "scikit-learn writes; automatic: 0 if an index 0 occurs, else 1",
                 choices({"1", "0", "automatic"}))
      .parameter(
          "precomputed", &LibsvmFile::precomputed_,
          "rows are those of a kernel matrix as LIBSVM takes it, `label 0:NUMBER 1:VALUE 2:VALUE "
          "...`, with a value for each training row; the number is checked and is no value")
      .parameter("rows", &LibsvmFile::rows_,
                 "sparse: only values other than 0 are kept, for components that take sparse "
                 "vectors; dense: zeros as well",
                 choices({"dense", "sparse"}));
  declare_rows(
      declaration,
      {.label_place = "the class that a line begins with",
       .target_word = "what a line begins with: the class of its row, or the number to predict",
       .facts = ""});
  return declaration.gives({LayoutKind::vector, LayoutKind::sparse})
      .gives_where("rows", "dense", LayoutKind::vector)
      .gives_where("rows", "sparse", LayoutKind::sparse)
      .random()
      .documentation(
          "A line is `label index:value ...` with ascending indices from 1, or from 0 if "
          "`first_index` says so; `#` starts a comment. Rows become dense unless `rows` is sparse, "
          "as suits text with its tens of thousands of columns. A label names one class. With "
          "`target: numbers` lines begin with a number to predict instead. With `role: test` or "
          "`label: none`, lines may lack it. New rows for a model get as many values as it "
          "was trained on, whatever their largest index; a larger index is an error.")
      .reference("Chang and Lin, LIBSVM: a library for support vector machines, 2011")
      .complexity(
          "memory: 4 bytes per value, zeros included; while reading, 8 more per non-zero. Sparse: "
          "8 bytes per non-zero")
      .example(R"(
        table: {is: source/libsvm, path: table.libsvm, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_libsvm() { return LibsvmFile::declare().entry(); }

}  // namespace semblance::sources
