// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "files/byte_reader.hpp"
#include "rows/class_names.hpp"
#include "rows/memory_limit.hpp"
#include "rows/row_dataset.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/source.hpp"
#include "semblance/wanted_rows.hpp"

namespace semblance::sources {
namespace {

/// A file of the MNIST family: bytes in one, two or three dimensions, the first being the rows.
struct IdxFile {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> values;  ///< empty when only the header was read

  std::size_t row_size() const {
    std::size_t size = 1;
    for (std::size_t d = 1; d < shape.size(); ++d) size *= shape[d];
    return size;
  }
};

constexpr std::size_t most_idx_values_a_row = std::size_t{1} << 26;

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 |
         std::uint32_t(bytes[2]) << 8 | bytes[3];
}

std::vector<std::size_t> read_shape(ByteReader& reader, std::size_t least, std::size_t most,
                                    const char* dimensions) {
  std::array<unsigned char, 4> magic;
  reader.read_exactly(magic, "the magic number");
  const std::uint32_t number = big_endian(magic.data());
  if (magic[0] != 0 || magic[1] != 0 || magic[3] == 0)
    throw DataError(reader.path(), "byte 0",
                    "the magic number is " + std::to_string(number) +
                        ", so this is not an idx file; check that it is the right file");
  if (magic[2] != 0x08)
    throw DataError(reader.path(), "byte 2",
                    "the values are not unsigned bytes (type " + std::to_string(magic[2]) +
                        " instead of 8); store them as bytes, or as .npy for source/npy");
  if (magic[3] < least || magic[3] > most)
    throw DataError(reader.path(), "byte 3",
                    "has " + std::to_string(magic[3]) + " dimensions, but " + dimensions +
                        "; check that images and labels are not swapped");
  std::vector<std::size_t> shape;
  std::size_t row = 1;
  for (std::size_t d = 0; d < magic[3]; ++d) {
    std::array<unsigned char, 4> extent;
    reader.read_exactly(extent, "the header");
    shape.push_back(big_endian(extent.data()));
    if (shape[d] == 0)
      throw DataError(
          reader.path(), "byte " + std::to_string(4 + 4 * d),
          "one of the dimensions is 0, so there are no values; download the file again");
    if (d > 0 && (row *= shape[d]) > most_idx_values_a_row)
      throw DataError(reader.path(), "byte " + std::to_string(4 + 4 * d),
                      "the header claims rows of more than 67,108,864 values; the file is damaged, "
                      "download it again");
  }
  return shape;
}

[[noreturn]] void cut_off(const std::string& file, const IdxFile& idx, std::uint64_t end,
                          std::uint64_t values) {
  throw DataError(file, "byte " + std::to_string(end),
                  "the file ends after " + std::to_string(values / idx.row_size()) + " of the " +
                      std::to_string(idx.shape[0]) +
                      " rows that its header claims; it is cut off, download it again");
}

/// Reads the header; an uncompressed file must be as large as it claims.
IdxFile read_header(ByteReader& reader, std::size_t least, std::size_t most,
                    const char* dimensions) {
  IdxFile idx{read_shape(reader, least, most, dimensions), {}};
  if (const auto size = reader.plain_size()) {
    const std::uint64_t values = *size - std::min(*size, reader.position());
    if (values < std::uint64_t{idx.shape[0]} * idx.row_size())
      cut_off(reader.path(), idx, *size, values);
  }
  return idx;
}

/// Appends the wanted ones of all rows; returns the number of bytes that were read.
std::uint64_t append_wanted(ByteReader& reader, IdxFile& idx, const WantedRows& wanted,
                            std::int64_t first) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  const std::size_t size = idx.row_size(), rows = idx.shape[0];
  idx.values.reserve(wanted.count(first, rows) * size);
  std::vector<unsigned char> bytes(std::max<std::size_t>(1, at_once / size) * size);
  std::uint64_t total = 0;
  for (std::size_t row = 0; row < rows;) {
    const std::size_t wished = std::min(bytes.size(), (rows - row) * size);
    const std::size_t got = reader.read(std::span(bytes).first(wished));
    total += got;
    if (got < wished) break;
    for (std::size_t at = 0; at < got; at += size, ++row)
      if (wanted.contains(first + static_cast<std::int64_t>(row)))
        idx.values.insert(idx.values.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
  }
  return total;
}

/// Reads and checks only the header, also against the size of an uncompressed file. `dimensions`
/// are the allowed ones, in words for the message.
IdxFile read_idx_header(const std::string& file, std::size_t least, std::size_t most,
                        const char* dimensions) {
  ByteReader reader(file);
  return read_header(reader, least, most, dimensions);
}

/// Reads everything; throws DataError if the file is shorter or longer than its header says. Stores
/// the values of wanted rows; the first row has the number `first`.
IdxFile read_idx(const std::string& file, std::size_t least, std::size_t most,
                 const char* dimensions, const WantedRows& wanted = {}, std::int64_t first = 0) {
  ByteReader reader(file);
  IdxFile idx = read_header(reader, least, most, dimensions);
  const std::uint64_t expected = std::uint64_t{idx.shape[0]} * idx.row_size();
  const std::uint64_t got = wanted.all() ? append_bytes(reader, expected, idx.values)
                                         : append_wanted(reader, idx, wanted, first);
  if (got < expected) cut_off(file, idx, reader.position(), got);
  reader.expect_end(std::to_string(idx.shape[0]) + " rows");
  return idx;
}

/// MNIST and data in the same format.
class Idx final : public Source {
 public:
  bool selects_rows() const override { return true; }
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  TargetKind target_kind() const override {
    const bool labelled = !path_.value.empty() || !train_labels_.value.empty();
    return labelled ? TargetKind::classes : TargetKind::none;
  }
  static Declaration<Idx> declare();

