// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "files/byte_reader.hpp"
#include "pictures/image_decoding.hpp"
#include "pictures/lfw_protocol.hpp"
#include "pictures/picture_files.hpp"
#include "rows/class_task.hpp"
#include "rows/memory_limit.hpp"
#include "rows/row_dataset.hpp"
#include "rows/table_source.hpp"
#include "semblance/declaration.hpp"
#include "semblance/source.hpp"

namespace semblance::sources {
namespace {

/// Labeled Faces in the Wild: the people of a view or fold, or a drawn task.
class Lfw final : public TaskSource {
 public:
  Lfw() : TaskSource("view", 42, 5, 0) {}
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Lfw> declare();

 private:
  /// The encoded pictures, and which of them are the rows.
  struct Faces {
    std::vector<PictureFile> files;
    FaceRows rows;
    std::vector<std::string> classes;
    Layout whole;  ///< of the first picture, which all must share
  };
  std::string pictures_path() const;
  Faces read(Context& context) const;
  FaceRows choose(const PeoplePictures& pictures, Context& context) const;
  FaceRows view(const PeoplePictures& pictures) const;
  FaceRows draw(const PeoplePictures& pictures, Context& context) const;
  std::vector<std::string> protocol_files() const;
  Layout cropped(const Layout& whole) const;
  Picture decoded(const PictureFile& file, const Context& context) const;
  void decode(const PictureFile& file, const PictureFile& first, const Layout& whole,
              std::span<std::uint8_t> out, const Context& context) const;

