#!/usr/bin/env bash
# Writes what a pull request changes of the content. The two lockfiles are enough for that, so the service is asked for
# nothing: the code of a pull request, which may be foreign, runs without any token.
# shellcheck source=action/common.sh
. "$(dirname "$0")/common.sh"
unset GH_TOKEN GITHUB_TOKEN CONTENT_SPACE_TOKEN
unset CONTENT_SPACE_REMOTE CONTENT_SPACE_REMOTE_KEY CONTENT_SPACE_REMOTE_TOKEN CONTENT_SPACE_REMOTE_WRITE
# Caches on S3 take their credentials from them.
unset "${!AWS_@}"

mkdir -p "$work/no-space"
muted write_changes "$BASE" --offline --space "$work/no-space"
