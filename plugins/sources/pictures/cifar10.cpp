// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "files/byte_reader.hpp"
#include "files/line_reader.hpp"
#include "rows/memory_limit.hpp"
#include "rows/row_dataset.hpp"
#include "rows/table_source.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {
namespace {

constexpr std::size_t pixels = 3 * 32 * 32;
constexpr std::size_t record = 1 + pixels;
constexpr std::size_t batch_rows = 10000;
constexpr std::size_t classes = 10;

/// A file to read, and the destination of its first records.
struct BatchFile {
  std::string path;
  std::int64_t first = 0;            ///< the number of its first image
  std::span<unsigned char> records;  ///< of the images that are wanted
  std::span<std::int32_t> labels;    ///< of all images to read
};

/// The file is too short.
[[noreturn]] void cut_off(const std::string& file, std::uint64_t end) {
  throw DataError(file, "byte " + std::to_string(end),
                  "the file ends within record " + std::to_string(end / record + 1) + " of " +
                      std::to_string(batch_rows) +
                      "; a CIFAR-10 batch has 30,730,000 bytes, download it again");
}

/// Reads and checks a file's first records, one per label.
void read_batch(const BatchFile& out, const WantedRows& wanted, Context& context) {
  constexpr std::size_t most = 500;  // records between two polls for a stop request
  const std::size_t rows = out.labels.size();
  std::vector<unsigned char> passing(wanted.all() ? 0 : std::min(most, rows) * record);
  std::size_t kept = 0;
  ByteReader reader(out.path);
  for (std::size_t first = 0, step = 0; first < rows; first += step) {
    context.check_stop();
    step = std::min(most, rows - first);
    const auto part = wanted.all() ? out.records.subspan(first * record, step * record)
                                   : std::span(passing).first(step * record);
    const std::size_t got = reader.read(part);
    if (got < part.size()) cut_off(out.path, reader.position());
    for (std::size_t i = 0; i < step; ++i) {
      if (part[i * record] >= classes)
        throw DataError(out.path, "byte " + std::to_string((first + i) * record),
                        "the label is " + std::to_string(part[i * record]) +
                            ", but CIFAR-10 has labels 0 to 9; check that this is a batch of the "
                            "binary version");
      out.labels[first + i] = part[i * record];
      if (wanted.all() || !wanted.contains(out.first + static_cast<std::int64_t>(first + i)))
        continue;
      std::ranges::copy(part.subspan(i * record, record),
                        out.records.subspan(kept++ * record).begin());
    }
  }
  if (rows == batch_rows) reader.expect_end("10000 records of 3073 bytes");
}

/// CIFAR-10 in its binary version: six files of 10,000 records, each a label byte and 32x32
/// pixels in three planes.
class Cifar10 final : public Source {
 public:
  bool selects_rows() const override { return true; }
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Cifar10> declare();

 private:
  /// A file to read, and which of its images.
  struct Batch {
    std::string file;
    std::size_t rows = 0;
    std::int64_t first = 0;  ///< number of its first image
  };
  std::vector<Batch> batches() const;
  std::vector<Batch> new_batches() const;
  std::string names_file() const;
  std::vector<std::string> class_names() const;

