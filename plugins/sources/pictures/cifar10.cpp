// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "byte_reader.hpp"
#include "cifar10_batches.hpp"
#include "memory_dataset.hpp"
#include "memory_limit.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"
#include "table_source.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {
namespace {

using namespace cifar10;

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
      cifar10::cut_off(batch.file, *size);
  HeldRows held;
  std::vector<std::size_t> starts, rows_before;
  RowOrigins origins;
  std::size_t kept = 0;
  for (const Batch& batch : all) {
    starts.push_back(kept * record);
    rows_before.push_back(origins.numbers.size());
    kept += wanted().count(batch.first, batch.rows);
    held.add(wanted(), batch.first, batch.rows);
    for (std::size_t i = 0; i < batch.rows; ++i)
      origins.numbers.push_back(batch.first + static_cast<std::int64_t>(i));
  }
  check_table_fits(kept, record, 1, path_.value, context);
  std::vector<unsigned char> records(kept * record);
  std::vector<std::int32_t> labels(outline.rows());
  std::vector<BatchFile> files;
  for (std::size_t b = 0; b < all.size(); ++b) {
    const std::size_t own = wanted().count(all[b].first, all[b].rows);
    files.push_back({all[b].file, all[b].first, std::span(records).subspan(starts[b], own * record),
                     std::span(labels).subspan(rows_before[b], all[b].rows)});
  }
  read_batches(files, wanted(), context);
  return std::make_unique<MemoryDataset<unsigned char>>(
      std::move(outline), std::move(records), std::move(labels), std::vector<std::size_t>(),
      MemoryDataset<unsigned char>::Records{record, 1}, std::move(origins), std::move(held));
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
