# SPDX-License-Identifier: MIT
# A part of `run`: builds all packages of a release, and installs each form in a minimal system of its own.
# A tarball is tried on the later releases as well.

# What users type, in a system that has nothing else; the folder of the packages is /packages. In $HOME/results
# are the results of the quickstart afterwards.
deb_lines='apt-get update -qq
apt-get install -qq -y --no-install-recommends /packages/semblance_*.deb
semblance run /usr/share/semblance/pipelines/quickstart.yaml --quiet'
tarball_lines='there=/root/$(basename /packages/semblance-*-linux-*.tar.xz .tar.xz)
$there/bin/semblance run $there/share/semblance/pipelines/quickstart.yaml --quiet
$there/bin/semblance graph $there/share/semblance/pipelines/quickstart.yaml --out graph.svg
grep -q "</svg>" graph.svg'
wheel_lines='python3 -m venv /root/venv
/root/venv/bin/pip install --quiet --no-deps --no-index /packages/semblance-*.whl
semblance=$(echo /root/venv/lib/python3*/site-packages/semblance)
/root/venv/bin/semblance run $semblance/share/semblance/pipelines/quickstart.yaml --quiet'

# Inside of the systems: what goes before, and what is tried afterwards, neither of which is timed.
before_wheel='apt-get update -qq; apt-get install -qq -y --no-install-recommends python3-venv'
# Whoever writes plugins, and Python.
after_deb='apt-get install -qq -y --no-install-recommends /packages/semblance-dev_*.deb \
  /packages/python3-semblance_*.deb python3-sklearn
cd /root
semblance new-plugin similarity/mine
cmake -G Ninja -S mine -B mine/build && cmake --build mine/build
ctest --test-dir mine/build --output-on-failure
semblance run mine/pipeline.yaml --plugin-path mine/build --quiet
python3 -B /packages/installed.py /usr/lib/python3/dist-packages/semblance'
# Nothing is written but the results and the store; the loader finds nothing of the system but what every
# system has.
after_tarball='there=/root/$(basename /packages/semblance-*-linux-*.tar.xz .tar.xz)
written=$(find / -xdev -newer /before -type f ! -path "/proc/*" ! -path "/root/results/*" \
  ! -path "/root/.cache/semblance/*" ! -path "/root/*.log")
[ -z "$written" ] || { echo "written elsewhere: $written"; exit 1; }'
# NumPy is on the Python Package Index, or, as here, Debian has it.
after_wheel='apt-get install -qq -y --no-install-recommends python3-sklearn
sed -i "s/^include-system-site-packages = false/include-system-site-packages = true/" /root/venv/pyvenv.cfg
/root/venv/bin/python -B /packages/installed.py /root/venv/lib/python3*/site-packages/semblance'
# Debian has an independent runtime for ONNX since 13.
after_deb_trixie='apt-get install -qq -y --no-install-recommends python3-onnxruntime
python3 -B /packages/exported_onnx.py /usr/bin/semblance'

# How each form's program is called.
program_deb=semblance program_tarball='/root/semblance-*-linux-*/bin/semblance'
program_wheel=/root/venv/bin/semblance

# in_packages_root SCRIPT: in $root, any failure is one of the whole.
in_packages_root() { in_root "$root" sh -ec "mkdir -p /root/results; cd /root/results; $1"; }

# try_form RELEASE FORM PACKAGES: FORM is deb, tarball or wheel.
try_form() {
  local release=$1 form=$2 packages=$3 verdict=passed seconds lines before after more
  local log=$folder/$release-$(basename "$packages")-$form.log
  lines=${form}_lines before=before_$form after=after_$form more=after_${form}_$release
  new_root "$release"
  cp -r "$packages" "$root/packages"
  in_packages_root "${!before:-true}" >"$log" 2>&1 </dev/null || verdict='could not be prepared'
  SECONDS=0
  # A minimal Debian has no xz.
  [ $form != tarball ] || tar -xmf "$packages"/semblance-*-linux-*.tar.xz -C "$root/root"
  touch "$root/before"
  [ "$verdict" != passed ] || in_packages_root "${!lines}" >>"$log" 2>&1 </dev/null || verdict=failed
  seconds=$SECONDS
  local program=program_$form
  [ "$verdict" != passed ] ||
    in_packages_root "${!program} run /packages/same_bits.yaml --out same --quiet; ${!program} doctor" \
      >>"$log" 2>&1 </dev/null ||
    verdict=failed
  predictions=$(predictions_hash 'runs/*')
  same=$(predictions_hash same)
  [ "$verdict" != passed ] ||
    in_packages_root "${!after}; ${!more:-}" >>"$log" 2>&1 </dev/null || verdict='failed afterwards'
  [ "$verdict" = passed ] || status=1
  echo "== $release: $form of $(basename "$packages"): $verdict, first result after $seconds s" \
       "(all of it: $log); predictions $predictions, of same_bits.yaml $same"
  remove_root
}

predictions_hash() {
  (cd "$root/root/results" && cat $1/predictions/*.npy 2>/dev/null | sha256sum | cut -c 1-64) || true
}

# compare NAME FOUND EXPECTED
compare() {
  [ "$2" = "$3" ] && return
  echo "== the predictions of $1 differ: $2 instead of $3"
  status=1
}

# build_packages RELEASE: in $root, where the tree has been cloned; they come to $folder/packages/RELEASE.
build_packages() {
  local log=$folder/$1-packages.log built=$folder/packages/$1
  in_root "$root" sh -ec 'cd /root/semblance
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends dpkg-dev file patchelf python3-pip python3-setuptools \
      python3-wheel xz-utils
    ./semblance python -c "import semblance"
    cmake --build build/release --target packages' >"$log" 2>&1 </dev/null || {
    echo "== $1: the packages were not built (all of it: $log)"
    tail -5 "$log"
    status=1
    return 1
  }
  rm -rf "$built"
  mkdir -p "$folder/packages"
  cp -r "$root/root/semblance/build/release/packages" "$built"
  cp "$tree/framework/python/packaging/installed.py" "$tree"/tests/fresh/{exported_onnx.py,same_bits.yaml} \
    "$built"
  (cd "$built" && ls -l ./*.deb ./*.whl ./*.xz)
}

# The quickstart has the same bits in all forms of one release. Not over the releases: its features are
# HOG, and glibc 2.41 rounds acosf otherwise than 2.36. same_bits.yaml uses none of the functions that
# differ.
try_packages() {
  local release=$1 form quickstart='' bits='' predictions same
  local all=$folder/packages/same_bits tarball=$folder/packages/bookworm
  build_packages "$release" || return 0
  if ! command -v lintian >/dev/null; then
    echo 'fresh: lintian is not installed; the packages are tried, but not looked at' >&2
  elif ! lintian --allow-root --fail-on error "$folder/packages/$release"/*.deb; then
    status=1
  fi
  for form in deb tarball wheel; do
    try_form "$release" $form "$folder/packages/$release"
    compare quickstart "$predictions" "${quickstart:=$predictions}"
    compare same_bits "$same" "${bits:=$same}"
  done
  if [ "$release" = bookworm ]; then
    echo "$bits" >"$all"
  elif [ -d "$tarball" ]; then
    try_form "$release" tarball "$tarball"
    compare same_bits "$same" "$(cat "$all")"
  fi
}
