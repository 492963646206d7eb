#!/usr/bin/env bash
# shellcheck disable=SC2034 # the other scripts use the variables
# Functions for the other scripts. Content is read from files and written to files, and is never part of a command, an
# output, or a line of the log.
set -euo pipefail

# The data that the job running the project's code passes to the job that has the token.
data="$RUNNER_TEMP/content-space/data"
work="$RUNNER_TEMP/content-space/work"

# Sets an output of the step. Values are words from these scripts, numbers, and hashes.
output() {
  printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
}

# Prints a workflow error. $*: text from these scripts and the workflow
refuse() {
  printf '::error::%s\n' "$*"
  exit 1
}

# Runs a command whose output may contain any text, so that the runner doesn't execute workflow commands in it.
muted() {
  local end status=0
  end=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$end"
  "$@" 2>&1 || status=$?
  printf '\n::%s::\n' "$end"
  return "$status"
}

# Changes to the repository's folder. Sets `folder` to the project's folder and `prefix` to its path in the repository.
open_repository() {
  # shellcheck disable=SC2153 # the variable of the step
  folder=$(cd -- "$FOLDER" && pwd)
  prefix=$(git -C "$folder" rev-parse --show-prefix)
  cd -- "$(git -C "$folder" rev-parse --show-toplevel)"
}

# Prints the paths of changed files that Git LFS stores, each followed by a NUL.
lfs_paths() {
  local path value
  git diff --cached --name-only --no-renames --diff-filter=d -z HEAD | git check-attr --stdin -z filter |
    while IFS= read -r -d '' path && IFS= read -r -d '' _ && IFS= read -r -d '' value; do
      if [ "$value" = lfs ]; then printf '%s\0' "$path"; fi
    done
}

# Prints the hash of the file to which a Git LFS pointer in the index refers. $1: path
lfs_hash() {
  git cat-file -p ":$1" | sed -n 's/^oid sha256:\([0-9a-f]*\)$/\1/p' | grep -E '^[0-9a-f]{64}$'
}

# Prints where Git LFS stores a file. $1: its hash
lfs_object() {
  printf '%s/lfs/objects/%s/%s/%s' "$(git rev-parse --git-common-dir)" "${1:0:2}" "${1:2:2}" "$1"
}

mkdir -p "$work"
