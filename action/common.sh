#!/usr/bin/env bash
# shellcheck disable=SC2034 # the other scripts use the variables
# Functions of the other scripts. Texts of content are read from files and written to files, and are never a part of a
# command, of an output or of a line of the log.
set -euo pipefail

# What the job that runs code of the project hands to the job that has the token.
data="$RUNNER_TEMP/content-space/data"
work="$RUNNER_TEMP/content-space/work"

# Sets an output of the step. Values are words of these scripts, numbers and hashes.
output() {
  printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
}

# Prints an error of the workflow. $*: a text of these scripts and of the workflow
refuse() {
  printf '::error::%s\n' "$*"
  exit 1
}

# Runs a command whose output may contain any text. The runner obeys no workflow command in it.
muted() {
  local end status=0
  end=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$end"
  "$@" 2>&1 || status=$?
  printf '\n::%s::\n' "$end"
  return "$status"
}

# Changes to the folder of the repository. `folder` is the one of the project, and `prefix` its path in the repository.
open_repository() {
  # shellcheck disable=SC2153 # the variable of the step
  folder=$(cd -- "$FOLDER" && pwd)
  prefix=$(git -C "$folder" rev-parse --show-prefix)
  cd -- "$(git -C "$folder" rev-parse --show-toplevel)"
}

# Prints the paths of changed files that Git LFS keeps, each with a NUL at its end.
lfs_paths() {
  local path value
  git diff --cached --name-only --no-renames --diff-filter=d -z HEAD | git check-attr --stdin -z filter |
    while IFS= read -r -d '' path && IFS= read -r -d '' _ && IFS= read -r -d '' value; do
      if [ "$value" = lfs ]; then printf '%s\0' "$path"; fi
    done
}

# Prints the hash of the file that a pointer of Git LFS in the index stands for. $1: path
lfs_hash() {
  git cat-file -p ":$1" | sed -n 's/^oid sha256:\([0-9a-f]*\)$/\1/p' | grep -E '^[0-9a-f]{64}$'
}

# Where Git LFS keeps a file. $1: its hash
lfs_object() {
  printf '%s/lfs/objects/%s/%s/%s' "$(git rev-parse --git-common-dir)" "${1:0:2}" "${1:2:2}" "$1"
}

mkdir -p "$work"
