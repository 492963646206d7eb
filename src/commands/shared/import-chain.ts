import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g

const ENDINGS = ['', '.ts', '.tsx', '.mts', '.js', '.jsx', '.vue', '.svelte', '/index.ts', '/index.tsx', '/index.js']

/** A project's source files, and how a tsconfig resolves imports that aren't relative. */
interface Sources {
  files: ReadonlySet<string>
  pathsOf: (specifier: string) => string[]
}

/** Checks whether files import one of the targets, directly or through other files. */
export async function reaches(
  start: readonly string[],
  targets: ReadonlySet<string>,
  { files, pathsOf }: Sources,
): Promise<boolean> {
  const seen = new Set(start)
  for (const file of seen) {
    if (targets.has(file)) return true
    const text = await readFile(file, 'utf8').catch(() => '')
    for (const [, , specifier = ''] of text.matchAll(SPECIFIER)) {
      const paths = specifier.startsWith('.') ? [resolve(dirname(file), specifier)] : pathsOf(specifier)
      const found = paths
        .flatMap((path) => [path, path.replace(/\.[cm]?jsx?$/, '')])
        .flatMap((path) => ENDINGS.map((ending) => path + ending))
        .find((path) => files.has(path))
      if (found !== undefined) seen.add(found)
    }
  }
  return false
}
