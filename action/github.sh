#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154 # variables of and for the other scripts
# Functions that use the GitHub token. This job doesn't run the project's code, and everything in `data` is checked.

# The identity of the commits, which also distinguishes them from other people's commits.
bot_name='github-actions[bot]'
bot_email='41898282+github-actions[bot]@users.noreply.github.com'

# Runs git with the step's token, unless the checkout has left other credentials.
git_online() {
  # shellcheck disable=SC2016 # git runs the helper in its own shell
  git -c 'credential.helper=!gh auth git-credential' "$@"
}

# Fetches one commit, unless it exists already. A complete history stays complete.
fetch_commit() {
  local depth=()
  if git cat-file -e "$1^{commit}" 2> "$work/log"; then return; fi
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then depth=(--depth=1); fi
  git_online fetch --quiet --no-tags ${depth[@]+"${depth[@]}"} origin "$1"
}

# Pushes to the update's branch if it is still at the commit that was compared. $1: what to push
push_branch() {
  git_online push --quiet --no-verify --force-with-lease="refs/heads/$BRANCH:$remote" \
    origin "$1:refs/heads/$BRANCH" 2> "$work/log" && return
  muted cat "$work/log"
  refuse "Branch $BRANCH cannot be pushed. If a rule protects it, allow the token to push it, or set another input" \
    'branch. If it has changed during this run, run the workflow again.'
}

# Prints as many whole lines from the beginning of a file as fit into a number of bytes. $1: file, $2: bytes
beginning() {
  if [ "$(wc -c < "$1")" -le "$2" ]; then
    cat -- "$1"
  else
    head -c "$2" -- "$1" | sed '$d'
    printf '\n\nThis list is longer than the text may be, and was cut here.\n'
  fi
}

# Prints the number of the newest comment on a pull request that this token wrote and that begins with a line, if there
# is one.
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

# Creates or updates the only comment that begins with a line.
# $1: number of the pull request, $2: the line, $3: file with the text, $4: temporary file
write_comment() {
  local found
  { printf '%s\n\n' "$2" && beginning "$3" 60000; } > "$4"
  # The caller may run this function in a condition, where errors don't end it.
  found=$(own_comment "$1" "$2") || return
  if [ -n "$found" ]; then
    gh api --silent --method PATCH "repos/{owner}/{repo}/issues/comments/$found" -F body="@$4"
  else
    gh pr comment "$1" --repo "$GITHUB_REPOSITORY" --body-file "$4" > "$work/comment-address"
  fi
}

# Prints a file from the other job, if it is a regular file.
data_file() {
  if [ -f "$data/$1" ] && [ ! -L "$data/$1" ]; then cat -- "$data/$1"; fi
}

# Writes the other job's text to `changes.md`. If it contains more than `content-space diff --markdown` writes, such as
# a mention, a link, or a command, it is shown as plain text.
read_text() {
  data_file changes.md | tr -d '\000-\010\013-\037\177' > "$work/given.md"
  if LC_ALL=C awk -f "$(dirname "$0")/plain.awk" "$work/given.md"; then
    cat "$work/given.md"
  else
    printf 'The text of this change is not in the form that this package writes:\n\n'
    sed 's/^/    /' "$work/given.md"
  fi > "$work/changes.md"
}
