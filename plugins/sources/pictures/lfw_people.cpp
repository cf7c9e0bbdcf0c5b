// SPDX-License-Identifier: MIT
#include "pictures/lfw_people.hpp"

#include <algorithm>
#include <tuple>

#include "pictures/lfw_protocol.hpp"
#include "semblance/error.hpp"

namespace semblance::sources {

PeoplePictures people_pictures(const std::string& path, std::span<const std::string> names) {
  std::map<std::string, std::map<std::size_t, std::size_t>> numbered;
  for (std::size_t p = 0; p < names.size(); ++p) {
    const FaceName face = face_name(path, names[p]);
    if (!numbered[face.person].emplace(face.number, p).second)
      throw DataError(path, names[p], "appears twice; download the archive again");
  }
  PeoplePictures people;
  for (const auto& [person, pictures] : numbered) {
    auto& own = people[person];
    for (const auto& [number, picture] : pictures) {
      if (number != own.size() + 1)
        throw DataError(path, person,
                        "its picture " + std::to_string(own.size() + 1) + " is missing, but " +
                            std::to_string(number) + " exists; download the archive again");
      own.push_back(picture);
    }
  }
  return people;
}

std::vector<FaceRow> all_faces(std::span<const std::string> names) {
  struct Named {
    bool unknown;
    FaceName face;
    std::size_t picture;
    bool operator<(const Named& other) const {
      return std::tie(unknown, face.person, face.number, picture) <
             std::tie(other.unknown, other.face.person, other.face.number, other.picture);
    }
  };
  std::vector<Named> all;
  for (std::size_t p = 0; p < names.size(); ++p) {
    const auto face = known_face_name(names[p]);
    all.push_back({!face, face.value_or(FaceName{}), p});
  }
  std::sort(all.begin(), all.end());
  std::vector<FaceRow> rows;
  for (const Named& named : all) rows.push_back({named.face.person, named.picture});
  return rows;
}

std::vector<FaceRow> rows_of(const PeoplePictures& pictures, std::span<const std::string> people,
                             std::size_t most) {
  std::vector<FaceRow> rows;
  for (const auto& person : people) {
    const auto& own = pictures.at(person);
    const std::size_t count = most ? std::min(most, own.size()) : own.size();
    for (std::size_t k = 0; k < count; ++k) rows.push_back({person, own[k]});
  }
  return rows;
}

}  // namespace semblance::sources
