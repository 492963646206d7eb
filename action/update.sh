#!/usr/bin/env bash
# Updates the content, and writes the text and the page that show the changes. Publishes nothing.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset GH_TOKEN GITHUB_TOKEN

if [ -n "$(git status --porcelain)" ]; then
  echo '::error::There are uncommitted files before the update. Ignore or remove them:'
  muted git status --short
  exit 1
fi

muted content_space update ${KIT:+"$KIT"}
if [ -n "$COMMANDS" ]; then
  printf '%s\n' "$COMMANDS" > "$work/commands.sh"
  (cd -- "$folder" && muted bash -euo pipefail "$work/commands.sh")
fi

git add --all
if git diff --cached --quiet; then
  echo 'The content is up to date.'
  output changed false
  exit
fi

rm -rf "$work/page"
muted write_changes HEAD
muted content_space diff --since HEAD --html "$work/page/index.html"
output changed true
