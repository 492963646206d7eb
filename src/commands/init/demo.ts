import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withStagedFolder } from '../../disk/atomic-folder.js'
import { replaceFile } from '../../disk/replace-file.js'

/** Relative to the working directory. */
export const demoFolder = './content-space-demo'

const drawing = (name: string, size: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" fill="#0b3c49"><title>${name}</title>${body}</svg>\n`
const sail = '<path d="M22 4v30H4z" fill="#e5603f"/><path d="M26 12v22h14zM4 38h36l-6 8H10z"/>'

const files = {
  'demo/01 Logos/harbour-logo.svg': drawing('Harbour', '176 50', `${sail}<path d="M56 14h112v8H56zM56 28h76v8H56z"/>`),
  'demo/02 Icons/sail.svg': drawing('Sail', '44 50', sail),
  'demo/02 Icons/sun.svg': drawing('Sun', '24 24', '<path d="M11 1h2v4h-2zm0 18h2v4h-2zM12 7a5 5 0 1 1-.1 0z"/>'),
  'demo/03 Colors/coral.json': '{ "type": "COLOR", "meta": { "hex": "#E5603F" } }\n',
}

/**
 * Writes a small space for a project without a service. Keeps an existing folder.
 * @returns whether it wrote the space
 * @throws ContentSpaceError `fileSystem`
 */
export async function writeDemo(cwd: string): Promise<boolean> {
  const isNew = !existsSync(join(cwd, demoFolder))
  if (isNew) {
    await withStagedFolder(join(cwd, demoFolder), 'init', async ({ path, appear }) => {
      for (const [name, text] of Object.entries(files)) await replaceFile(join(path, name), text)
      await appear()
    })
  }
  return isNew
}
