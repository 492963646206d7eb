#!/usr/bin/env bash
# Keeps one comment on the pull request up to date. Where the token may not comment, the summary of the job has the text.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset CONTENT_SPACE_TOKEN CONTENT_SPACE_REMOTE_KEY CONTENT_SPACE_REMOTE_TOKEN "${!AWS_@}"

# Each project of a repository has its own comment.
marker='<!-- content-space-changes -->'
prefix=$(git -C "$folder" rev-parse --show-prefix)
if [ -n "$prefix" ]; then marker="<!-- content-space-changes $(printf '%s' "$prefix" | git hash-object --stdin) -->"; fi
has_changes=true
if head -n 1 "$work/changes.md" | grep -qxF '**Content**: no differences'; then has_changes=false; fi

before=''
if [ "$IS_FOREIGN" = false ]; then before=$(own_comment "$PULL" "$marker" 2> "$work/log") || before=''; fi
if [ "$has_changes" = false ] && [ -z "$before" ]; then
  echo 'This pull request changes no content.'
  exit
fi

# Tokens of Dependabot, and of jobs without the permission, may only read.
if [ "$IS_FOREIGN" = false ] && write_comment "$PULL" "$marker" "$work/changes.md" "$work/comment.md" 2> "$work/log"; then
  echo 'The comment is up to date.'
else
  echo 'This job may not comment. Its summary has the changes of the content.'
  # GitHub takes at most 1 MiB.
  beginning "$work/changes.md" 1000000 >> "$GITHUB_STEP_SUMMARY"
fi
