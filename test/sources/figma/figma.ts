import { setTimeout as wait } from 'node:timers/promises'
import { defineSource, type Source, type SourceAsset, type SourceContext } from 'unplugin-content-space'

interface Node {
  id: string
  name: string
  type: string
  children?: Node[]
  absoluteBoundingBox?: { width: number; height: number } | null
}

/** Returns a source with the components of a Figma file as SVG. The file's pages become sections. */
export function figma(file: string, token = '', api = 'https://api.figma.com'): Source {
  async function get(path: string, { fetch }: SourceContext) {
    const response = await fetch(`${api}/v1/${path}`, { headers: { 'X-Figma-Token': token } })
    if (!response.ok) throw new Error(`${path}: HTTP status ${response.status}`)
    return response.json()
  }

  const componentsIn = ({ children = [], ...node }: Node, section: string): SourceAsset[] => {
    if (node.type !== 'COMPONENT') return children.flatMap((child) => componentsIn(child, section))
    const { id, name, absoluteBoundingBox: box } = node
    return [{ id, name, type: 'SVG', section, ...(box && { width: box.width, height: box.height }) }]
  }

  // Sends one request for all files that are read at the same time, because pictures count towards the expensive tier.
  const waiting = new Set<string>()
  let addresses: Promise<Record<string, string>> | undefined
  async function ask(context: SourceContext): Promise<Record<string, string>> {
    await wait(100)
    const ids = [...waiting].splice(0, 100)
    for (const id of ids) waiting.delete(id)
    addresses = undefined
    return (await get(`images/${file}?format=svg&ids=${ids.join(',')}`, context)).images
  }

  return defineSource({
    name: `figma ${file}`,
    async revision(context) {
      const { file: meta } = await get(`files/${file}/meta`, context)
      return meta.last_touched_at
    },
    async list(context) {
      const { name, document, components } = await get(`files/${file}`, context)
      const pages: Node[] = document.children
      const assets = pages.flatMap((page) => componentsIn(page, page.name))
      return { name, assets: assets.map((one) => ({ ...one, notes: components[one.id]?.description ?? '' })) }
    },
    async read({ id, name }, context) {
      waiting.add(id)
      const url = (await (addresses ??= ask(context)))[id]
      if (!url) throw new Error(`Figma has no picture of ${name}`)
      return { url }
    },
  })
}
