/**
 * Resolves ids in this process, in Node and in Bun. Options come from the configuration file and the environment.
 * @throws ContentSpaceError `unsupportedRuntime` in a Node without synchronous hooks, and what `loadModules` throws
 */
export async function register(): Promise<void> {
  if (process.versions['bun'] === undefined) {
    const { registerInNode } = await import('./node.js')
    return registerInNode()
  }
  const { registerInBun } = await import('./bun.js')
  return registerInBun()
}
