#!/usr/bin/env bash
# The Debian packages are built, and the one of the program is installed into a clean root, with what it says it depends
# on and nothing else, and run there. Usage: package.sh BUILD SCRATCH
# Exit code 77, a skipped test: the root cannot be made here.
set -euo pipefail
build=$1 scratch=$2
skip() {
  echo "skipped: $*"
  exit 77
}
# What is mounted into a root that was not finished goes first.
clean() {
  awk -v root="$scratch/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount
  rm -rf --one-file-system "$scratch"
}
clean
mkdir -p "$scratch/lists/partial"
trap clean EXIT

(cd "$build" && cpack -G DEB -B "$scratch/packages") >"$scratch/cpack.log" 2>&1 || {
  cat "$scratch/cpack.log"
  exit 1
}
program=$(echo "$scratch"/packages/sextant_*.deb)
worker=$(echo "$scratch"/packages/sextant-worker_*.deb)
has() {  # PACKAGE FILE
  local files
  files=$(dpkg-deb --contents "$1")
  grep -qE " \./$2\$" <<<"$files" || { echo "$1: no file $2"; exit 1; }
}
for file in usr/bin/sextant usr/lib/sextant/sextant-clp.so usr/share/man/man1/sextant.1 \
  usr/share/man/man1/sextant-net-summary.1 usr/share/bash-completion/completions/sextant \
  usr/share/zsh/vendor-completions/_sextant usr/share/fish/vendor_completions.d/sextant.fish \
  usr/share/doc/sextant/copyright; do
  has "$program" "$file"
done
has "$worker" usr/bin/sextant-worker
has "$worker" usr/share/man/man1/sextant-worker.1
if [[ $(dpkg-deb --field "$program" Depends) == *torch* || $(dpkg-deb --field "$worker" Depends) != *torch* ]]; then
  echo "libtorch is what the worker depends on, and the program does not"
  exit 1
fi

((EUID == 0)) || skip "a root is made by root alone"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
source /etc/os-release
sources=$(find /etc/apt -maxdepth 2 -name '*.sources' -o -maxdepth 2 -name 'sources.list' | tr '\n' ' ')
reachable() {
  apt-get update -q=2 -o APT::Update::Error-Mode=any -o Dir::State::lists="$scratch/lists" >/dev/null 2>&1
}
# shellcheck disable=SC2086  # one word for each file
mmdebstrap --quiet --variant=essential --aptopt='Acquire::Retries "3"' --aptopt='APT::Install-Recommends "false"' \
  --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount --include="$program" \
  "$VERSION_CODENAME" "$scratch/root" $sources >"$scratch/root.log" 2>&1 || {
  reachable || skip "no package archive can be reached"
  cat "$scratch/root.log"
  exit 1
}

run() { chroot "$scratch/root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/nowhere "$@"; }
run sextant version
run sextant predict resnet50 --gpu v100,a100 --batch 32
run sextant simulate --generate philly:jobs=20 --cluster v100=8 --policy max-min --seed 1 | tail -n 1
run bash -c 'source /usr/share/bash-completion/completions/sextant
  COMP_WORDS=(sextant predict --gp) COMP_CWORD=2
  _sextant
  [[ " ${COMPREPLY[*]} " == *" --gpu "* ]] || { echo "completion offers ${COMPREPLY[*]}"; exit 1; }'
