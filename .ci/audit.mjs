#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * Queries the registry for known vulnerabilities in bundled libraries, which a user's `npm audit` doesn't cover.
 *
 *   node .ci/audit.mjs dist/sbom.cdx.json
 */

const [, , file = 'dist/sbom.cdx.json'] = process.argv
const { components } = JSON.parse(readFileSync(file, 'utf8'))
// Uses aliases, because several versions of a library may be bundled.
const libraries = components.map(({ name, version }, at) => [`library-${at}`, name, version])
const dependencies = Object.fromEntries(libraries.map(([alias, name, version]) => [alias, `npm:${name}@${version}`]))
const installed = libraries.map(([alias, name, version]) => [`node_modules/${alias}`, { name, version }])
const lock = { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(installed) } }

const folder = mkdtempSync(join(tmpdir(), 'content-space-audit-'))
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const { status } = spawnSync('npm', ['audit', '--audit-level=moderate'], { cwd: folder, stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