  Path path_;
  std::vector<std::int64_t> train_folds_ = {1, 2, 3, 4, 5};
  std::int64_t images_per_batch_ = 10000;
  bool test_ = true;
  std::optional<NewData> model_;
};

constexpr std::int64_t train_batches = 5;
constexpr std::int64_t test_fold = train_batches + 1;

std::string batch_file(const std::string& folder, std::int64_t fold) {
  return find_data_file(folder + (fold == test_fold
                                      ? "/test_batch.bin"
                                      : "/data_batch_" + std::to_string(fold) + ".bin"));
}

/// The number of records of a file of any size. A compressed file is read to its end.
std::size_t record_count(const std::string& file) {
  ByteReader reader(file);
  std::uint64_t bytes = reader.plain_size().value_or(0);
  if (!reader.plain_size()) {
    std::vector<unsigned char> part(std::size_t{1} << 20);
    while (const std::size_t got = reader.read(part)) bytes += got;
  }
  if (bytes == 0 || bytes % record != 0)
    throw DataError(file, "",
                    "has " + std::to_string(bytes) +
                        " bytes, which is not a multiple of the record size of 3073 bytes; check "
                        "that this is a batch of the binary version");
  return bytes / record;
}

void Cifar10::check_parameters() const {
  auto folds = train_folds_;
  std::sort(folds.begin(), folds.end());
  if (std::adjacent_find(folds.begin(), folds.end()) != folds.end())
    throw Error("'train_folds' names a fold twice; remove one of them");
  if (folds.empty() && !test_)
    throw Error(
        "'train_folds' is empty and 'test' is false, so there are no rows; set one of them");
}

void Cifar10::apply_model(const NewData& data) {
  refuse_splits(data, {"train_folds", "images_per_batch", "test"});
  model_ = data;
}

/// The images of data_batch_1.bin are numbered first, those of test_batch.bin last, for any
/// selection.
std::vector<Cifar10::Batch> Cifar10::batches() const {
  if (model_) return new_batches();
  auto folds = train_folds_;
  if (test_) folds.push_back(test_fold);
  std::vector<Batch> all;
  for (const std::int64_t fold : folds)
    all.push_back({batch_file(path_.value, fold), static_cast<std::size_t>(images_per_batch_),
                   (fold - 1) * std::int64_t{batch_rows}});
  return all;
}

/// One file with any number of images, or the existing batches of a folder.
std::vector<Cifar10::Batch> Cifar10::new_batches() const {
  const std::string path = find_data_file(model_->path.empty() ? path_.value : model_->path);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return {{path, record_count(path), 0}};
  std::vector<Batch> all;
  for (std::int64_t fold = 1; fold <= test_fold; ++fold)
    if (const std::string file = batch_file(path, fold); std::filesystem::exists(file, ignored))
      all.push_back({file, batch_rows, (fold - 1) * std::int64_t{batch_rows}});
  if (all.empty())
    throw DataError(path, "",
                    "holds none of data_batch_1.bin to data_batch_5.bin and test_batch.bin; check "
                    "the path, or name one file of such records");
  return all;
}

std::string Cifar10::names_file() const {
  if (model_) return "";  // labels are numbers; the model knows the names
  const std::string file = path_.value + "/batches.meta.txt";
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? file : std::string();
}

std::vector<std::string> Cifar10::files() const {
  std::vector<std::string> all;
  for (const Batch& batch : batches()) all.push_back(batch.file);
  if (const auto names = names_file(); !names.empty()) all.push_back(names);
  return all;
}

std::vector<std::string> Cifar10::class_names() const {
  if (model_ && model_->classes.size() == classes) return model_->classes;
  if (names_file().empty())
    return {"airplane", "automobile", "bird",  "cat",  "deer",
            "dog",      "frog",       "horse", "ship", "truck"};
  std::vector<std::string> names;
  std::size_t count = 0;
  LineReader lines(names_file());
  std::string_view line;
  while (lines.next(line))
    if (!line.empty() && ++count <= classes) names.emplace_back(line);
  if (count != classes)
    throw DataError(names_file(), "",
                    "has " + std::to_string(count) +
                        " lines with class names, not 10; correct or remove the file");
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw DataError(names_file(), "",
                    "names class '" + *twice + "' twice; correct or remove the file");
  return names;
}

Outline Cifar10::outline(Context&) const {
  std::size_t rows = 0;
  for (const Batch& batch : batches()) rows += batch.rows;
  const std::size_t tested = model_  ? rows
                             : test_ ? static_cast<std::size_t>(images_per_batch_)
                                     : 0;
  return {Layout::image(32, 32, 3),  rows - tested, tested, class_names(), {},
          train_batches * batch_rows};
}

std::unique_ptr<Dataset> Cifar10::open(Context& context) const {
  Outline outline = this->outline(context);
  const auto all = batches();
  // Before this much is allocated, every file must exist and be large enough.
  for (const Batch& batch : all)
    if (const auto size = ByteReader(batch.file).plain_size(); size && *size < batch.rows * record)
      cut_off(batch.file, *size);
  HeldRows held;
  std::vector<std::size_t> starts, rows_before;
  RowAnswers answers;
  std::size_t kept = 0;
  for (const Batch& batch : all) {
    starts.push_back(kept * record);
    rows_before.push_back(answers.numbers.size());
    kept += wanted().count(batch.first, batch.rows);
    held.add(wanted(), batch.first, batch.rows);
    for (std::size_t i = 0; i < batch.rows; ++i)
      answers.numbers.push_back(batch.first + static_cast<std::int64_t>(i));
  }
  check_table_fits(kept, record, 1, path_.value, context);
  std::vector<unsigned char> records(kept * record);
  answers.labels.resize(outline.rows());
  std::vector<BatchFile> files;
  for (std::size_t b = 0; b < all.size(); ++b) {
    const std::size_t own = wanted().count(all[b].first, all[b].rows);
    files.push_back({all[b].file, all[b].first, std::span(records).subspan(starts[b], own * record),
                     std::span(answers.labels).subspan(rows_before[b], all[b].rows)});
  }
  context.parallel_for(files.size(),
                       [&](std::size_t f) { read_batch(files[f], wanted(), context); });
  return std::make_unique<RowDataset>(std::move(outline), std::move(answers),
                                      std::vector<std::size_t>(),
                                      std::make_unique<PackedValues<unsigned char>>(
                                          std::move(records), record, std::move(held), 1));
}

Declaration<Cifar10> Cifar10::declare() {
  return Declaration<Cifar10>("source/cifar10", "CIFAR-10: 32x32 colour images of ten classes")
      .parameter("path", &Cifar10::path_,
                 "folder with data_batch_1.bin to data_batch_5.bin and test_batch.bin, each plain "
                 "or as .gz, .xz, .bz2 or .zst",
                 required())
      .parameter("train_folds", &Cifar10::train_folds_,
                 "the training batches to read, in this order; each has 10,000 images", at_least(1),
                 at_most(5))
      .parameter("images_per_batch", &Cifar10::images_per_batch_,
                 "how many images to read from the start of each batch, including the test batch",
                 at_least(1), at_most(batch_rows))
      .parameter("test", &Cifar10::test_, "whether to read the test batch")
      .gives(LayoutKind::image)
      .documentation(
          "The binary version. Class names come from batches.meta.txt if it exists. Batches are "
          "decompressed in parallel. A model is applied to a file of any number of such records, "
          "or to all batches of a folder.")
      .reference("Krizhevsky, Learning multiple layers of features from tiny images, 2009")
      .complexity("memory: 30.7 MB per batch")
      .example(R"(
        images: {is: source/cifar10, path: cifar10, train_folds: [1], images_per_batch: 100}
        hog:    {is: feature/hog, cell: 8, from: images}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_cifar10() { return Cifar10::declare().entry(); }

}  // namespace semblance::sources
