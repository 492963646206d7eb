#!/usr/bin/env bash
# Decides by the event of the workflow what the action does, and fetches what the later steps need.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"

case "$GITHUB_EVENT_NAME" in
  schedule | workflow_dispatch | repository_dispatch | push)
    if [ "$GITHUB_REF_TYPE" != branch ] || [ "$GITHUB_REF_NAME" = "$BRANCH" ]; then
      echo '::error::Run this workflow on the branch that the pull request is for.'
      exit 1
    fi
    # `gh` would take a name that begins with a hyphen for a flag.
    if [[ $BRANCH == -* ]] || ! git check-ref-format "refs/heads/$BRANCH"; then
      echo '::error::Input branch is not the name of a branch.'
      exit 1
    fi
    output mode update
    ;;
  pull_request)
    # The checkout of a pull request is its merge into the base branch, and the first parent is that branch.
    # `cat-file` shows the parents also where the history is cut off.
    base=$PULL_BASE
    if [ "$(git rev-parse HEAD)" = "$GITHUB_SHA" ]; then
      base=$(git cat-file -p HEAD | sed -n '/^$/q; s/^parent //p' | head -n 1)
    fi
    fetch_commit "$base"
    output mode describe
    output base "$base"
    ;;
  *)
    # `pull_request_target` and `workflow_run` have secrets, and may have code of a foreign pull request. The
    # configuration file of this package is code.
    echo "::error::This action does not run for the event $GITHUB_EVENT_NAME. Use schedule, workflow_dispatch," \
      'repository_dispatch, push or pull_request.'
    exit 1
    ;;
esac
