# shellcheck shell=bash
# The Debian and Ubuntu packages that speclab needs, and how they are installed. Sourced by
# the scripts that need them; installs nothing and says nothing when all is there.
#
#   setup GROUP...        installs what is missing of these groups; 1 and a message where it cannot
#   setup_missing GROUP...  prints the missing packages, one a line
#   setup_compiler        exports CXX=clang++ where it is installed and CXX is not set: clang builds
#                         speclab in half the time that g++ takes, and the program is as fast;
#                         and setup_ccache
#   setup_ccache          has ccache, where it is installed, compile; what is set already stays
#   setup_python [MODULE...]  prints a python3 that has these modules (default numpy, matplotlib)
#
# SPECLAB_SETUP=off trusts the machine: nothing is looked for or installed.

# GROUP PACKAGE PROOF. A proof is a command on PATH, a file (wildcards and `|` between
# alternatives allowed), or `python:MODULE`.
setup_packages() {
  cat <<'EOF'
build   clang                         clang++
build   libomp-dev                    /usr/lib/llvm-*/lib/libomp.so
build   lld                           ld.lld
build   cmake                         cmake
build   ninja-build                   ninja
build   libboost-dev                  /usr/include/boost/multiprecision/gmp.hpp
build   libgmp-dev                    /usr/include/*/gmp.h|/usr/include/gmp.h
build   libfmt-dev                    /usr/include/fmt/core.h
build   nlohmann-json3-dev            /usr/include/nlohmann/json.hpp
build   libtomlplusplus-dev           /usr/include/toml++/toml.h
build   librandom123-dev              /usr/include/Random123/philox.h
build   libhwy-dev                    /usr/include/hwy/foreach_target.h
build   libsqlite3-dev                /usr/include/sqlite3.h
build   liblinear-dev                 /usr/include/linear.h
build   coinor-libclp-dev             /usr/include/coin/ClpSimplex.hpp
build   libeigen3-dev                 /usr/include/eigen3/Eigen/SparseLU
build   libz3-dev                     /usr/include/z3++.h
build   libsimdjson-dev               /usr/include/simdjson.h
build   libhdf5-dev                   /usr/include/hdf5/serial/hdf5.h
build   catch2                        /usr/include/catch2/catch.hpp|/usr/include/catch2/catch_all.hpp
checks  g++                           g++
checks  clang-format                  clang-format
checks  clang-tidy                    clang-tidy
checks  openmpi-bin                   mpirun
checks  python3                       python3
checks  python3-jsonschema            python:jsonschema
checks  python3-yaml                  python:yaml
checks  python3-z3                    python:z3
checks  golang-go                     go
checks  rustc                         rustc
checks  cvc5                          cvc5
checks  pkg-config                    pkg-config
checks  dpkg-dev                      dpkg-shlibdeps
checks  fakeroot                      fakeroot
package debootstrap                   debootstrap
clang   libomp-dev                    /usr/lib/llvm-*/lib/libarcher.so
clang   libclang-rt-dev               /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a
perf    libbenchmark-dev              /usr/include/benchmark/benchmark.h
perf    python3                       python3
perf    python3-numpy                 python:numpy
python  python3                       python3
python  python3-dev                   /usr/include/python3.*/Python.h
python  pybind11-dev                  /usr/include/pybind11/pybind11.h
python  python3-numpy                 python:numpy
python  python3-h5py                  python:h5py
python  python3-pandas                python:pandas
python  python3-distributed           python:distributed
python  python3-pytest                python:pytest
python  python3-nbformat              python:nbformat
python  python3-nbclient              python:nbclient
python  python3-ipykernel             python:ipykernel
docs    groff-base                    groff
docs    python3-sphinx                python:sphinx
docs    python3-myst-parser           python:myst_parser
docs    furo                          python:furo
docs    python3-sphinx-copybutton     python:sphinx_copybutton
plots   python3                       python3
plots   python3-numpy                 python:numpy
plots   python3-matplotlib            python:matplotlib
plots   python3-jinja2                python:jinja2
coverage llvm                         llvm-cov
coverage gcovr                        gcovr
browser tidy                          tidy
site    python3                       python3
site    python3-jinja2                python:jinja2
site    graphviz                      dot
core    emscripten                    em++
core    node-acorn                    /usr/share/nodejs/acorn/package.json
core    nodejs                        node
proofs  coq                           coqc
proofs  libcoq-mathcomp-algebra       /usr/lib/*/coq/user-contrib/mathcomp/algebra/ssralg.vo|/usr/lib/ocaml/coq/user-contrib/mathcomp/algebra/ssralg.vo|/usr/lib/*/ocaml/*/coq/user-contrib/mathcomp/algebra/ssralg.vo
proofs  libcoq-mathcomp-algebra-tactics /usr/lib/*/coq/user-contrib/mathcomp/algebra_tactics/ring.vo|/usr/lib/ocaml/coq/user-contrib/mathcomp/algebra_tactics/ring.vo|/usr/lib/*/ocaml/*/coq/user-contrib/mathcomp/algebra_tactics/ring.vo
proofs  ocaml                         ocamlopt
proofs  ocaml-findlib                 ocamlfind
proofs  libzarith-ocaml-dev           /usr/lib/ocaml/zarith/zarith.cmxa|/usr/lib/*/ocaml/*/zarith/zarith.cmxa
proofs  python3                       python3
browser chromium                      chromium
browser nodejs                        node
browser npm                           npm
EOF
}

