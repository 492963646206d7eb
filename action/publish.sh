#!/usr/bin/env bash
# Pushes the update as one commit on the base branch, and opens or renews its pull request.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset CONTENT_SPACE_TOKEN CONTENT_SPACE_REMOTE_KEY CONTENT_SPACE_REMOTE_TOKEN

update=$(cat "$work/update")
remote=$(cat "$work/remote")
pull=$(cat "$work/pull")

# The title is a text of the workflow. The second line has only numbers and words of this package.
{
  printf '%s\n\n' "$TITLE"
  head -n 1 "$work/changes.md" | sed -n 's/^\*\*Content\*\*: \([0-9a-z ,;:]*\)$/\1\n/p'
  printf 'Content-Space-Update: %s\n' "$update"
} > "$work/message"
# Plumbing runs no hooks of the project and leaves the checked out branch as it is.
commit=$(
  GIT_AUTHOR_NAME=$bot_name GIT_AUTHOR_EMAIL=$bot_email GIT_COMMITTER_NAME=$bot_name GIT_COMMITTER_EMAIL=$bot_email \
    git commit-tree "$(git write-tree)" -p HEAD -F "$work/message"
)
# Fails if the branch has changed since it was compared.
git_online push --quiet --no-verify --force-with-lease="refs/heads/$BRANCH:$remote" origin "$commit:refs/heads/$BRANCH"

# GitHub takes at most 65,536 characters.
{
  beginning "$work/changes.md" 60000
  if [ -n "$PAGE" ]; then printf '\n\n[Page with pictures of both versions](%s)\n' "$PAGE"; fi
  printf '\n\n---\n\nThis pull request is renewed when the content changes again, unless its branch has commits of others.\n'
  printf 'To skip this update, close it: the next one comes with the next change of the content.\n\n'
  printf '<!-- content-space-update %s -->\n' "$update"
} > "$work/body.md"

if [ -n "$pull" ]; then
  # `gh pr edit` also asks for projects, which tokens of workflows must not read.
  gh api --silent --method PATCH "repos/{owner}/{repo}/pulls/$pull" -F body="@$work/body.md"
  echo "Renewed pull request $pull."
else
  gh pr create --repo "$GITHUB_REPOSITORY" --base "$GITHUB_REF_NAME" --head "$BRANCH" --title "$TITLE" \
    --body-file "$work/body.md" > "$work/address" || {
    echo '::error::The branch was pushed, but the pull request was not opened. In the settings of the repository,' \
      'allow GitHub Actions to create pull requests, or use input token.'
    exit 1
  }
  pull=$(sed -n 's#^https://.*/pull/\([0-9]*\)$#\1#p' "$work/address" | tail -n 1)
  echo "Opened pull request $pull."
fi
output pull-request "$pull"
