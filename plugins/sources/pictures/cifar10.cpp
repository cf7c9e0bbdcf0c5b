// SPDX-License-Identifier: MIT
#include "pictures/cifar10.hpp"

#include <algorithm>
#include <filesystem>

#include "byte_reader.hpp"
#include "memory_dataset.hpp"
#include "memory_limit.hpp"
#include "text/line_reader.hpp"

namespace semblance {
namespace {

constexpr std::size_t pixels = 3 * 32 * 32;
constexpr std::size_t record = 1 + pixels;
constexpr std::size_t batch_rows = 10000;
constexpr std::size_t classes = 10;
constexpr std::int64_t train_batches = 5;

[[noreturn]] void cut_off(const std::string& file, std::uint64_t end) {
  throw DataError(file, "byte " + std::to_string(end),
                  "the file ends within record " + std::to_string(end / record + 1) + " of " +
                      std::to_string(batch_rows) +
                      "; a CIFAR-10 batch has 30,730,000 bytes, get it again");
}

/// Reads a file's first records, as many as `out` has room for, and checks their labels.
void read_batch(const std::string& file, std::span<unsigned char> out, Context& context) {
  constexpr std::size_t most = 500;  // records between two looks at a stop request
  const std::size_t rows = out.size() / record;
  ByteReader reader(file);
  for (std::size_t first = 0, step = 0; first < rows; first += step) {
    context.check_stop();
    step = std::min(most, rows - first);
    const auto part = out.subspan(first * record, step * record);
    const std::size_t got = reader.read(part);
    if (got < part.size()) cut_off(file, reader.position());
    for (std::size_t i = 0; i < step; ++i)
      if (part[i * record] >= classes)
        throw DataError(file, "byte " + std::to_string((first + i) * record),
                        "the label is " + std::to_string(part[i * record]) +
                            ", but CIFAR-10 has labels 0 to 9; check that this is a batch of the "
                            "binary version");
  }
  if (rows == batch_rows) reader.expect_end("10000 records of 3073 bytes");
}

}  // namespace

void Cifar10::check_parameters() const {
  auto folds = train_folds_;
  std::sort(folds.begin(), folds.end());
  if (std::adjacent_find(folds.begin(), folds.end()) != folds.end())
    throw Error("'train_folds' names a fold twice; remove one of them");
  if (folds.empty() && !test_)
    throw Error("'train_folds' is empty and 'test' is false, so there are no rows; give one");
}

std::vector<std::string> Cifar10::batches() const {
  std::vector<std::string> all;
  for (const std::int64_t fold : train_folds_)
    all.push_back(find_data_file(path_.value + "/data_batch_" + std::to_string(fold) + ".bin"));
  if (test_) all.push_back(find_data_file(path_.value + "/test_batch.bin"));
  return all;
}

/// The images of data_batch_1.bin come first, those of test_batch.bin last, whichever are taken.
std::vector<std::int64_t> Cifar10::numbers() const {
  auto folds = train_folds_;
  if (test_) folds.push_back(train_batches + 1);
  std::vector<std::int64_t> all;
  for (const std::int64_t fold : folds)
    for (std::int64_t i = 0; i < images_per_batch_; ++i)
      all.push_back((fold - 1) * static_cast<std::int64_t>(batch_rows) + i);
  return all;
}

std::string Cifar10::names_file() const {
  const std::string file = path_.value + "/batches.meta.txt";
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? file : std::string();
}

std::vector<std::string> Cifar10::files() const {
  auto all = batches();
  if (const auto names = names_file(); !names.empty()) all.push_back(names);
  return all;
}

std::vector<std::string> Cifar10::class_names() const {
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
  const auto rows = static_cast<std::size_t>(images_per_batch_);
  return {
      Layout::image(32, 32, 3),  train_folds_.size() * rows, test_ ? rows : 0, class_names(), {},
      train_batches * batch_rows};
}

std::unique_ptr<Dataset> Cifar10::open(Context& context) const {
  Outline outline = this->outline(context);
  const auto all = batches();
  // Before anything of this size is allocated, every file must be there and large enough.
  const std::size_t wanted = static_cast<std::size_t>(images_per_batch_) * record;
  for (const auto& file : all)
    if (const auto size = ByteReader(file).plain_size(); size && *size < wanted)
      cut_off(file, *size);
  check_table_fits(outline.rows(), record, 1, path_.value, context);
  std::vector<unsigned char> records(outline.rows() * record);
  context.parallel_for(all.size(), [&](std::size_t b) {
    read_batch(all[b], std::span(records).subspan(b * wanted, wanted), context);
  });
  std::vector<std::int32_t> labels(outline.rows());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = records[i * record];
  return std::make_unique<MemoryDataset<unsigned char>>(
      std::move(outline), std::move(records), std::move(labels), std::vector<std::size_t>(),
      MemoryDataset<unsigned char>::Records{record, 1}, RowOrigins{numbers(), {}});
}

Declaration<Cifar10> Cifar10::declare() {
  return Declaration<Cifar10>("source/cifar10", "CIFAR-10: 32x32 colour images of ten classes")
      .parameter("path", &Cifar10::path_,
                 "folder with data_batch_1.bin to data_batch_5.bin and test_batch.bin, each plain "
                 "or as .gz, .xz, .bz2, .zst",
                 required())
      .parameter("train_folds", &Cifar10::train_folds_,
                 "the training batches to take, in this order; each has 10,000 images", at_least(1),
                 at_most(5))
      .parameter("images_per_batch", &Cifar10::images_per_batch_,
                 "the first so many images of each batch are taken, of the test batch too",
                 at_least(1), at_most(batch_rows))
      .parameter("test", &Cifar10::test_, "whether to take the test batch")
      .gives(LayoutKind::image)
      .documentation(
          "The binary version. Class names come from batches.meta.txt where it is there. Batches "
          "are decompressed in parallel.")
      .reference("Krizhevsky, Learning multiple layers of features from tiny images, 2009")
      .complexity("memory: 30.7 MB a batch")
      .example(R"(
        images: {is: source/cifar10, path: cifar10, train_folds: [1], images_per_batch: 100}
        hog:    {is: feature/hog, cell: 8, from: images}
        x:      {is: normalizer/mean_norm, from: hog}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
