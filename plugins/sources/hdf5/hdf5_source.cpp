// SPDX-License-Identifier: MIT
#include <memory>
#include <mutex>

#include "hdf5/hdf5_file.hpp"
#include "rows/memory_limit.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

/// Matrices in HDF5 files.
class Hdf5 final : public ArraysSource<std::string> {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Hdf5> declare();

 protected:
  const char* tests() const override { return "'test_samples' or 'test_path'"; }
  bool has_tests() const override { return ArraysSource::has_tests() || !test_samples_.empty(); }

 private:
  /// A data set with samples, and those of what is known of them.
  struct Part {
    std::string file, samples;
    FactPlaces facts;
  };
  /// The parts with training samples, and with test samples if these are separate.
  std::vector<Part> parts() const;
  /// Reads all labels, and the values of wanted rows.
  std::unique_ptr<Dataset> read(const WantedRows& values, Context& context) const;

  std::string samples_;
  std::string test_samples_;
};

/// The library may have been built for one thread at a time.
std::mutex library_lock;

/// The rows of all parts so far.
struct Hdf5Rows : RowFacts {
  std::size_t cols = 0;
  ColumnPrecision precision;
  std::vector<float> values;
};

void check_alike(const hdf5::Matrix& samples, const Hdf5Rows& rows, const std::string& first) {
  if (rows.cols == 0 || samples.cols() == rows.cols) return;
  samples.fail("has " + std::to_string(samples.cols()) + " values per row, but '" + first +
               "' has " + std::to_string(rows.cols) + "; use data sets that belong together");
}

void Hdf5::check_parameters() const {
  ArraysSource::check_parameters();
  if (!test_samples_.empty() && (test_fraction_ > 0 || test_class_fraction_ > 0 || test_rows_ > 0))
    throw Error(
        "'test_samples' names the test rows, so 'test_fraction', 'test_class_fraction' and "
        "'test_rows' have none to choose; remove one of them");
  if (!test_samples_.empty() && role_ == "test")
    throw Error("with 'role: test' all rows are for testing; remove 'test_samples'");
  if (!test_samples_.empty() && test_path_.value.empty() && test_samples_ == samples_)
    throw Error("'test_samples' and 'samples' name the same data set; name another, or omit it");
}

void Hdf5::apply_model(const NewData& data) {
  refuse_splits(data, {"test_samples"});
  ArraysSource::apply_model(data);
}

std::vector<Hdf5::Part> Hdf5::parts() const {
  std::vector<Part> all = {{train_file(), samples_, train_places()}};
  if (model() || !has_tests()) return all;
  const bool same_file = test_path_.value.empty();
  const auto place = [&](const std::string& train, const std::string& test) {
    return test.empty() && !same_file ? train : test;
  };
  all.push_back({same_file ? train_file() : test_file(),
                 test_samples_.empty() ? samples_ : test_samples_,
                 {place(label_at_, test_label_at_), place(target_at_, test_target_at_), "",
                  test_groups_at_}});
  return all;
}

Outline Hdf5::outline(Context& context) const {
  return read(WantedRows::none(), context)->outline();
}

std::unique_ptr<Dataset> Hdf5::open(Context& context) const { return read(wanted(), context); }

std::unique_ptr<Dataset> Hdf5::read(const WantedRows& values, Context& context) const {
  const bool reads_values = values != WantedRows::none();
  const std::scoped_lock one_at_a_time(library_lock);
  Hdf5Rows rows;
  if (model()) rows.targets.set_names(model()->targets);
  std::size_t first = 0;
  const std::vector<Part> all = parts();
  for (const Part& part : all) {
    const hdf5::File file(part.file);
    const hdf5::Matrix samples = file.matrix(part.samples);
    check_alike(samples, rows, all.front().samples);
    const std::size_t before = rows.labels.size();
    check_table_fits(wanted().count(static_cast<std::int64_t>(before), samples.rows()),
                     samples.cols(), sizeof(float), part.file, context);
    if (rows.cols == 0) {
      rows.cols = samples.cols();
      check_fits(ColumnPrecision::bytes(rows.cols, samples.rows()),
                 std::to_string(rows.cols) + " columns", part.file, "", context);
      rows.precision.resize(rows.cols);
    }
    if (reads_values)
      samples.read(values, before, keeps_missing(), rows.precision, rows.values, context);
    else
      samples.check_numbers();
    append_facts(
        part.facts,
        [&](const std::string& name) { return std::make_unique<hdf5::Matrix>(file.matrix(name)); },
        samples.rows(), in_quotes(part.samples), label_rule(), target_kind() == TargetKind::numbers,
        rows, context);
    if (&part == &all.front()) first = samples.rows();
  }
  // New rows may be close together; the model's training samples were not.
  if (!model() && reads_values)
    rows.precision.check(
        train_file(), [](std::size_t k) { return "column " + std::to_string(k) + " (from 0)"; },
        context);
  if (!model() && reads_values)
    rows.targets.check(
        train_file(),
        [](std::size_t k) { return "column " + std::to_string(k) + " (from 0) of the targets"; },
        context);
  check_labels(rows.labels, rows.classes, context);
  HeldRows held(values, rows.labels.size());
  return finish(Layout::vector(rows.cols), static_cast<RowFacts&&>(rows),
                packed(std::move(rows.values), rows.cols, std::move(held)), first, context);
}

Declaration<Hdf5> Hdf5::declare() {
  Declaration<Hdf5> declaration("source/hdf5", "A matrix in an HDF5 file, one row per sample");
  declaration.parameter("path", &Hdf5::path_, "HDF5 file", required())
      .parameter("samples", &Hdf5::samples_, "path of the matrix in the file, such as /X",
                 required())
      .parameter("test_samples", &Hdf5::test_samples_,
                 "path of the matrix with the test rows, in 'test_path' or, without that, in "
                 "'path'; empty: as 'samples', in 'test_path'. So are 'test_label' and "
                 "'test_target'");
  declare_arrays(declaration, "path in the file of an array");
  return declaration.gives(LayoutKind::vector)
      .random()
      .documentation(
          "Floating-point numbers, integers and booleans of up to 64 bits, contiguous, chunked or "
          "compressed by a filter that the HDF5 library has. All are kept as float32: a column "
          "whose values float32 cannot distinguish is an error, and integers beyond 16,777,216 "
          "that get rounded are reported. Labels may also be an enumeration, whose names are the "
          "classes. Columns have no names: new rows for a model must have them in the same order. "
          "Give labels for new rows with `--set nodes.NODE.label=/y`. A value that equals the "
          "attribute _FillValue is missing.\n\nValues in other files (external links and storage, "
          "virtual data sets) are refused, and so are data sets that were never completely "
          "written, packed values of netCDF (`scale_factor`), and MATLAB's matrices, whose rows "
          "and columns are exchanged.")
      .complexity("memory: 4 bytes per value")
      .example(R"(
        table: {is: source/hdf5, path: table.h5, samples: /X, label: /y, test_fraction: 0.3}
        x:     {is: normalizer/zscore, from: table}
        svm:   {is: solver/linear_svm, from: x}
        test:  {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_hdf5_source() { return Hdf5::declare().entry(); }

}  // namespace semblance::sources
