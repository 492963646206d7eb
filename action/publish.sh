#!/usr/bin/env bash
# Checks the other job's data, compares it with the branch and the pull request of an earlier run, and publishes it.
# Doesn't run the project's code: only git reads the files in the checkout.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=action/github.sh
. "$(dirname "$0")/github.sh"

# Applies the other job's patch to a separate index, and rejects every change that an update doesn't make.
apply_update() {
  local pattern meta path from to
  export GIT_INDEX_FILE="$work/index"
  rm -f "$GIT_INDEX_FILE"
  git read-tree HEAD
  data_file update.patch > "$work/update.patch"
  if [ -s "$work/update.patch" ] && ! git -c core.protectHFS=true -c core.protectNTFS=true \
    apply --cached --whitespace=nowarn "$work/update.patch" 2> "$work/log"; then
    muted cat "$work/log"
    refuse 'The update does not fit the commit that this job has checked out. Both jobs need the same commit.'
  fi

  local allowed=()
  while IFS= read -r pattern; do
    if [ -n "$pattern" ]; then allowed+=(":(top,exclude,glob)$prefix$pattern"); fi
  done <<< "$PATHS"
  git diff --cached --name-only --no-renames HEAD -- ':(top)' ${allowed[@]+"${allowed[@]}"} > "$work/outside"
  # These files determine what later jobs run.
  git diff --cached --name-only --no-renames HEAD -- ':(top,icase,glob)**/.git*' ':(top,icase,glob)**/.git*/**' \
    ':(top,icase,glob)**/content-space.config.*' >> "$work/outside"
  while IFS= read -r -d '' meta && IFS= read -r -d '' path; do
    read -r from to _ <<< "${meta#:}"
    # Reject links, submodules, and new executable files.
    case "$from $to" in
      '100644 100644' | '100755 100755' | '000000 100644' | '100644 000000' | '100755 000000') ;;
      *) printf '%s\n' "$path" >> "$work/outside" ;;
    esac
  done < <(git diff --cached --raw --no-renames -z HEAD)
  if [ -s "$work/outside" ]; then
    muted cat "$work/outside"
    refuse 'The update changes files that it may not change. If they belong to it, name them in input paths.'
  fi
}

# Uploads Git LFS files, because the push doesn't run hooks, and Git LFS normally uploads files in its hook. $1: commit
push_lfs() {
  local path hash found=false
  while IFS= read -r -d '' path; do
    hash=$(lfs_hash "$path") || refuse 'A file that Git LFS keeps is not in the data of the update.'
    data_file "lfs/$hash" > "$work/lfs"
    [ "$( (sha256sum "$work/lfs" 2> "$work/log" || shasum -a 256 "$work/lfs") | cut -d ' ' -f 1)" = "$hash" ] ||
      refuse 'A file that Git LFS keeps is not in the data of the update.'
    mkdir -p "$(dirname "$(lfs_object "$hash")")"
    mv -- "$work/lfs" "$(lfs_object "$hash")"
    found=true
  done < <(lfs_paths)
  if [ "$found" = true ]; then muted git_online lfs push origin "$1"; fi
}