 private:
  /// Names of the files to read; empty: none.
  struct Files {
    std::string train_images, train_labels, test_images, test_labels;
  };
  Files names() const;
  Files new_names() const;
  Files named() const;
  static Files usual_names(const std::string& folder);
  std::size_t train_rows(std::size_t all) const { return model_ ? 0 : all; }

  Path path_;
  Path train_images_, train_labels_, test_images_, test_labels_;
  std::optional<NewData> model_;
};

constexpr const char* image_dimensions = "images have 3 (or 2, for vectors)";

IdxFile image_header(const std::string& file) {
  return file.empty() ? IdxFile{{0}, {}} : read_idx_header(file, 2, 3, image_dimensions);
}

/// Checks the size of the wanted images, of which the first has the number `first`.
void check_images_fit(const std::string& file, const IdxFile& images, const WantedRows& wanted,
                      std::size_t first, const Context& context) {
  check_table_fits(wanted.count(static_cast<std::int64_t>(first), images.shape[0]),
                   images.row_size(), 1, file, context);
}

Layout layout_of(const IdxFile& images) {
  return images.shape.size() == 3 ? Layout::image(images.shape[1], images.shape[2], 1)
                                  : Layout::vector(images.shape[1]);
}

/// The layout of the files; if there are two, they must agree.
Layout common_layout(const IdxFile& train, const IdxFile& test, const std::string& test_file) {
  if (train.shape[0] == 0) return layout_of(test);
  const Layout layout = layout_of(train);
  if (test.shape[0] != 0 && layout_of(test) != layout)
    throw DataError(test_file, "",
                    "holds rows that are each a " + describe(layout_of(test)) +
                        ", but the training file's are each a " + describe(layout) +
                        "; use files of the same data set");
  return layout;
}

/// Appends the labels of `rows` rows; unknown ones without a file.
void add_labels(const std::string& file, const std::string& images, std::size_t rows,
                ClassNames& classes, std::vector<std::int32_t>& labels) {
  if (file.empty()) {
    labels.insert(labels.end(), rows, -1);
    return;
  }
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

void Idx::check_parameters() const {
  const bool named = !train_images_.value.empty() || !train_labels_.value.empty() ||
                     !test_images_.value.empty() || !test_labels_.value.empty();
  if (!path_.value.empty() && named)
    throw Error("'path' names a folder with all four files; give either the folder or the files");
  if (path_.value.empty() && train_images_.value.empty() && test_images_.value.empty())
    throw Error(
        "no images are given; set 'path', a folder with the four files of MNIST, or 'train_images' "
        "and 'test_images'");
  if (train_images_.value.empty() && !train_labels_.value.empty())
    throw Error("'train_labels' needs 'train_images'; give both or only the images");
  if (test_images_.value.empty() && !test_labels_.value.empty())
    throw Error("'test_labels' needs 'test_images'; give both or only the images");
}

void Idx::apply_model(const NewData& data) { model_ = data; }

/// The label file of an image file, by its usual name; empty if there is none.
std::string labels_beside(const std::string& images) {
  std::string file = images;
  const auto at = file.rfind("images");
  if (at == file.npos || file.find('/', at) != file.npos) return "";
  file.replace(at, 6, "labels");
  for (const char* rank : {"idx3", "idx2"})
    if (const auto found = file.rfind(rank); found != file.npos) file.replace(found, 4, "idx1");
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? file : "";
}

std::string if_there(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? file : "";
}

/// The files for all rows: in a folder, those of training and testing, if they exist.
Idx::Files Idx::new_names() const {
  std::error_code ignored;
  const std::string& path = model_->path.empty() ? path_.value : model_->path;
  if (!path.empty() && !std::filesystem::is_directory(path, ignored)) {
    const std::string images = find_data_file(path);
    return {"", "", images, labels_beside(images)};
  }
  if (!path.empty()) {
    Files all = usual_names(path);
    const Files there = {if_there(all.train_images), if_there(all.train_labels),
                         if_there(all.test_images), if_there(all.test_labels)};
    return there.train_images.empty() && there.test_images.empty() ? all : there;
  }
  Files all = named();
  const bool train = model_->gives("train_images"), test = model_->gives("test_images");
  if (!train && !test) return all;
  if (!train) all.train_images.clear();
  if (!test) all.test_images.clear();
  if (!train || !model_->gives("train_labels")) all.train_labels.clear();
  if (!test || !model_->gives("test_labels")) all.test_labels.clear();
  return all;
}

Idx::Files Idx::named() const {
  const auto find = [](const Path& p) {
    return p.value.empty() ? std::string() : find_data_file(p.value);
  };
  return {find(train_images_), find(train_labels_), find(test_images_), find(test_labels_)};
}

Idx::Files Idx::usual_names(const std::string& folder) {
  return {usual_name(folder, "train-images", "idx3"), usual_name(folder, "train-labels", "idx1"),
          usual_name(folder, "t10k-images", "idx3"), usual_name(folder, "t10k-labels", "idx1")};
}

Idx::Files Idx::names() const {
  if (model_) return new_names();
  return path_.value.empty() ? named() : usual_names(path_.value);
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
  check_images_fit(f.train_images, train, wanted(), 0, context);
  check_images_fit(f.test_images, test, wanted(), train.shape[0], context);
  ClassNames classes;
  std::vector<std::int32_t> labels;
  add_labels(f.train_labels, f.train_images, train.shape[0], classes, labels);
  add_labels(f.test_labels, f.test_images, test.shape[0], classes, labels);
  classes.sort(labels);
  const std::size_t rows = train.shape[0] + test.shape[0];
  const std::size_t learned = train_rows(train.shape[0]);
  return {common_layout(train, test, f.test_images), learned, rows - learned, classes.names()};
}

std::unique_ptr<Dataset> Idx::open(Context& context) const {
  const Files f = names();
  IdxFile parts[2] = {{{0}, {}}, {{0}, {}}};
  const std::size_t before_test = wanted().all() ? 0 : image_header(f.train_images).shape[0];
  context.parallel_for(2, [&](std::size_t k) {
    const std::string& file = k == 0 ? f.train_images : f.test_images;
    if (file.empty()) return;
    const std::size_t first = k == 0 ? 0 : before_test;
    check_images_fit(file, image_header(file), wanted(), first, context);
    parts[k] = read_idx(file, 2, 3, image_dimensions, wanted(), static_cast<std::int64_t>(first));
  });
  auto& [train, test] = parts;
  const Layout layout = common_layout(train, test, f.test_images);
  ClassNames classes;
  std::vector<std::int32_t> labels;
  add_labels(f.train_labels, f.train_images, train.shape[0], classes, labels);
  add_labels(f.test_labels, f.test_images, test.shape[0], classes, labels);
  classes.sort(labels);
  const std::size_t learned = train_rows(train.shape[0]);
  check_test_classes(labels, learned, classes.names(), f.test_labels);
  const std::size_t rows = train.shape[0] + test.shape[0];
  train.values.insert(train.values.end(), test.values.begin(), test.values.end());
  return make_dataset(layout, classes.names(), {std::move(labels)},
                      Split{learned, rows - learned, {}},
                      packed(std::move(train.values), layout.size(), HeldRows(wanted(), rows)));
}

Declaration<Idx> Idx::declare() {
  return Declaration<Idx>("source/idx", "Images in the idx format: MNIST and its relatives")
      .parameter("path", &Idx::path_,
                 "folder with MNIST's four files, each plain or as .gz, .xz, .bz2 or .zst",
                 optional())
      .parameter("train_images", &Idx::train_images_, "file of training images, instead of 'path'",
                 optional())
      .parameter("train_labels", &Idx::train_labels_,
                 "file of their labels; without it they have none, as for novelty detectors",
                 optional())
      .parameter("test_images", &Idx::test_images_, "file of test images", optional())
      .parameter("test_labels", &Idx::test_labels_,
                 "file of their labels; without it, labels are unknown", optional())
      .documentation(
          "Unsigned bytes in three dimensions are grey images, in two dimensions vectors. The four "
          "files of MNIST are train-images-idx3-ubyte, train-labels-idx1-ubyte, "
          "t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte.\n\n"
          "A model is applied to a file of images, with labels from the file of the same name "
          "beside it (labels for images, idx1 for idx3), or to all images of a folder.")
      .reference(
          "LeCun, Bottou, Bengio, Haffner, Gradient-based learning applied to document "
          "recognition, 1998")
      .complexity("memory: one byte per pixel")
      .example(R"(
        digits: {is: source/idx, path: mnist}
        hog:    {is: feature/hog, cell: 4, from: digits}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_idx() { return Idx::declare().entry(); }

}  // namespace semblance::sources