setup_compiler() {
  if [ -z "${CXX:-}" ] && setup_proved clang++ && setup_proved "/usr/lib/llvm-*/lib/libomp.so"; then
    export CXX=clang++
  fi
  setup_ccache
}

setup_ccache() {
  command -v ccache >/dev/null 2>&1 || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros,include_file_mtime,include_file_ctime}
}

setup_python() {
  local python modules
  modules=$(IFS=,; echo "${*:-numpy,matplotlib}")
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $modules" >/dev/null 2>&1; then
      command -v "$python"
      return 0
    fi
  done
  return 1
}

# True where a proof holds.
setup_proved() {
  local proof
  local -a proofs
  case $1 in
    python:*) setup_python "${1#python:}" >/dev/null; return ;;
    /*) ;;
    *) command -v "$1" >/dev/null 2>&1; return ;;
  esac
  IFS='|' read -r -a proofs <<<"$1"
  for proof in "${proofs[@]}"; do
    compgen -G "$proof" >/dev/null && return 0
  done
  return 1
}

setup_missing() {
  local group package proof
  while read -r group package proof; do
    case " $* " in *" $group "*) ;; *) continue ;; esac
    setup_proved "$proof" || echo "$package"
  done < <(setup_packages)
}

setup() {
  [ "${SPECLAB_SETUP:-on}" = off ] && return 0
  local -a missing
  mapfile -t missing < <(setup_missing "$@")
  [ ${#missing[@]} -eq 0 ] && return 0

  local command="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: missing (by their Debian names): ${missing[*]}" >&2
    echo "setup: there is no apt-get here; install them by other means, then SPECLAB_SETUP=off" >&2
    return 1
  fi
  # Never wait for a password that nobody can type.
  local -a as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    if ! command -v sudo >/dev/null 2>&1 || { ! sudo -n true 2>/dev/null && [ ! -t 0 ]; }; then
      echo "setup: missing packages: ${missing[*]}" >&2
      echo "setup: not root and no sudo without a password; run as root: $command" >&2
      return 1
    fi
  fi
  echo "setup: installing ${missing[*]}"
  local log
  log=$(mktemp)
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  "${as_root[@]}" -o DPkg::Lock::Timeout=120 update >"$log" 2>&1
  "${as_root[@]}" -y -o DPkg::Lock::Timeout=120 install --no-install-recommends \
    "${missing[@]}" >>"$log" 2>&1
  mapfile -t missing < <(setup_missing "$@")
  if [ ${#missing[@]} -ne 0 ]; then
    tail -n 5 "$log" >&2
    echo "setup: still missing: ${missing[*]} (full log: $log)" >&2
    echo "setup: run as root: $command" >&2
    return 1
  fi
  rm -f "$log"
}
