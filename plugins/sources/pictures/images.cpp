// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <set>

#include "pictures/image_decoding.hpp"
#include "pictures/picture_files.hpp"
#include "rows/memory_limit.hpp"
#include "rows/table_source.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

/// Pictures in a folder or an archive, with one sub-folder per class.
class Images final : public TableSource {
 public:
  void check_parameters() const override;
  std::vector<std::string> files() const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Images> declare();

 private:
  /// The data read so far.
  struct Collection : RowFacts {
    Layout layout;                     ///< depth 0 before the first picture
    std::string first;                 ///< name of the first picture, for messages
    std::size_t pictures = 0;          ///< so far
    std::vector<std::uint8_t> values;  ///< planar, of the wanted pictures
  };
  void collect(const std::string& path, bool may_lack_labels, Collection& all,
               Context& context) const;
  void make_room(const std::string& path, const PictureFiles& files, Collection& all,
                 Context& context) const;
  void append(const std::string& path, std::vector<PictureFile>& batch, Collection& all,
              Context& context) const;
  Picture decoded(const std::string& path, const PictureFile& file, std::size_t memory) const;
  void add(const Picture& picture, const std::string& path, const std::string& name,
           Collection& all) const;

  std::string color_ = "rgb";
  std::string orientation_ = "apply";
  std::vector<std::int64_t> size_;
};

constexpr std::size_t most_batch_files = 512;
constexpr std::size_t batch_bytes = std::size_t{64} << 20;

/// The number of pictures decoded at a time. The very first is decoded alone, to know the size.
std::size_t files_a_batch(const Layout& layout) {
  if (layout.depth == 0) return 1;
  return std::clamp<std::size_t>(batch_bytes / layout.size(), 1, most_batch_files);
}

/// The longest path of folders that all names start with, with its last /.
std::string common_folder(const std::vector<std::string>& names) {
  std::string common = names.front().substr(0, names.front().rfind('/') + 1);
  for (const auto& name : names)
    while (!name.starts_with(common)) {
      common.pop_back();
      common.resize(common.rfind('/') + 1);
    }
  return common;
}

Layout layout_of(const Picture& picture) {
  return Layout::image(picture.height, picture.width, picture.channels);
}

/// Throws if all files of a class are omitted, since the class would vanish. `start`: the folder
/// with the classes' folders.
void check_no_class_lost(const std::string& path, const std::vector<std::string>& classes,
                         const std::string& start, const LeftOutFiles& left_out) {
  const std::set<std::string> found(classes.begin(), classes.end());
  for (const std::string& name : left_out.names()) {
    if (!name.starts_with(start)) continue;
    const std::size_t end = name.find('/', start.size());
    if (end == name.npos) continue;
    const std::string folder = name.substr(start.size(), end - start.size());
    if (!found.contains(folder))
      throw DataError(path, printable(start + folder),
                      "holds files, but none of them is a picture of a known format; " +
                          left_out.text() +
                          "; convert them, or remove the folder if it is no class");
  }
}

std::string size_text(std::size_t height, std::size_t width) {
  return std::to_string(width) + " wide and " + std::to_string(height) + " high";
}

/// The class of each picture: the first folder of its path. `from_archive`: folders common to all
/// pictures are skipped. Empty texts if pictures are in no folder; throws DataError if only some
/// are.
std::vector<std::string> picture_classes(const std::string& path,
                                         const std::vector<std::string>& names, bool from_archive) {
  const std::size_t start = from_archive ? common_folder(names).size() : 0;
  std::vector<std::string> classes;
  for (const auto& name : names) {
    const auto slash = name.find('/', start);
    classes.push_back(slash == name.npos ? "" : name.substr(start, slash - start));
    if (classes.back().empty() != classes.front().empty())
      throw DataError(path, classes.back().empty() ? name : names.front(),
                      "is in no sub-folder, but other pictures are; put each picture into the "
                      "folder of its class");
  }
  return classes;
}

void Images::check_parameters() const {
  TableSource::check_parameters();
  check_has_beside();
  if (!size_.empty() && size_.size() != 2)
    throw Error("'size' must be two numbers, height and width, as in [64, 48]");
}

