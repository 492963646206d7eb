import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emittedAssets, readContent } from '../frameworks/support/content.js'
import { addBadge } from '../frameworks/support/drawings.js'
import { openProject, type FrameworkProject } from '../frameworks/support/project.js'

/** How the lowest supported version of a peer dependency is used. */
interface Floor {
  /** A folder of `test/frameworks/projects`. */
  project: string
  build: [string, ...string[]]
  /** The folder with the output. */
  output?: string
  /** Packages that have to be of the same time; undefined: the project goes without them. */
  others?: Record<string, string | undefined>
  prepare?: (project: FrameworkProject) => Promise<void>
}

const bundler = (name: string): Floor => ({ project: 'floors', build: ['node', 'build.js', name] })

const floors: Record<string, Floor> = {
  '@farmfe/core': bundler('farm'),
  '@rspack/core': bundler('rspack'),
  esbuild: bundler('esbuild'),
  rolldown: bundler('rolldown'),
  rollup: bundler('rollup'),
  vite: bundler('vite'),
  webpack: bundler('webpack'),
  '@rsbuild/core': { project: 'rsbuild', build: ['rsbuild', 'build'] },
  astro: {
    project: 'astro',
    build: ['astro', 'build'],
    others: { '@astrojs/check': undefined, '@astrojs/node': undefined },
  },
  next: { project: 'next', build: ['next', 'build'], output: '.next/static' },
  react: {
    project: 'react-18',
    build: ['vite', 'build'],
    others: { 'react-dom': '18.2.0' },
    prepare: ({ space }) => addBadge(space),
  },
  preact: {
    project: 'preact',
    build: ['vite', 'build'],
    others: { 'preact-render-to-string': '6.0.0' },
    prepare: ({ space }) => addBadge(space),
  },
  'solid-js': { project: 'solid', build: ['vite', 'build'], prepare: ({ space }) => addBadge(space) },
}

/** The lowest version of a range. */
const lowest = (range: string): string => {
  const [version = ''] = /\d[\d.]*/.exec(range) ?? []
  return [...version.split('.'), '0', '0'].slice(0, 3).join('.')
}

const manifest = fileURLToPath(new URL('../../package.json', import.meta.url))
const { peerDependencies }: { peerDependencies: Record<string, string> } = JSON.parse(await readFile(manifest, 'utf8'))

test.each(Object.entries(floors))('the lowest version of %s builds a picture', async (peer, floor) => {
  const versions = { ...floor.others, [peer]: lowest(peerDependencies[peer] ?? '') }
  const project = await openProject(floor.project, versions)
  try {
    const installed: { version: string } = JSON.parse(await project.read(`node_modules/${peer}/package.json`))
    expect(installed.version).toBe(versions[peer])
    await floor.prepare?.(project)
    const log = await project.run(...floor.build)
    expect(log).toMatch(/files?\b.* from Solvane Brand/)
    const output = join(project.root, floor.output ?? 'dist')
    expect(await emittedAssets(output, await readContent(project.space))).toContain('solvane-logo')
  } finally {
    await project.close()
  }
})
