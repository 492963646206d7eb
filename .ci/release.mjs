#!/usr/bin/env node
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/*
 * Makes the tarball of a release from `dist` and checks it, without publishing anything.
 *
 *   node .ci/release.mjs --tag v1.2.3 --repository owner/name --out <folder>
 */

const root = fileURLToPath(new URL('..', import.meta.url))

/** How each package manager installs packages and runs one of their commands. These versions run on Node 20. */
const managers = {
  npm: { add: ['npm', 'install', '--no-audit', '--no-fund'], run: ['npx', '--no-install'] },
  // Without hoisting, a package reaches only its declared dependencies.
  pnpm: { add: ['npx', '--yes', 'pnpm@10', 'add', '--config.hoist=false'], run: ['npx', '--yes', 'pnpm@10', 'exec'] },
  // Plug'n'Play, Yarn's default, also lets a package reach only its declared dependencies.
  yarn: {
    add: ['npx', '--yes', '--package=@yarnpkg/cli-dist@4', 'yarn', 'add'],
    run: ['npx', '--yes', '--package=@yarnpkg/cli-dist@4', 'yarn', 'run'],
  },
  bun: { add: ['npx', '--yes', 'bun@1', 'add'], run: ['npx', '--yes', 'bun@1', 'run'] },
}

const {
  tag = '',
  repository = '',
  out = '',
} = parseArgs({
  options: { tag: { type: 'string' }, repository: { type: 'string' }, out: { type: 'string' } },
}).values

try {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  checkNames(version)
  const file = pack(version)
  execute(root, 'npx', '--no-install', 'publint', '--strict', file)
  execute(root, 'npx', '--no-install', 'attw', file)
  // Without an installation, npx runs the program with the same name as the package.
  execute(tmpdir(), 'npx', '--yes', `file:${file}`, '--version')
  for (const [name, manager] of Object.entries(managers)) tryInstallation(name, manager, file)
  console.log(file)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Checks that the tag, the package and the changelog name the same version. @param {string} version */
function checkNames(version) {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('--repository takes <owner>/<name>.')
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has version ${version}.`)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const notes = changelog.split(/^## /m).find((part) => part.split(/\s/)[0] === version)
  if (notes === undefined) throw new Error(`CHANGELOG.md has no heading "## ${version}".`)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'notes.md'), notes.slice(notes.indexOf('\n')).trim())
}

/** Packs a copy of the package that names the repository. @param {string} version @returns the tarball */
function pack(version) {
  const folder = mkdtempSync(join(tmpdir(), 'content-space-release-'))
  try {
    for (const name of ['dist', 'skills', 'LICENSE']) cpSync(join(root, name), join(folder, name), { recursive: true })
    cpSync(join(root, 'docs'), join(folder, 'docs'), { recursive: true, filter: (path) => /docs$|\.md$/.test(path) })
    const web = `https://github.com/${repository}`
    const manifest = {
      ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
      repository: { type: 'git', url: `git+${web}.git` },
      homepage: `${web}#readme`,
      bugs: `${web}/issues`,
    }
    // `dist` has already been built, so only the repository needs these.
    for (const key of ['scripts', 'devDependencies']) delete manifest[key]
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
      .replaceAll(/(src|srcset)="(?!https?:)/g, `$1="https://raw.githubusercontent.com/${repository}/${tag}/`)
      .replaceAll(/\]\((?!https?:|#)/g, `](${web}/blob/${tag}/`)
    writeFileSync(join(folder, 'README.md'), readme)
    // Links between pages work in the package. Other files exist only in the repository, so link there.
    for (const name of readdirSync(join(folder, 'docs'))) {
      const page = readFileSync(join(folder, 'docs', name), 'utf8')
        .replaceAll('](../', `](${web}/blob/${tag}/`)
        .replaceAll('](public/', `](https://raw.githubusercontent.com/${repository}/${tag}/docs/public/`)
        .replace(/^`OWNER` is .*\n/m, '')
        .replaceAll('OWNER/unplugin-content-space', repository)
      writeFileSync(join(folder, 'docs', name), page)
    }
    execute(folder, 'npm', 'pack', '--pack-destination', resolve(out))
    return resolve(out, `${manifest.name}-${version}.tgz`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Installs the tarball in an empty project, and builds an application with a logo, with logos that sharp and svgo
 * convert in separate processes, and with exact types.
 * @param {string} name of the package manager @param {{ add: string[], run: string[] }} commands @param {string} file
 */
function tryInstallation(name, { add, run }, file) {
  const folder = mkdtempSync(join(tmpdir(), `content-space-${name}-`))
  try {
    const files = {
      'package.json': '{ "private": true, "type": "module" }',
      'space/brand/01 Logos/acme-logo.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path d="M0 0h40v20z"/></svg>',
      'content-space.config.ts':
        "import { defineConfig } from 'unplugin-content-space'\nexport default defineConfig({ space: './space' })\n",
      'vite.config.js':
        "import contentSpace from 'unplugin-content-space/vite'\nexport default { build: { assetsInlineLimit: 0 }, plugins: [contentSpace()] }\n",
      'index.html': '<script type="module" src="/main.js"></script>',
      'main.js':
        "import { acmeLogo } from 'content-space:kit/brand'\nimport small from 'content-space:asset/brand/acme-logo?w=8&format=webp&as=url'\nimport text from 'content-space:asset/brand/acme-logo?svgo&as=raw'\nconsole.log(acmeLogo.src, small, text)\n",
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    // Use the version in the lockfile, because a Vite release that can't be installed says nothing about this package.
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules/vite/package.json'), 'utf8'))
    execute(folder, ...add, file, `vite@${version}`)
    if (name === 'yarn' && !existsSync(join(folder, '.pnp.cjs'))) throw new Error("Yarn didn't use Plug'n'Play.")
    execute(folder, ...run, 'unplugin-content-space', 'sync')
    execute(folder, ...run, 'vite', 'build')
    const emitted = readdirSync(join(folder, 'dist/assets')).map((path) => path.slice(path.lastIndexOf('.') + 1))
    if (emitted.toSorted().join() !== 'js,svg,webp')
      throw new Error(`The build with ${name} emitted ${emitted.join()}.`)
    console.log(`${name}: installed, and built with Vite`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} cwd @param {string} command @param {string[]} args */
function execute(cwd, command, ...args) {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe', env: { ...process.env, CI: '' } })
  } catch (error) {
    const { stdout = '', stderr = '' } = error
    throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
