#!/usr/bin/env bash
# shellcheck disable=SC2034,SC2154 # variables of and for the other scripts
# Functions that use the token of GitHub. This job runs no code of the project: everything in `data` is checked.

# Identity of the commits, which also tells them from the commits of others.
bot_name='github-actions[bot]'
bot_email='41898282+github-actions[bot]@users.noreply.github.com'

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

# Pushes to the branch of the update, if it is still at the commit that was compared. $1: what to push
push_branch() {
  git_online push --quiet --no-verify --force-with-lease="refs/heads/$BRANCH:$remote" \
    origin "$1:refs/heads/$BRANCH" 2> "$work/log" && return
  muted cat "$work/log"
  refuse "Branch $BRANCH cannot be pushed. If a rule protects it, allow the token to push it, or set another input" \
    'branch. If it has changed during this run, run the workflow again.'
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

# Prints a file of the other job, if it is a file.
data_file() {
  if [ -f "$data/$1" ] && [ ! -L "$data/$1" ]; then cat -- "$data/$1"; fi
}

# Writes the text of the other job to `changes.md`. A text that is more than `content-space diff --markdown` writes,
# such as a mention, a link or a command, is shown as it is.
read_text() {
  data_file changes.md | tr -d '\000-\010\013-\037\177' > "$work/given.md"
  if LC_ALL=C awk -f "$(dirname "$0")/plain.awk" "$work/given.md"; then
    cat "$work/given.md"
  else
    printf 'The text of this change is not in the form that this package writes:\n\n'
    sed 's/^/    /' "$work/given.md"
  fi > "$work/changes.md"
}
