import { svg } from '../test/support/space.js'

const names = [0, 1, 2, 3, 4].map((index) => `asset0000${index}`)

/**
 * Returns files of a project that uses five assets from the kit of `lockedSpace`: `content.js` imports them from the
 * kit, and `disk.js` imports the same files from disk.
 */
export function fiveAssets(): Record<string, string> {
  const files = names.map((name) => [`${name}.svg`, svg(name)])
  const imports = names.map((name) => `import ${name} from './${name}.svg'\n`).join('')
  const use = `console.log([${names.join(', ')}])\n`
  return {
    ...Object.fromEntries(files),
    'disk.js': imports + use,
    'content.js': `import { ${names.join(', ')} } from 'content-space:kit/large'\n${use}`,
  }
}
