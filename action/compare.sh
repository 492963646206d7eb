#!/usr/bin/env bash
# Compares the update with the branch and the pull request of an earlier run, and decides whether to publish it.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset CONTENT_SPACE_TOKEN CONTENT_SPACE_REMOTE_KEY CONTENT_SPACE_REMOTE_TOKEN

head=$(git rev-parse HEAD)
# The update, apart from the commit that it starts from.
update=$(git diff --cached --raw --no-abbrev HEAD | git hash-object --stdin)
remote=$(git_online ls-remote origin "refs/heads/$BRANCH" | cut -f 1)

state=absent
if [ -n "$remote" ]; then
  fetch_commit "$remote"
  git cat-file -p "$remote" > "$work/remote-commit"
  # The runner's own commit is one commit on the base branch. A change by a person or a tool sets another committer.
  state=foreign
  if grep -qF "committer $bot_name <$bot_email> " "$work/remote-commit" &&
    grep -q '^Content-Space-Update: ' "$work/remote-commit" &&
    [ "$(sed -n '/^$/q; s/^parent //p' "$work/remote-commit" | wc -l)" -eq 1 ]; then
    state=own
  fi
fi

# The newest pull request of the branch. `head` has the owner, because forks may have a branch of this name, too.
gh api --method GET 'repos/{owner}/{repo}/pulls' \
  -f state=all -f base="$GITHUB_REF_NAME" -f head="$GITHUB_REPOSITORY_OWNER:$BRANCH" -F per_page=1 \
  --jq ".[0] // empty | [.number, .state, .merged_at != null,
    (.body // \"\" | contains(\"<!-- content-space-update $update -->\")), .head.sha] | @tsv" > "$work/pull"
pull='' pull_state='' is_merged='' is_same='' pull_head=''
read -r pull pull_state is_merged is_same pull_head < "$work/pull" || true
# Commits of others that were merged are no reason to keep the branch. GitHub does not delete it after a merge.
if [ "$is_merged" = true ] && [ "$pull_head" = "$remote" ]; then state=own; fi

publish=false
if git diff --cached --quiet; then
  if [ "$state" = own ] && [ "$pull_state" = open ]; then
    echo "The content of the base branch is up to date. Closing pull request $pull."
    printf 'The base branch is up to date without this pull request.\n' > "$work/closing.md"
    gh pr comment "$pull" --repo "$GITHUB_REPOSITORY" --body-file "$work/closing.md" > "$work/comment-address"
    # Without the hash in its text, this pull request is not taken for one that a person has closed.
    gh api --silent --method PATCH "repos/{owner}/{repo}/pulls/$pull" -f state=closed -F body="@$work/closing.md"
    git_online push --quiet --no-verify --force-with-lease="refs/heads/$BRANCH:$remote" origin ":refs/heads/$BRANCH"
  fi
elif [ "$state" = foreign ]; then
  echo "::warning::Branch $BRANCH has commits of others and was left as it is. Merge or delete it to get new content."
  if [ "$pull_state" = open ]; then
    printf '%s\n' 'The content has changed since this branch was made. The branch has commits of others, so it was' \
      'left as it is. Merge it, or delete it to get a new pull request with the new content:' > "$work/notice.md"
    { echo && cat "$work/changes.md"; } >> "$work/notice.md"
    write_comment "$pull" '<!-- content-space-notice -->' "$work/notice.md" "$work/notice-comment.md"
  fi
elif [ "$pull_state" = closed ] && [ "$is_merged" = false ] && [ "$is_same" = true ]; then
  echo "Pull request $pull with the same update was closed. Nothing is published until the content changes again."
elif [ "$state" = own ] && [ "$pull_state" = open ] && [ "$is_same" = true ] &&
  [ "$(git rev-parse "$remote^{tree}")" = "$(git write-tree)" ] &&
  [ "$(sed -n 's/^parent //p' "$work/remote-commit" | head -n 1)" = "$head" ]; then
  echo "Pull request $pull is up to date."
else
  publish=true
fi
printf '%s\n' "$update" > "$work/update"
printf '%s\n' "$remote" > "$work/remote"
if [ "$pull_state" = open ]; then printf '%s\n' "$pull"; fi > "$work/pull"
output publish "$publish"
