#!/usr/bin/env node

/**
 * The file that starts the package. It doesn't have static imports or recent syntax, because these would make an older
 * Node fail before it could print which Node is required.
 */

/** The oldest release that `engines` in package.json allows. */
export const oldestNode = [20, 19] as const

const [oldestMajor, oldestMinor] = oldestNode
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  const needed = 'content-space needs Node 20.19, 22.13, 24 or newer'
  process.stderr.write(`${needed}, but this is Node ${process.versions.node}. Install a newer Node.\n`)
  process.exitCode = 1
} else {
  const { keepCompiledCode } = await import('../disk/compile-cache.js')
  keepCompiledCode()
  await (await import('./start.js')).start()
}
