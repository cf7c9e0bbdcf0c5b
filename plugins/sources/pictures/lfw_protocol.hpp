// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace semblance::sources {

/// Number of images of each person.
using PeopleCounts = std::map<std::string, std::size_t>;

/// The people of a view 1 file (peopleDevTrain.txt): a line with their number, then one
/// "NAME<tab>IMAGES" each. Throws DataError.
PeopleCounts read_people(const std::string& file);

/// The people of each fold of a file of pairs, with the largest image number named there. First
/// line: "FOLDS<tab>PAIRS"; then for each fold that many lines of "NAME<tab>I<tab>J" and that many
/// of "NAME<tab>I<tab>OTHER<tab>J". Throws DataError.
std::vector<PeopleCounts> read_pair_people(const std::string& file);

/// A picture's place in the data set: lfwa/NAME/NAME_0012.jpg.
struct FaceName {
  std::string person;
  std::size_t number = 0;  ///< from 1
};

/// Nothing if the name has another form.
std::optional<FaceName> known_face_name(const std::string& picture);

/// Throws DataError naming `path` and the picture if its name has another form.
FaceName face_name(const std::string& path, const std::string& picture);

/// Which pictures show whom: for each person the positions of its pictures, number 1 first.
using PeoplePictures = std::map<std::string, std::vector<std::size_t>>;

/// Assigns the pictures of `path` to people by their names. Throws DataError if a name has another
/// form or occurs twice, or if a person's numbers have a gap.
PeoplePictures people_pictures(const std::string& path, std::span<const std::string> names);

/// A row of the data set.
struct FaceRow {
  std::string person;
  std::size_t picture = 0;  ///< position among all pictures
};

/// All pictures, by person and number; those not named like LFW images come last, without a person
/// (an empty name).
std::vector<FaceRow> all_faces(std::span<const std::string> names);

struct FaceRows {
  std::vector<FaceRow> train;
  std::vector<FaceRow> test;
};

/// All pictures of these people, by name and number; at most `most` per person, 0: all.
std::vector<FaceRow> rows_of(const PeoplePictures& pictures, std::span<const std::string> people,
                             std::size_t most);

}  // namespace semblance::sources
