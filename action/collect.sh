#!/usr/bin/env bash
# Runs code of the project, and writes what changes as data: a patch and a text. This job has no token of GitHub, and
# everything that it leaves may come from the project. `publish.sh`, in a job of its own, checks it.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset GH_TOKEN GITHUB_TOKEN

# Runs the command line of this package in the folder of the project.
content_space() {
  local words
  read -ra words <<< "$CLI"
  (cd -- "$folder" && "${words[@]}" "$@")
}

# Writes what has changed since a commit. Code of the project may print to the log meanwhile.
# $1: commit; others: more flags
write_changes() {
  content_space diff --since "$@" --markdown > "$data/changes.md"
}

# Writes what an audit finds, as a table. Its exit code depends on the configuration. A failed one leaves an empty file.
# $1: file
write_findings() {
  content_space audit --no-download --markdown > "$1" || :
}

# Prints the findings that only the second audit has. $1, $2: files
new_findings() {
  local rows
  if [ -s "$1" ] && rows=$(grep '^| `' "$2" | grep -vxFf "$1"); then
    printf '\n### Copies\n\nThese findings of `content-space audit` are new with this update:\n\n'
    printf '| place | finding | content | import |\n|---|---|---|---|\n%s\n' "$rows"
  fi
}

update() {
  if [ -n "$(git status --porcelain)" ]; then
    muted git status --short
    refuse 'There are uncommitted files before the update. Ignore or remove them.'
  fi
  muted content_space update ${KIT:+"$KIT"}
  if [ -n "$COMMANDS" ]; then
    printf '%s\n' "$COMMANDS" > "$work/commands.sh"
    (cd -- "$folder" && muted bash -euo pipefail "$work/commands.sh")
  fi

  git add --all
  git diff --cached --binary --full-index --no-renames --no-ext-diff --no-textconv HEAD > "$data/update.patch"
  if git diff --cached --quiet; then
    echo 'The content is up to date.'
    return
  fi
  while IFS= read -r -d '' path; do
    hash=$(lfs_hash "$path")
    mkdir -p "$data/lfs"
    cp -- "$(lfs_object "$hash")" "$data/lfs/$hash"
  done < <(lfs_paths)
  muted write_changes HEAD
  muted content_space diff --since HEAD --html "$work/page/index.html"
  muted write_findings "$work/after.md"
  output page true
  # Another project of the repository may follow in this job. Ignored files stay.
  muted git reset --quiet --hard
  muted git clean --quiet --force -d
  muted write_findings "$work/before.md"
  new_findings "$work/before.md" "$work/after.md" >> "$data/changes.md"
}

# The two lockfiles are enough to describe a pull request, so the service is asked for nothing: its code, which may be
# foreign, runs without any token.
describe() {
  local base=$PULL_BASE
  unset CONTENT_SPACE_TOKEN CONTENT_SPACE_REMOTE CONTENT_SPACE_REMOTE_KEY CONTENT_SPACE_REMOTE_TOKEN
  # Caches on S3 take their credentials from variables that begin with AWS_.
  unset CONTENT_SPACE_REMOTE_WRITE "${!AWS_@}"
  # The checkout of a pull request is its merge into the base branch, and the first parent is that branch.
  if [ "$(git rev-parse HEAD)" = "$GITHUB_SHA" ]; then
    base=$(git cat-file -p HEAD | sed -n '/^$/q; s/^parent //p' | head -n 1)
  fi
  if ! git cat-file -e "$base^{commit}" 2> "$work/log" && ! git fetch --quiet --no-tags --depth=1 origin "$base" 2> "$work/log"; then
    refuse 'The checkout does not have the base commit. Set fetch-depth: 2 for actions/checkout.'
  fi
  mkdir -p "$work/no-space"
  muted write_changes "$base" --offline --space "$work/no-space"
}

export GIT_TERMINAL_PROMPT=0
open_repository
rm -rf "$data" "$work/page"
mkdir -p "$data"
case "$GITHUB_EVENT_NAME" in
  schedule | workflow_dispatch | repository_dispatch | push) update ;;
  pull_request) describe ;;
  *)
    # `pull_request_target` and `workflow_run` have secrets, and may have code of a foreign pull request. The
    # configuration file of this package is code.
    refuse "This action does not run for the event $GITHUB_EVENT_NAME. Use schedule, workflow_dispatch," \
      'repository_dispatch, push or pull_request.'
    ;;
esac
