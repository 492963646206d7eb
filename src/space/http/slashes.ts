import { ContentSpaceError } from '../../errors.js'

/**
 * Learns for each endpoint whether its paths end with a slash. The interface writes them both ways, but a service may
 * accept only one form, or redirect to it.
 */
export function createSlashes() {
  const known = new Map<string, boolean>()

  return {
    /**
     * Requests a path in the form that the service accepts. Until one form has worked, tries the other form if the
     * service finds nothing at the path.
     * @param path as the interface writes it, `kits/<uuid>/outline/`
     * @param request sends a request, and calls `answered` with the path after redirects
     */
    async request<T>(
      path: string,
      request: (path: string, answered: (path: string) => void) => Promise<T>,
    ): Promise<T> {
      const bare = path.replace(/\/$/, '')
      const endpoint = bare.replace(/^([^/]+)\/[^/]+/, '$1/*')
      const send = (slash: boolean) =>
        request(slash ? `${bare}/` : bare, (answer) => {
          const isSame = answer.replace(/\/$/, '').endsWith(bare)
          known.set(endpoint, isSame ? answer.endsWith('/') : slash)
        })
      const slash = known.get(endpoint) ?? path.endsWith('/')
      try {
        return await send(slash)
      } catch (error) {
        if (known.has(endpoint) || !isNothing(error)) throw error
        return send(!slash).catch((other: unknown) => {
          throw isNothing(other) ? error : other
        })
      }
    },
  }
}

function isNothing(error: unknown): boolean {
  return error instanceof ContentSpaceError && error.code === 'objectNotFound'
}
