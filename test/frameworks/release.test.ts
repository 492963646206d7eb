import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createGunzip, gunzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let version = ''

beforeAll(async () => {
  const manifest: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  version = manifest.version
})

/** Runs the release script without a registry to publish to. */
async function release(...args: string[]): Promise<{ out: string; stdout: string }> {
  const out = await mkdtemp(join(tmpdir(), 'content-space-tarball-'))
  onTestFinished(() => rm(out, { recursive: true, force: true }))
  const { stdout } = await run(process.execPath, ['.ci/release.mjs', '--out', out, ...args], { cwd: root })
  return { out, stdout }
}

test('the tarball installs with four package managers, and names the repository', async () => {
  const { out, stdout } = await release('--tag', `v${version}`, '--repository', 'acme/content')
  for (const manager of ['npm', 'pnpm', 'yarn', 'bun'])
    expect(stdout).toContain(`${manager}: installed, and built with Vite\n`)
  const packed = gunzipSync(await readFile(join(out, `unplugin-content-space-${version}.tgz`))).toString()
  expect(packed).toContain('"url": "git+https://github.com/acme/content.git"')
  expect(packed).toContain('"homepage": "https://github.com/acme/content#readme"')
  expect(packed).toContain('"bugs": "https://github.com/acme/content/issues"')
  expect(packed).toContain(`](https://github.com/acme/content/blob/v${version}/docs/start.md)`)
  expect(packed).toContain(
    `src="https://raw.githubusercontent.com/acme/content/v${version}/docs/public/demo-light.webp"`,
  )
  expect(packed).not.toContain('](docs/')
  expect(packed).not.toContain('](public/')
  expect(packed).toContain(`](https://github.com/acme/content/blob/v${version}/playground/space)`)
  expect(packed).toContain('uses: acme/content/action@v1')
  expect(await readFile(join(out, 'notes.md'), 'utf8')).not.toMatch(/^## /m)
})

test('a tag that is not the version is rejected', async () => {
  await expect(release('--tag', 'v999.0.0', '--repository', 'acme/content')).rejects.toMatchObject({
    stderr: `The tag is v999.0.0, but package.json has version ${version}.\n`,
  })
})

test('a version without a part of the changelog is rejected', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'content-space-copy-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  await cp(join(root, '.ci'), join(copy, '.ci'), { recursive: true })
  await symlink(join(root, 'package.json'), join(copy, 'package.json'))
  await writeFile(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
  const args = ['.ci/release.mjs', '--tag', `v${version}`, '--repository', 'acme/content', '--out', join(copy, 'out')]
  await expect(run(process.execPath, args, { cwd: copy })).rejects.toMatchObject({
    stderr: `CHANGELOG.md has no heading "## ${version}".\n`,
  })
})

test('the audit asks for every bundled library, and fails on a vulnerability', async () => {
  const asked: Record<string, string[]> = {}
  let advisories: Record<string, unknown> = {}
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request)
    if (request.url?.endsWith('/security/advisories/bulk')) Object.assign(asked, JSON.parse(body))
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(advisories))
  }
  const server = createServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const registry = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  const audit = () =>
    run(process.execPath, ['.ci/audit.mjs'], { cwd: root, env: { ...process.env, npm_config_registry: registry } })

  await audit()
  const sbom: { components: { name: string; version: string }[] } = JSON.parse(
    await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8'),
  )
  for (const { name, version: bundled } of sbom.components) expect(asked[name]).toContain(bundled)

  const { name, version: bundled } = sbom.components.find((component) => component.name === 'svgo') ?? {
    name: '',
    version: '',
  }
  advisories = {
    [name]: [
      { id: 1, url: 'https://example.com', title: 'Slow', severity: 'high', vulnerable_versions: `<=${bundled}` },
    ],
  }
  await expect(audit()).rejects.toMatchObject({ code: 1 })
})