  Path path_;
  std::string images_ = "lfwa-crop112x152.tar.gz";
  std::int64_t view_ = 2;
  std::int64_t fold_ = 1;
  std::int64_t images_per_person_ = 0;
  std::int64_t crop_width_ = 0;
  std::int64_t crop_height_ = 0;
  std::optional<NewData> model_;
};

std::vector<std::string> names_of(const PeopleCounts& people) {
  std::vector<std::string> names;
  for (const auto& [name, images] : people) names.push_back(name);
  return names;
}

/// Throws DataError if a person has fewer pictures than the protocol file says.
void check_present(const PeoplePictures& pictures, const PeopleCounts& people,
                   const std::string& file, const std::string& path) {
  for (const auto& [name, images] : people) {
    const auto found = pictures.find(name);
    const std::size_t there = found == pictures.end() ? 0 : found->second.size();
    if (there < images)
      throw DataError(path, "",
                      "holds " + std::to_string(there) + " pictures of " + name + ", but " + file +
                          " needs " + std::to_string(images) + "; download the archive again");
  }
}

FaceRows drawn_rows(const PeoplePictures& pictures, const std::vector<std::string>& names,
                    const DrawnTask& task) {
  const auto rows = [&](const DrawnSet& set) {
    std::map<std::string, std::vector<std::uint64_t>> drawn;
    for (std::size_t k = 0; k < set.classes.size(); ++k) {
      auto& numbers = drawn[names[static_cast<std::size_t>(set.classes[k])]];
      numbers = set.examples[k];
      std::sort(numbers.begin(), numbers.end());
    }
    std::vector<FaceRow> all;
    for (const auto& [name, numbers] : drawn)
      for (const std::uint64_t n : numbers) all.push_back({name, pictures.at(name)[n]});
    return all;
  };
  return {rows(task.train), rows(task.test)};
}

std::vector<std::string> classes_of(const FaceRows& rows) {
  std::set<std::string> names;
  for (const auto* part : {&rows.train, &rows.test})
    for (const auto& row : *part)
      if (!row.person.empty()) names.insert(row.person);
  return {names.begin(), names.end()};
}

void Lfw::apply_model(const NewData& data) {
  refuse_splits(data, {"task", "view", "fold", "images_per_person", "classes", "examples_per_class",
                       "test_classes", "test_examples_per_class", "test_seed", "least_examples"});
  model_ = data;
}

/// New data may be the pictures or the folder that contains them.
std::string Lfw::pictures_path() const {
  if (!model_ || model_->path.empty()) return path_.value + "/" + images_;
  const std::string inside = model_->path + "/" + images_;
  std::error_code ignored;
  return std::filesystem::exists(inside, ignored) ? inside : model_->path;
}

std::vector<std::string> Lfw::protocol_files() const {
  if (task_ != "view" || model_) return {};
  std::vector<std::string> names = {"pairs.txt"};
  if (view_ == 1) names = {"peopleDevTrain.txt", "peopleDevTest.txt"};
  for (auto& name : names) name = find_data_file(path_.value + "/" + name);
  return names;
}

std::vector<std::string> Lfw::files() const {
  auto all = list_picture_files(pictures_path());
  for (auto& name : protocol_files()) all.push_back(std::move(name));
  return all;
}

FaceRows Lfw::view(const PeoplePictures& pictures) const {
  const auto files = protocol_files();
  const auto most = static_cast<std::size_t>(images_per_person_);
  if (view_ == 1) {
    const auto train = read_people(files[0]), test = read_people(files[1]);
    check_present(pictures, train, files[0], pictures_path());
    check_present(pictures, test, files[1], pictures_path());
    return {rows_of(pictures, names_of(train), most), rows_of(pictures, names_of(test), 0)};
  }
  const auto folds = read_pair_people(files[0]);
  if (static_cast<std::size_t>(fold_) > folds.size())
    throw DataError(files[0], "",
                    "has " + std::to_string(folds.size()) + " folds, but 'fold' is " +
                        std::to_string(fold_) + "; lower it");
  const auto& tested = folds[static_cast<std::size_t>(fold_ - 1)];
  check_present(pictures, tested, files[0], pictures_path());
  std::vector<std::string> others;
  for (const auto& [name, own] : pictures)
    if (!tested.contains(name)) others.push_back(name);
  return {rows_of(pictures, others, most), rows_of(pictures, names_of(tested), 0)};
}

FaceRows Lfw::draw(const PeoplePictures& pictures, Context& context) const {
  const std::size_t train = train_size().examples, test = test_size().examples;
  auto least = static_cast<std::size_t>(least_examples_);
  if (least == 0) least = task_ == "interexample" ? train + test : std::max(train, test);
  std::vector<std::string> names;
  ClassPool pool;
  for (const auto& [name, own] : pictures) {
    if (own.size() >= least) pool.classes.push_back(static_cast<std::int64_t>(names.size()));
    names.push_back(name);
  }
  pool.room = [&](std::int64_t c) {
    return pictures.at(names[static_cast<std::size_t>(c)]).size();
  };
  pool.describe = [&](std::int64_t c) { return names[static_cast<std::size_t>(c)]; };
  return drawn_rows(pictures, names, draw_from(pool, context));
}

Lfw::Faces Lfw::read(Context& context) const {
  Faces faces;
  const auto files = PictureFiles::open(pictures_path());
  double bytes = 0;
  for (PictureFile file; files->next(file);) {
    context.check_stop();
    bytes += double(file.bytes.size());
    check_fits(bytes, "the encoded pictures so far", pictures_path(), file.name, context);
    faces.files.push_back(std::move(file));
  }
  if (faces.files.empty())
    throw DataError(pictures_path(), "", "holds no pictures; check 'path' and 'images'");
  if (!files->left_out.empty())
    context.log(LogLevel::warning, pictures_path() + ": " + files->left_out.text());
  std::vector<std::string> names;
  for (const auto& file : faces.files) names.push_back(file.name);
  if (model_) {
    faces.rows.test = all_faces(names);
  } else {
    const auto pictures = people_pictures(pictures_path(), names);
    faces.rows = task_ == "view" ? view(pictures) : draw(pictures, context);
  }
  faces.classes = classes_of(faces.rows);
  const Picture picture = decoded(faces.files.front(), context);
  faces.whole = Layout::image(picture.height, picture.width, 1);
  return faces;
}

Layout Lfw::cropped(const Layout& whole) const {
  const auto height = static_cast<std::size_t>(crop_height_);
  const auto width = static_cast<std::size_t>(crop_width_);
  if (height > whole.height || width > whole.width)
    throw DataError(pictures_path(), "",
                    "its pictures are " + std::to_string(whole.width) + " wide and " +
                        std::to_string(whole.height) +
                        " high; lower 'crop_width' and 'crop_height' to at most that");
  return Layout::image(height ? height : whole.height, width ? width : whole.width, 1);
}

Picture Lfw::decoded(const PictureFile& file, const Context& context) const {
  try {
    const std::size_t memory = context.memory_budget() / (2 * context.threads());
    return with_channels(decode_picture(file.bytes, memory), 1);
  } catch (const Error& problem) {
    throw DataError(pictures_path(), file.name, problem.what());
  }
}

/// Decodes the picture of a row and writes its centre.
void Lfw::decode(const PictureFile& file, const PictureFile& first, const Layout& whole,
                 std::span<std::uint8_t> out, const Context& context) const {
  const Picture picture = decoded(file, context);
  const auto size = [](std::size_t height, std::size_t width) {
    return std::to_string(width) + " wide and " + std::to_string(height) + " high";
  };
  if (picture.height != whole.height || picture.width != whole.width)
    throw DataError(pictures_path(), file.name,
                    "is " + size(picture.height, picture.width) + ", but " + first.name + " is " +
                        size(whole.height, whole.width) + "; download the archive again");
  const Layout part = cropped(whole);
  const std::size_t top = (whole.height - part.height) / 2, left = (whole.width - part.width) / 2;
  for (std::size_t y = 0; y < part.height; ++y)
    std::copy_n(picture.values.data() + (top + y) * whole.width + left, part.width,
                out.data() + y * part.width);
}

Outline Lfw::outline(Context& context) const {
  Faces faces = read(context);
  return {cropped(faces.whole),
          faces.rows.train.size(),
          faces.rows.test.size(),
          std::move(faces.classes),
          {},
          faces.files.size()};
}

std::unique_ptr<Dataset> Lfw::open(Context& context) const {
  const Faces faces = read(context);
  auto rows = faces.rows.train;
  rows.insert(rows.end(), faces.rows.test.begin(), faces.rows.test.end());
  const std::size_t size = cropped(faces.whole).size();
  check_table_fits(rows.size(), size, 1, pictures_path(), context);
  std::vector<std::uint8_t> values(rows.size() * size);
  RowAnswers answers;
  answers.labels.resize(rows.size());
  context.parallel_for(rows.size(), [&](std::size_t i) {
    if (i % 64 == 0) context.check_stop();
    decode(faces.files[rows[i].picture], faces.files.front(), faces.whole,
           std::span(values).subspan(i * size, size), context);
    const auto at = std::lower_bound(faces.classes.begin(), faces.classes.end(), rows[i].person);
    answers.labels[i] =
        rows[i].person.empty() ? -1 : static_cast<std::int32_t>(at - faces.classes.begin());
  });
  for (const FaceRow& row : rows) {
    answers.numbers.push_back(static_cast<std::int64_t>(row.picture));
    answers.names.push_back(faces.files[row.picture].name);
  }
  const Split split{faces.rows.train.size(), faces.rows.test.size(), {}, faces.files.size()};
  return make_dataset(cropped(faces.whole), faces.classes, std::move(answers), split,
                      packed(std::move(values), size));
}

Declaration<Lfw> Lfw::declare() {
  Declaration<Lfw> declaration("source/lfw", "Labeled Faces in the Wild: grey images of people");
  declaration
      .parameter("path", &Lfw::path_,
                 "folder with the pictures and the protocol files: pairs.txt, peopleDevTrain.txt, "
                 "peopleDevTest.txt",
                 required())
      .parameter("images", &Lfw::images_,
                 "archive or folder in it with NAME/NAME_0001.jpg and so on, all of the same size")
      .parameter("task", &Lfw::task_,
                 "view: the people of a view or fold; interexample, interclass: people and images "
                 "drawn by the seed",
                 choices({"view", "interexample", "interclass"}))
      .parameter("view", &Lfw::view_, "1: for choosing a model; 2: for its final test", at_least(1),
                 at_most(2))
      .parameter("fold", &Lfw::fold_, "in view 2, the fold to test on", at_least(1), at_most(10))
      .parameter("images_per_person", &Lfw::images_per_person_,
                 "in a view, how many of each person's first images to train on; 0: all",
                 at_least(0))
      .parameter("crop_width", &Lfw::crop_width_, "width of the central part to keep; 0: all",
                 at_least(0), at_most(8192), unit("pixels"))
      .parameter("crop_height", &Lfw::crop_height_, "height of the central part to keep; 0: all",
                 at_least(0), at_most(8192), unit("pixels"));
  declare_task(declaration, {"in a drawn task, ", "people", "images"});
  return declaration.gives(LayoutKind::image)
      .random()
      .documentation(
          "Classes are people. In a drawn task with `least_examples: 0`, people need as many "
          "images as both sets take. In a view, a person's images follow each other in the order "
          "of their numbers, and all images of a test person are present: image n of NAME is the "
          "n-th row of class NAME. View 1 trains on the people of peopleDevTrain.txt and tests on "
          "those of peopleDevTest.txt. View 2 tests on the people who occur in the fold's pairs in "
          "pairs.txt and trains on everybody else. In a drawn task each person has the same number "
          "of images: with `interexample` the test images are other images of the training people, "
          "with `interclass` they are of other people; with `least_examples` set, a larger set "
          "drawn with the same seed contains the smaller one. The crop is central. A model is "
          "applied to all pictures of a folder or an archive, ordered by person and number; "
          "pictures whose names have another form belong to no known person and come last.")
      .reference(
          "pairwise SVM, section 6.3; Huang, Ramesh, Berg, Learned-Miller, Labeled Faces in the "
          "Wild, 2007; Wolf, Hassner, Taigman, Similarity scores based on background samples, 2009")
      .complexity("memory: one byte per pixel, plus the encoded pictures while reading")
      .example(R"(
        faces: {is: source/lfw, path: lfw-a, images: faces, task: interclass, classes: 4, examples_per_class: 3}
        lbp:   {is: feature/lbp, from: faces}
        x:     {is: normalizer/unit_length, from: lbp}
        pairs: {is: pairs/all, from: faces}
        svm:   {is: solver/pairwise_newton, from: x, pairs: pairs}
        test:  {is: evaluator/verification, from: svm})");
}

}  // namespace

ComponentEntry declare_lfw() { return Lfw::declare().entry(); }

}  // namespace semblance::sources
