import { afterEach, beforeEach, expect, test } from 'vitest'
import { bannerOfVersion2, versionedKit } from '../support/versions.js'
import { openSite, type Site } from './site.js'

const branch = 'content-space/update'

let site: Site

beforeEach(async () => {
  site = await openSite(await versionedKit(), {
    'src/main.js': `import { oldBadge } from 'content-space:kit/brand'\nconsole.log(oldBadge)\n`,
  })
  await site.space.write(await versionedKit(2))
})
afterEach(() => site.remove())

test('writes the text of a pull request in the next run if GitHub has refused it', async () => {
  await site.update()
  await site.space.write(bannerOfVersion2)
  await site.changeGithub((github) => (github.readOnly = true))
  expect(await site.update()).toMatchObject({ ok: false })
  await site.changeGithub((github) => (github.readOnly = false))
  expect(await site.update()).toMatchObject({ ok: true, outputs: { 'pull-request': '1' } })
  expect((await site.github()).pulls).toMatchObject([{ body: expect.stringContaining('| added | Banner |') }])
})

test('publishes the pull request without the page where artifacts are refused', async () => {
  const job = await site.run({ event: 'schedule', ref: 'main', refusesArtifacts: true })
  expect(job).toMatchObject({ ok: true, artifacts: [], outputs: { 'pull-request': '1' } })
  const { pulls } = await site.github()
  expect(pulls).toMatchObject([{ body: expect.stringContaining('| added | Poster |') }])
  expect(pulls[0]?.body).not.toContain('Page with pictures')
})

test('works where `wc` and `sed` are those of macOS', async () => {
  const others = '#!/usr/bin/env bash\nPATH=${PATH#*:}\n'
  await site.addProgram('wc', `${others}wc "$@" | sed 's/^/       /'\n`)
  await site.addProgram('sed', `${others}exec sed "\${@//\\\\n/n}"\n`)
  await site.update()
  expect(await site.git(['log', '-1', '--format=%b', branch])).toMatch(
    /^1 added, .* would break\n\nContent-Space-Update: [\da-f]{40}$/,
  )
  await site.space.write(bannerOfVersion2)
  expect(await site.update()).toMatchObject({ ok: true, commands: [], outputs: { 'pull-request': '1' } })
})

test('uploads files of Git LFS before the commit, because the push runs no hooks', async () => {
  await site.commit({ '.gitattributes': 'public/** filter=lfs\n' })
  await site.git(['config', '--global', 'filter.lfs.clean', 'git-lfs clean'])
  await site.addProgram(
    'git-lfs',
    `#!/bin/sh
case $1 in
  clean) printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\n' "$(git hash-object --stdin)" ;;
  push) echo "$2 $3" >> "$HOME/uploaded" ;;
esac
`,
  )
  // As GitHub does.
  await site.addProgram(
    '../remote.git/hooks/pre-receive',
    `#!/bin/sh
read -r old new ref
grep -qxF "origin $new" "$HOME/uploaded" || { echo 'GH008: unknown Git LFS objects' >&2; exit 1; }
`,
  )
  const job = await site.update({ commands: 'npx content-space pull brand --out public' })
  expect(job).toMatchObject({ ok: true, outputs: { 'pull-request': '1' } })
  expect(await site.git(['show', `${branch}:public/logos/corp-logo.svg`])).toMatch(/^version https:\/\/git-lfs/)
})
