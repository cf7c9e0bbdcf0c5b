// SPDX-License-Identifier: MIT
#include "arrays/idx.hpp"

#include <filesystem>

#include "arrays/idx_file.hpp"
#include "byte_reader.hpp"
#include "class_names.hpp"
#include "memory_dataset.hpp"
#include "memory_limit.hpp"

namespace semblance {
namespace {

constexpr const char* image_dimensions = "images have 3 (or 2, for vectors)";

IdxFile image_header(const std::string& file) {
  return file.empty() ? IdxFile{{0}, {}} : read_idx_header(file, 2, 3, image_dimensions);
}

void check_images_fit(const std::string& file, const IdxFile& images, const Context& context) {
  check_table_fits(images.shape[0], images.row_size(), 1, file, context);
}

Layout layout_of(const IdxFile& images) {
  return images.shape.size() == 3 ? Layout::image(images.shape[1], images.shape[2], 1)
                                  : Layout::vector(images.shape[1]);
}

/// The layout of both files; they must agree where both are there.
Layout common_layout(const IdxFile& train, const IdxFile& test, const std::string& test_file) {
  if (train.shape[0] == 0) return layout_of(test);
  const Layout layout = layout_of(train);
  if (test.shape[0] != 0 && layout_of(test) != layout)
    throw DataError(test_file, "",
                    "holds rows that are each a " + describe(layout_of(test)) +
                        ", but the training file's are each a " + describe(layout) +
                        "; use files of one data set");
  return layout;
}

/// Appends the labels of `rows` rows; nothing without a file.
void add_labels(const std::string& file, const std::string& images, std::size_t rows,
                ClassNames& classes, std::vector<std::int32_t>& labels) {
  if (file.empty()) return;
  const std::size_t claimed = read_idx_header(file, 1, 1, "labels have 1").shape[0];
  if (claimed != rows)
    throw DataError(file, "",
                    "holds " + std::to_string(claimed) + " labels, but " + images + " holds " +
                        std::to_string(rows) + " rows; use files that belong together");
  const IdxFile idx = read_idx(file, 1, 1, "labels have 1");
  for (const std::uint8_t value : idx.values) labels.push_back(classes.add(std::to_string(value)));
}

/// A file of the folder by one of its two usual names.
std::string usual_name(const std::string& folder, const std::string& part, const char* rank) {
  const std::string first = find_data_file(folder + "/" + part + "-" + rank + "-ubyte");
  const std::string second = find_data_file(folder + "/" + part + "." + rank + "-ubyte");
  std::error_code ignored;
  return !std::filesystem::exists(first, ignored) && std::filesystem::exists(second, ignored)
             ? second
             : first;
}

}  // namespace

void Idx::check_parameters() const {
  const bool named = !train_images_.value.empty() || !train_labels_.value.empty() ||
                     !test_images_.value.empty() || !test_labels_.value.empty();
  if (!path_.value.empty() && named)
    throw Error("'path' names a folder with all four files; give either it or the files");
  if (path_.value.empty() && train_images_.value.empty() && test_images_.value.empty())
    throw Error(
        "no images are named; give 'path', a folder with the four files of MNIST, or "
        "'train_images' and 'test_images'");
  if (train_images_.value.empty() != train_labels_.value.empty())
    throw Error("'train_images' and 'train_labels' need each other; give both or none");
  if (test_images_.value.empty() && !test_labels_.value.empty())
    throw Error("'test_labels' needs 'test_images'; give both or only the images");
}

Idx::Files Idx::names() const {
  if (path_.value.empty()) {
    const auto find = [](const Path& p) {
      return p.value.empty() ? std::string() : find_data_file(p.value);
    };
    return {find(train_images_), find(train_labels_), find(test_images_), find(test_labels_)};
  }
  const std::string& folder = path_.value;
  return {usual_name(folder, "train-images", "idx3"), usual_name(folder, "train-labels", "idx1"),
          usual_name(folder, "t10k-images", "idx3"), usual_name(folder, "t10k-labels", "idx1")};
}

std::vector<std::string> Idx::files() const {
  const Files f = names();
  std::vector<std::string> all;
  for (const auto& name : {f.train_images, f.train_labels, f.test_images, f.test_labels})
    if (!name.empty()) all.push_back(name);
  return all;
}

Outline Idx::outline(Context& context) const {
  const Files f = names();
  const IdxFile train = image_header(f.train_images), test = image_header(f.test_images);
  check_images_fit(f.train_images, train, context);
  check_images_fit(f.test_images, test, context);
  ClassNames classes;
  std::vector<std::int32_t> labels;
  add_labels(f.train_labels, f.train_images, train.shape[0], classes, labels);
  add_labels(f.test_labels, f.test_images, test.shape[0], classes, labels);
  classes.sort(labels);
  return {common_layout(train, test, f.test_images), train.shape[0], test.shape[0],
          classes.names()};
}

std::unique_ptr<Dataset> Idx::open(Context& context) const {
  const Files f = names();
  IdxFile parts[2] = {{{0}, {}}, {{0}, {}}};
  context.parallel_for(2, [&](std::size_t k) {
    const std::string& file = k == 0 ? f.train_images : f.test_images;
    if (file.empty()) return;
    check_images_fit(file, image_header(file), context);
    parts[k] = read_idx(file, 2, 3, image_dimensions);
  });
  auto& [train, test] = parts;
  const Layout layout = common_layout(train, test, f.test_images);
  ClassNames classes;
  std::vector<std::int32_t> labels;
  add_labels(f.train_labels, f.train_images, train.shape[0], classes, labels);
  add_labels(f.test_labels, f.test_images, test.shape[0], classes, labels);
  labels.resize(train.shape[0] + test.shape[0], -1);
  classes.sort(labels);
  check_test_classes(labels, train.shape[0], classes.names(), f.test_labels);
  train.values.insert(train.values.end(), test.values.begin(), test.values.end());
  return make_dataset(layout, classes.names(), std::move(train.values), std::move(labels),
                      Split{train.shape[0], test.shape[0], {}});
}

Declaration<Idx> Idx::declare() {
  return Declaration<Idx>("source/idx", "Images in the idx format: MNIST and its relatives")
      .parameter("path", &Idx::path_,
                 "folder with MNIST's four files, each plain or as .gz, .xz, .bz2, .zst",
                 optional())
      .parameter("train_images", &Idx::train_images_, "file of training images, instead of 'path'",
                 optional())
      .parameter("train_labels", &Idx::train_labels_, "file of their labels", optional())
      .parameter("test_images", &Idx::test_images_, "file of test images", optional())
      .parameter("test_labels", &Idx::test_labels_,
                 "file of their labels; without it they are unknown", optional())
      .documentation(
          "Unsigned bytes in three dimensions make grey images, in two dimensions vectors. The "
          "four files of MNIST are train-images-idx3-ubyte, train-labels-idx1-ubyte, "
          "t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte.")
      .reference(
          "LeCun, Bottou, Bengio, Haffner, Gradient-based learning applied to document "
          "recognition, 1998")
      .complexity("memory: one byte a pixel")
      .example(R"(
        digits: {is: source/idx, path: mnist}
        hog:    {is: feature/hog, cell: 4, from: digits}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace semblance
