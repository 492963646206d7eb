#!/usr/bin/env bash
# Runs the project's code and writes what changes as data: a patch and a text. This job doesn't have a GitHub token, and
# everything that it leaves may come from the project. `publish.sh` checks it in a separate job.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset GH_TOKEN GITHUB_TOKEN

# Runs this package's command line in the project's folder.
content_space() {
  local words
  read -ra words <<< "$CLI"
  (cd -- "$folder" && "${words[@]}" "$@")
}

# Writes what has changed since a commit. The project's code may print to the log in the meantime.
# $1: commit; others: more flags
write_changes() {
  content_space diff --since "$@" --markdown > "$data/changes.md"
}

# Writes the findings of an audit as a table. The audit's exit code depends on the configuration. If the audit fails,
# the file is empty.
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

# Makes the files that a build of the new content converts, if this job writes to a remote cache.
share_conversions() {
  if [ -z "${CONTENT_SPACE_REMOTE_WRITE:-}" ]; then return; fi
  echo 'Converting the files of the new content for the remote cache, where builds find them.'
  # It fails for imports that break, which the pull request lists, but converts the files of the others. Only a lockfile
  # that may change lets it go on.
  CONTENT_SPACE_FROZEN=0 muted content_space sync --convert || :
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
  share_conversions
  # Another project in the repository may follow in this job. Keep ignored files.
  muted git reset --quiet --hard
  muted git clean --quiet --force -d
  muted write_findings "$work/before.md"
  new_findings "$work/before.md" "$work/after.md" >> "$data/changes.md"
}

# Comparing the two lockfiles is enough to describe a pull request. No requests are sent to the service, because the
# code may come from a fork and must run without any token.
describe() {
  local base=$PULL_BASE
  unset CONTENT_SPACE_TOKEN CONTENT_SPACE_REMOTE CONTENT_SPACE_REMOTE_KEY CONTENT_SPACE_REMOTE_TOKEN
  # S3 caches take their credentials from variables that begin with AWS_.
  unset CONTENT_SPACE_REMOTE_WRITE "${!AWS_@}"
  # A pull request's checkout is its merge into the base branch, whose first parent is the base branch.
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
    # `pull_request_target` and `workflow_run` have secrets but may check out a fork's code, and this package's
    # configuration file is code.
    refuse "This action does not run for the event $GITHUB_EVENT_NAME. Use schedule, workflow_dispatch," \
      'repository_dispatch, push or pull_request.'
    ;;
esac