# Finds the branch and the pull request of an earlier run.
read_state() {
  remote=$(git_online ls-remote origin "refs/heads/$BRANCH" | cut -f 1)
  # The newest pull request of the branch. `head` includes the owner, because forks may also have a branch with this
  # name.
  gh api --method GET 'repos/{owner}/{repo}/pulls' \
    -f state=all -f base="$GITHUB_REF_NAME" -f head="$GITHUB_REPOSITORY_OWNER:$BRANCH" -F per_page=1 \
    --jq ".[0] // empty | [.number, .state, .merged_at != null,
      (.body // \"\" | contains(\"<!-- content-space-update $update -->\")), .head.sha] | @tsv" > "$work/pull"
  pull='' pull_state='' is_merged='' is_same='' pull_head=''
  read -r pull pull_state is_merged is_same pull_head < "$work/pull" || true

  state=absent
  if [ -z "$remote" ]; then return; fi
  # If other people's commits have been merged, the branch doesn't have to be kept. GitHub doesn't delete it after a
  # merge.
  state=own
  if [ "$is_merged" = true ] && [ "$pull_head" = "$remote" ]; then return; fi
  fetch_commit "$remote"
  git cat-file -p "$remote" > "$work/remote-commit"
  # The bot makes a single commit on the base branch. If a person or a tool changes it, the committer changes.
  if ! grep -qF "committer $bot_name <$bot_email> " "$work/remote-commit" ||
    ! grep -q '^Content-Space-Update: ' "$work/remote-commit" ||
    [ "$(sed -n '/^$/q; s/^parent //p' "$work/remote-commit" | wc -l)" -ne 1 ]; then
    state=foreign
  elif grep -q '^Content-Space-Project: ' "$work/remote-commit" &&
    ! grep -qxF "Content-Space-Project: $project" "$work/remote-commit"; then
    refuse "Branch $BRANCH has the update of another project or kit. Give each of them its own input branch."
  fi
}

close_pull() {
  if [ "$state" != own ] || [ "$pull_state" != open ]; then return; fi
  echo "The content of the base branch is up to date. Closing pull request $pull."
  printf 'The base branch is up to date without this pull request.\n' > "$work/closing.md"
  gh pr comment "$pull" --repo "$GITHUB_REPOSITORY" --body-file "$work/closing.md" > "$work/comment-address"
  # Remove the hash from the text, so that this pull request doesn't look as if a person had closed it.
  gh api --silent --method PATCH "repos/{owner}/{repo}/pulls/$pull" -f state=closed -F body="@$work/closing.md"
  push_branch ''
}

# The branch contains other people's commits, so we leave it alone.
tell_others() {
  if [ "$is_same" = true ]; then
    echo "Branch $BRANCH has commits of others, and this content."
    return
  fi
  echo "::warning::Branch $BRANCH has commits of others and was left as it is. Merge or delete it to get new content."
  if [ "$pull_state" != open ]; then return; fi
  printf '%s\n' 'The content has changed since this branch was made. The branch has commits of others, so it was' \
    'left as it is. Merge it, or delete it to get a new pull request with the new content:' > "$work/notice.md"
  { echo && cat "$work/changes.md"; } >> "$work/notice.md"
  write_comment "$pull" '<!-- content-space-notice -->' "$work/notice.md" "$work/notice-comment.md"
}

# Pushes the update as one commit on the base branch, and opens or updates its pull request.
publish() {
  local summary commit page
  summary=$(head -n 1 "$work/changes.md" | sed -n 's/^\*\*Content\*\*: \([0-9a-z ,;:]*\)$/\1/p')
  # The title is a text from the workflow. The second line contains only numbers and words from this package.
  {
    printf '%s\n\n' "$TITLE"
    if [ -n "$summary" ]; then printf '%s\n\n' "$summary"; fi
    printf 'Content-Space-Update: %s\nContent-Space-Project: %s\n' "$update" "$project"
  } > "$work/message"
  # Plumbing commands don't run hooks and don't change the branch that is checked out.
  commit=$(
    GIT_AUTHOR_NAME=$bot_name GIT_AUTHOR_EMAIL=$bot_email GIT_COMMITTER_NAME=$bot_name GIT_COMMITTER_EMAIL=$bot_email \
      git commit-tree "$(git write-tree)" -p HEAD -F "$work/message"
  )
  push_lfs "$commit"
  push_branch "$commit"

  # The other job can't choose the URL. GitHub accepts at most 65,536 characters.
  page="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID#artifacts"
  {
    beginning "$work/changes.md" 60000
    printf '\n\nPictures of both versions are in the artifacts of [this run](%s).\n' "$page"
    printf '\n---\n\nThis pull request is renewed when the content changes again, unless its branch has commits of others.\n'
    printf 'To skip this update, close it. The next change of the content opens another one.\n\n'
    printf '<!-- content-space-update %s -->\n' "$update"
  } > "$work/body.md"

  if [ "$pull_state" = open ]; then
    # `gh pr edit` also requests projects, which workflow tokens must not read.
    gh api --silent --method PATCH "repos/{owner}/{repo}/pulls/$pull" -F body="@$work/body.md"
    echo "Renewed pull request $pull."
  else
    gh pr create --repo "$GITHUB_REPOSITORY" --base "$GITHUB_REF_NAME" --head "$BRANCH" --title "$TITLE" \
      --body-file "$work/body.md" > "$work/address" ||
      refuse 'The branch was pushed, but the pull request was not opened. In the settings of the repository,' \
        'allow GitHub Actions to create pull requests, or use input token.'
    pull=$(sed -n 's#^https://.*/pull/\([0-9]*\)$#\1#p' "$work/address" | tail -n 1)
    echo "Opened pull request $pull."
  fi
  output pull-request "$pull"
}

update_pull() {
  if [ "$GITHUB_REF_TYPE" != branch ] || [ "$GITHUB_REF_NAME" = "$BRANCH" ]; then
    refuse 'Run this workflow on the branch that the pull request is for.'
  fi
  # `gh` would mistake a name that begins with a hyphen for a flag.
  if [[ $BRANCH == -* ]] || ! git check-ref-format "refs/heads/$BRANCH"; then
    refuse 'Input branch is not the name of a branch.'
  fi
  open_repository
  project="${prefix:-./}${KIT:+ $KIT}"
  apply_update
  # Identifies the update regardless of the commit on which it is based.
  update=$(git diff --cached --raw --no-abbrev HEAD | git hash-object --stdin)
  read_state

  output changed "$(git diff --cached --quiet HEAD && echo false || echo true)"
  if git diff --cached --quiet HEAD; then
    close_pull
  elif [ "$state" = foreign ]; then
    tell_others
  elif [ "$pull_state" = closed ] && [ "$is_merged" = false ] && [ "$is_same" = true ]; then
    echo "Pull request $pull with the same update was closed. Nothing is published until the content changes again."
  elif [ "$state" = own ] && [ "$pull_state" = open ] && [ "$is_same" = true ] &&
    [ "$(git rev-parse "$remote^{tree}")" = "$(git write-tree)" ] &&
    [ "$(sed -n '/^$/q; s/^parent //p' "$work/remote-commit")" = "$(git rev-parse HEAD)" ]; then
    echo "Pull request $pull is up to date."
  else
    publish
  fi
}

# Keeps one comment on the pull request up to date. If the token may not comment, writes the text to the job's summary.
comment() {
  local path marker before=''
  # Each project in a repository has its own comment.
  path=$(printf '%s' "$FOLDER" | sed 's#//*#/#g; s#^\(\./\)*##; s#/$##; s#^\.$##')
  marker='<!-- content-space-changes -->'
  if [ -n "$path" ]; then marker="<!-- content-space-changes $(printf '%s/' "$path" | git hash-object --stdin) -->"; fi

  if [ "$IS_FOREIGN" = false ]; then before=$(own_comment "$PULL_REQUEST" "$marker" 2> "$work/log") || before=''; fi
  if head -n 1 "$work/changes.md" | grep -qxF '**Content**: no differences' && [ -z "$before" ]; then
    echo "This pull request doesn't change content."
    return
  fi
  # Dependabot's tokens, and tokens of jobs without the permission, have only read access.
  if [ "$IS_FOREIGN" = false ] && write_comment "$PULL_REQUEST" "$marker" "$work/changes.md" "$work/comment.md" 2> "$work/log"; then
    echo 'The comment is up to date.'
  else
    echo 'This job may not comment. Its summary has the changes of the content.'
    # GitHub accepts at most 1 MiB.
    beginning "$work/changes.md" 1000000 >> "$GITHUB_STEP_SUMMARY"
  fi
}

export GH_REPO="$GITHUB_REPOSITORY" GH_PROMPT_DISABLED=1 GIT_TERMINAL_PROMPT=0
read_text
case "$GITHUB_EVENT_NAME" in
  schedule | workflow_dispatch | repository_dispatch | push) update_pull ;;
  pull_request) comment ;;
  *) refuse "This action does not run for the event $GITHUB_EVENT_NAME." ;;
esac
