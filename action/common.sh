#!/usr/bin/env bash
# shellcheck disable=SC2034 # the other scripts use the variables
# Functions of the other scripts. Texts of content are read from files and written to files, and are never a part of a
# command, of an output or of a line of the log.
set -euo pipefail

# Files that the steps hand to each other.
work="$RUNNER_TEMP/content-space"

# Identity of the commits, which also tells them from the commits of others.
bot_name='github-actions[bot]'
bot_email='41898282+github-actions[bot]@users.noreply.github.com'

# Sets an output of the step. Values are words of these scripts, numbers and hashes.
output() {
  printf '%s=%s\n' "$1" "$2" >> "$GITHUB_OUTPUT"
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

# Runs git with the token of the step, if the checkout has left no other credentials.
git_online() {
  # shellcheck disable=SC2016 # git runs the helper in its own shell
  git -c 'credential.helper=!gh auth git-credential' "$@"
}

# Fetches one commit, unless it is there. A complete history stays complete.
fetch_commit() {
  local depth=()
  if git cat-file -e "$1^{commit}" 2> "$work/log"; then return; fi
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then depth=(--depth=1); fi
  git_online fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$1"
}

# Runs the command line of this package in the folder of the project.
content_space() {
  local words
  read -ra words <<< "$CLI"
  (cd -- "$folder" && "${words[@]}" "$@")
}

# Writes what has changed since a commit. Code of the project may print to the log meanwhile.
# $1: commit; others: more flags
write_changes() {
  content_space diff --since "$@" --markdown > "$work/changes.md"
}

# Prints the beginning of a file in whole lines, for places that limit the length of a text.
# $1: file, $2: bytes
beginning() {
  if [ "$(wc -c < "$1")" -le "$2" ]; then
    cat -- "$1"
  else
    head -c "$2" -- "$1" | sed '$d'
    printf '\n\nThis list is longer than the text may be, and was cut here.\n'
  fi
}

# Prints the number of the newest comment of this token on a pull request that begins with a line, if there is one.
# $1: number of the pull request, $2: the line
own_comment() {
  # shellcheck disable=SC2016 # variables of GraphQL
  gh api graphql --paginate \
    -f owner="${GITHUB_REPOSITORY%%/*}" -f name="${GITHUB_REPOSITORY#*/}" -F number="$1" \
    -f query='query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
      repository(owner: $owner, name: $name) { pullRequest(number: $number) {
        comments(first: 100, after: $endCursor) {
          nodes { databaseId body viewerDidAuthor } pageInfo { hasNextPage endCursor }
        } } } }' \
    --jq ".data.repository.pullRequest.comments.nodes[]
      | select(.viewerDidAuthor and (.body | startswith(\"$2\"))) | .databaseId" | tail -n 1
}

# Writes the one comment that begins with a line.
# $1: number of the pull request, $2: the line, $3: file with the text, $4: file to use
write_comment() {
  local found
  { printf '%s\n\n' "$2" && beginning "$3" 60000; } > "$4"
  # The caller may run this function in a condition, where errors do not end it.
  found=$(own_comment "$1" "$2") || return
  if [ -n "$found" ]; then
    gh api --silent --method PATCH "repos/{owner}/{repo}/issues/comments/$found" -F body="@$4"
  else
    gh pr comment "$1" --repo "$GITHUB_REPOSITORY" --body-file "$4" > "$work/comment-address"
  fi
}

export GH_REPO="$GITHUB_REPOSITORY" GH_PROMPT_DISABLED=1 GIT_TERMINAL_PROMPT=0
mkdir -p "$work"
# shellcheck disable=SC2153 # the variable of the step
folder=$(cd -- "$FOLDER" && pwd)
cd -- "$(git -C "$folder" rev-parse --show-toplevel)"
