// SPDX-License-Identifier: MIT
#include "hdf5/hdf5_testing.hpp"

namespace semblance::testing {

using namespace sources::hdf5;

namespace {

hid_t new_dataset(hid_t file, const std::string& name, const std::vector<hsize_t>& extents,
                  hid_t stored, hsize_t chunk) {
  const SpaceHandle space(
      H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
  const PropertiesHandle created(H5Pcreate(H5P_DATASET_CREATE));
  if (chunk > 0) {
    std::vector<hsize_t> chunks = extents;
    chunks[0] = chunk;
    H5Pset_chunk(created.id(), static_cast<int>(chunks.size()), chunks.data());
    H5Pset_shuffle(created.id());
    H5Pset_deflate(created.id(), 6);
  }
  const PropertiesHandle links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.id(), 1);
  return H5Dcreate2(file, name.c_str(), stored, space.id(), links.id(), created.id(), H5P_DEFAULT);
}

}  // namespace

Hdf5Writer::Hdf5Writer(const std::string& path)
    : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}

void Hdf5Writer::write(const std::string& name, const std::vector<hsize_t>& extents, hid_t stored,
                       hid_t memory, const void* values, hsize_t chunk) const {
  const DatasetHandle dataset(new_dataset(id(), name, extents, stored, chunk));
  H5Dwrite(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

void Hdf5Writer::leave_empty(const std::string& name, const std::vector<hsize_t>& extents,
                             hsize_t chunk, hsize_t written) const {
  const DatasetHandle dataset(new_dataset(id(), name, extents, H5T_NATIVE_FLOAT, chunk));
  if (written == 0) return;
  const SpaceHandle space(H5Dget_space(dataset.id()));
  const std::vector<hsize_t> start(extents.size(), 0);
  std::vector<hsize_t> count = extents;
  count[0] = written;
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  hsize_t values = written;
  for (std::size_t k = 1; k < extents.size(); ++k) values *= extents[k];
  const SpaceHandle memory(H5Screate_simple(1, &values, nullptr));
  const std::vector<float> ones(values, 1);
  H5Dwrite(dataset.id(), H5T_NATIVE_FLOAT, memory.id(), space.id(), H5P_DEFAULT, ones.data());
}

void Hdf5Writer::write_texts(const std::string& name, const std::vector<const char*>& texts) const {
  const TypeHandle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  write(name, {texts.size()}, type.id(), type.id(), texts.data());
}

void Hdf5Writer::write_fixed_texts(const std::string& name, std::size_t width,
                                   const std::string& bytes, H5T_str_t padding) const {
  const TypeHandle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), width);
  H5Tset_strpad(type.id(), padding);
  write(name, {bytes.size() / width}, type.id(), type.id(), bytes.data());
}

void Hdf5Writer::add_attribute(const std::string& name, const std::string& attribute,
                               double value) const {
  const DatasetHandle dataset(H5Dopen2(id(), name.c_str(), H5P_DEFAULT));
  const SpaceHandle space(H5Screate(H5S_SCALAR));
  const AttributeHandle made(H5Acreate2(dataset.id(), attribute.c_str(), H5T_NATIVE_DOUBLE,
                                        space.id(), H5P_DEFAULT, H5P_DEFAULT));
  H5Awrite(made.id(), H5T_NATIVE_DOUBLE, &value);
}

void Hdf5Writer::link_elsewhere(const std::string& name, const std::string& file,
                                const std::string& target) const {
  H5Lcreate_external(file.c_str(), target.c_str(), id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
}

void Hdf5Writer::make_virtual(const std::string& name, const std::string& file,
                              const std::string& source, hsize_t rows) const {
  const SpaceHandle space(H5Screate_simple(1, &rows, nullptr));
  const PropertiesHandle created(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_virtual(created.id(), space.id(), file.c_str(), source.c_str(), space.id());
  const DatasetHandle made(H5Dcreate2(id(), name.c_str(), H5T_NATIVE_FLOAT, space.id(), H5P_DEFAULT,
                                      created.id(), H5P_DEFAULT));
}

}  // namespace semblance::testing