std::vector<std::string> Images::files() const {
  auto all = list_picture_files(train_file());
  if (test_file().empty()) return all;
  const auto more = list_picture_files(test_file());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Decodes a picture and brings it to the size wanted.
Picture Images::decoded(const std::string& path, const PictureFile& file,
                        std::size_t memory) const {
  Picture picture;
  try {
    const Turning turning = orientation_ == "ignore" ? Turning::ignore : Turning::apply;
    picture = with_channels(decode_picture(file.bytes, memory, turning), color_ == "grey" ? 1 : 3);
  } catch (const Error& problem) {
    throw DataError(path, file.name, problem.what());
  }
  if (size_.empty()) return picture;
  return resized(picture, static_cast<std::size_t>(size_[0]), static_cast<std::size_t>(size_[1]));
}

void Images::add(const Picture& picture, const std::string& path, const std::string& name,
                 Collection& all) const {
  const Layout layout = layout_of(picture);
  if (all.layout.depth == 0) {
    all.layout = layout;
    all.first = name;
  }
  if (layout != all.layout)
    throw DataError(path, name,
                    "is " + size_text(layout.height, layout.width) + ", but " + all.first + " is " +
                        size_text(all.layout.height, all.layout.width) +
                        "; set 'size: [height, width]' to resize all to one size");
  if (!wanted().contains(static_cast<std::int64_t>(all.pictures++))) return;
  const std::size_t pixels = layout.height * layout.width, channels = layout.depth;
  all.values.resize(all.values.size() + layout.size());
  std::uint8_t* out = all.values.data() + all.values.size() - layout.size();
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t i = 0; i < pixels; ++i) *out++ = picture.values[i * channels + c];
}

/// Decodes the pictures of a batch in parallel and appends them. The very first determines the
/// required size and how many fit into memory.
void Images::append(const std::string& path, std::vector<PictureFile>& batch, Collection& all,
                    Context& context) const {
  if (batch.empty()) return;
  const std::size_t memory = context.memory_budget() / (2 * context.threads());
  const std::size_t alone = all.layout.depth == 0 ? 1 : 0;
  if (alone) add(decoded(path, batch[0], memory), path, batch[0].name, all);
  check_fits(double(all.values.size()) + 2 * double(batch.size()) * double(all.layout.size()),
             "the pictures so far", path, batch.front().name, context);
  const std::size_t before = all.pictures;
  std::vector<Picture> pictures(batch.size());
  context.parallel_for(batch.size() - alone, [&](std::size_t k) {
    context.check_stop();
    Picture& picture = pictures[k + alone];
    if (!wanted().contains(static_cast<std::int64_t>(before + k))) return;
    picture = decoded(path, batch[k + alone], memory);
    if (layout_of(picture) != all.layout) picture.values = {};  // it will be refused
  });
  for (std::size_t k = alone; k < batch.size(); ++k)
    if (wanted().contains(static_cast<std::int64_t>(all.pictures)))
      add(pictures[k], path, batch[k].name, all);
    else
      ++all.pictures;  // another process decodes it
  batch.clear();
}

/// If the number of pictures is known, their values are not moved as they grow.
void Images::make_room(const std::string& path, const PictureFiles& files, Collection& all,
                       Context& context) const {
  if (!files.count) return;
  const std::size_t first = all.pictures - 1;
  const std::size_t here = wanted().count(static_cast<std::int64_t>(first), *files.count);
  const std::size_t values = here * all.layout.size();
  check_fits(double(values), std::to_string(here) + " pictures", path, "", context);
  const bool first_is_there = wanted().contains(static_cast<std::int64_t>(first));
  all.values.reserve(all.values.size() - (first_is_there ? all.layout.size() : 0) + values);
}

