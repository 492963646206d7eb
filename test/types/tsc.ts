import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

const compilers = { 'TypeScript 5.9': 'typescript5', 'TypeScript 7': 'typescript' } as const

/**
 * Creates a project in which only the built package is installed: without Node's types, and with all libraries
 * type-checked.
 */
export async function project(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'types-'))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/unplugin-content-space'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  return folder
}

/**
 * Type-checks a project.
 * @returns the errors as `file:line TS<code>`, sorted
 */
export async function check(
  folder: string,
  compiler: keyof typeof compilers,
  moduleResolution: string,
): Promise<string[]> {
  const output = await outputOf(folder, compiler, moduleResolution)
  const errors = [...output.matchAll(/^(?:(.*?)\((\d+),\d+\): )?error (TS\d+)/gm)]
  return errors.map(([, file = '', line = '', code = '']) => `${file}:${line} ${code}`).toSorted()
}

/**
 * Type-checks a project.
 * @returns the messages with their details, sorted
 */
export async function messagesOf(
  folder: string,
  compiler: keyof typeof compilers,
  moduleResolution: string,
): Promise<string[]> {
  const output = await outputOf(folder, compiler, moduleResolution)
  return output
    .split(/\n(?! )/)
    .filter((text) => text !== '')
    .toSorted()
}

async function outputOf(folder: string, compiler: keyof typeof compilers, moduleResolution: string): Promise<string> {
  const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022'],
    module,
    moduleResolution,
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
  }
  const config = join(folder, `tsconfig.${moduleResolution}.json`)
  await writeFile(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const tsc = join(root, 'node_modules', compilers[compiler], 'lib/tsc.js')
  return new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [tsc, '-p', config, '--pretty', 'false'],
      { cwd: folder, timeout: 60_000 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    )
  })
}
