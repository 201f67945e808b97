#!/usr/bin/env bash
# run.sh BUILD FILE: the tests of the package in FILE, with the module in BUILD. Exit code 77, which
# ctest counts as skipped, where the module was not built or a Python package is missing.
set -uo pipefail
build=$1 file=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../experiments/setup.sh"
if ! compgen -G "$build/python/speclab/_core*.so" >/dev/null; then
  echo "skipped: the package was not built; see cmake's word on it"
  exit 77
fi
modules=(numpy pandas pytest)
case $file in
  test_tutorial.py) modules+=(nbformat nbclient ipykernel) ;;
  test_record*.py) modules+=(h5py) ;;
  test_plot.py) modules+=(matplotlib) ;;
  test_adapters.py) modules+=(torch) ;;
  test_cluster.py) modules+=(distributed) ;;
esac
if ! python=$(setup_python "${modules[@]}"); then
  echo "skipped: no python3 here has ${modules[*]}"
  exit 77
fi
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 SPECLAB_PROGRAM=$build/speclab
# One thread each for NumPy and torch: the suite runs test by test on every core.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# Freed arrays stay with the process: as new pages they take a third of the time of the audits.
export MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296
exec "$python" -m pytest -q -p no:cacheprovider "$here/$file"