void Images::collect(const std::string& path, bool may_lack_labels, Collection& all,
                     Context& context) const {
  const auto files = PictureFiles::open(path);
  std::vector<PictureFile> batch;
  std::vector<std::string> names;
  std::size_t bytes = 0;
  for (PictureFile file; files->next(file);) {
    context.check_stop();
    names.push_back(file.name);
    bytes += file.bytes.size();
    batch.push_back(std::move(file));
    if (batch.size() < files_a_batch(all.layout) && bytes < batch_bytes) continue;
    append(path, batch, all, context);
    if (names.size() == 1) make_room(path, *files, all, context);
    bytes = 0;
  }
  append(path, batch, all, context);
  if (names.empty())
    throw DataError(path, "",
                    "holds no pictures (" + picture_extensions() + ")" +
                        (files->left_out.empty() ? "" : "; " + files->left_out.text()) +
                        "; check the path");
  if (!files->left_out.empty())
    context.log(LogLevel::warning, path + ": " + files->left_out.text());
  std::error_code ignored;
  const bool from_archive = !std::filesystem::is_directory(path, ignored);
  const auto classes = picture_classes(path, names, from_archive);
  if (classes.front().empty() && !may_lack_labels)
    throw DataError(path, "",
                    "has no sub-folders for the classes; add them, or set 'label: none' if nothing "
                    "learns from classes, or 'role: test' if the pictures are to be predicted");
  if (!may_lack_labels)
    check_no_class_lost(path, classes, from_archive ? common_folder(names) : "", files->left_out);
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (!is_utf8(classes[i]))
      throw DataError(path, printable(names[i]),
                      "is in a folder whose name is not UTF-8 text; rename the folder");
  for (const auto& name : classes)
    all.labels.push_back(name.empty() || ignores_labels() ? no_label : all.classes.add(name));
  all.ids.insert(all.ids.end(), names.begin(), names.end());
}

std::unique_ptr<Dataset> Images::open(Context& context) const {
  Collection all;
  const std::size_t first = read_files(train_file(), test_file(), all,
                                       [&](const std::string& path, const FactRules& rules) {
                                         collect(path, rules.may_lack_labels, all, context);
                                       });
  return finish(all.layout, static_cast<RowFacts&&>(all),
                packed(std::move(all.values), all.layout.size(), HeldRows(wanted(), all.pictures)),
                first, context);
}

Declaration<Images> Images::declare() {
  Declaration<Images> declaration("source/images",
                                  "Pictures in a folder or an archive, one sub-folder per class");
  declaration
      .parameter(
          "path", &Images::path_,
          "folder, .tar (also .gz, .xz, .bz2 or .zst) or .zip with PNG, JPEG, BMP, TIFF, WebP, "
          "PBM, PGM or PPM pictures",
          required())
      .parameter("color", &Images::color_, "colour mode to convert the pictures to",
                 choices({"grey", "rgb"}))
      .parameter("orientation", &Images::orientation_,
                 "apply: turn pictures that a camera has marked as rotated (EXIF) upright; ignore: "
                 "keep them as stored",
                 choices({"apply", "ignore"}))
      .parameter(
          "size", &Images::size_,
          "height and width to resize all pictures to; without it, all must have the same size",
          at_least(1), at_most(8192), unit("pixels"));
  declare_rows(declaration,
               {.label_place = "the first folder below 'path' that leads to the picture",
                .facts = "",
                .classes = false});
  return declaration.gives(LayoutKind::image)
      .random()
      .documentation(
          "A picture's class is the first folder below `path` that leads to it; in an archive, "
          "folders that all pictures share are skipped. Rows are in the order of the names, or in "
          "an archive's own order. Links of a folder are followed. Files with other extensions are "
          "ignored, with a warning; a class that loses all its files this way is an error. "
          "Pictures without sub-folders have no labels: set `label: none`, or `role: test` if they "
          "are to be predicted. Resizing is bilinear, "
          "and averages when shrinking. Grey is 0.299 R + 0.587 G + 0.114 B. Values are those "
          "stored in the file, whatever it says about how to display them (gAMA, colour profiles); "
          "transparent pixels are blended with white without conversion, so black at an opacity of "
          "128 gives 127; 16-bit values are rounded to the upper 8 bits. CMYK is mixed as light: "
          "red is what cyan and black leave. The opacity of 32-bit BMP is ignored, compressed BMP "
          "refused; TIFF may have one page, WebP one picture.")
      .complexity("memory: one byte per pixel and channel")
      .example(R"(
        photos: {is: source/images, path: photos, color: grey, size: [32, 32], test_fraction: 0.5}
        hog:    {is: feature/hog, cell: 8, from: photos}
        svm:    {is: solver/linear_svm, from: hog}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_images() { return Images::declare().entry(); }

}  // namespace semblance::sources
