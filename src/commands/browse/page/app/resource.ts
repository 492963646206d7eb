import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Failure } from '../../../shared/kit-page/data.js'

export interface Resource<T> {
  data?: T
  /** Why the last request failed. `data` is then stale. */
  error?: string
  retry: () => void
}

interface Loaded<T> {
  path: string
  data?: T
  error?: string
}

/**
 * Loads JSON, and reloads it when the revision changes. Equal content keeps the same object.
 * @param path undefined to load nothing
 */
export function useResource<T>(path: string | undefined, revision: number): Resource<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>()
  const [attempt, setAttempt] = useState(0)
  const texts = useRef(new Map<string, { text: string; data: T }>())
  useEffect(() => {
    if (path === undefined) return undefined
    const abort = new AbortController()
    const known = texts.current.get(path)
    if (known) setLoaded({ path, data: known.data })
    void (async () => {
      try {
        const text = await loadText(path, abort.signal)
        const before = texts.current.get(path)
        const data: T = before?.text === text ? before.data : JSON.parse(text)
        texts.current.set(path, { text, data })
        setLoaded((last) => (last?.path === path && last.data === data && !last.error ? last : { path, data }))
      } catch (error) {
        if (abort.signal.aborted) return
        const message = error instanceof Error ? error.message : String(error)
        setLoaded((last) => ({ path, error: message, ...(last?.path === path && last.data && { data: last.data }) }))
      }
    })()
    return () => abort.abort()
  }, [path, revision, attempt])
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  if (!loaded || loaded.path !== path) return { retry }
  const { data, error } = loaded
  return { retry, ...(data !== undefined && { data }), ...(error !== undefined && { error }) }
}

async function loadText(path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(path, { signal, cache: 'no-cache' }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new Error('The server does not respond.', { cause: error })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(failureOf(text) ?? `The server responded with status ${response.status}.`)
  return text
}

/** Returns the message of a failed response, if any. */
export function failureOf(text: string): string | undefined {
  try {
    const failure: Partial<Failure> | null = JSON.parse(text)
    return typeof failure?.message === 'string' ? failure.message : undefined
  } catch {
    return undefined
  }
}
