import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TestProject } from 'vitest/node'
import { pack } from './npm.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the packed package. */
    tarball: string
  }
}

/** Packs the package once for all tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tarball = await pack()
  project.provide('tarball', tarball)
  return () => rm(dirname(tarball), { recursive: true })
}
