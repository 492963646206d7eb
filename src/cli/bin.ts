#!/usr/bin/env node

/**
 * The file that the package starts. It imports nothing statically and uses no recent syntax, because an older Node
 * would fail at these before it could say which Node is needed.
 */

/** The oldest release that `engines` in package.json accepts. */
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
