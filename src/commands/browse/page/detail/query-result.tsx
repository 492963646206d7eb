import { useEffect, useState } from 'preact/hooks'
import { failureOf } from '../app/resource.js'
import { bytes, dimensions } from '../text.js'

/** Milliseconds to wait for another click before sending a request. */
const patience = 250

type Result =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'ready'; address: string | undefined; type: string; size: number }

/** The result of a query: the picture and its size. */
export function QueryResult({ id }: { id: string }) {
  const [result, setResult] = useState<Result>({ state: 'loading' })
  const [size, setSize] = useState('')
  useEffect(() => {
    const abort = new AbortController()
    let address: string | undefined
    setResult({ state: 'loading' })
    setSize('')
    const timer = setTimeout(() => {
      void ask(id, abort.signal).then((answer) => {
        if (abort.signal.aborted) return
        if (answer.state === 'ready') address = answer.address
        setResult(answer)
      })
    }, patience)
    return () => {
      clearTimeout(timer)
      abort.abort()
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [id])
  return (
    <div class="result" aria-live="polite">
      {result.state === 'loading' && <p class="quiet">Making it…</p>}
      {result.state === 'failed' && <p class="result-failure">{result.message}</p>}
      {result.state === 'ready' && (
        <>
          {result.address !== undefined && (
            <img
              class="ground-checkered"
              src={result.address}
              alt="Result of the query"
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                setSize(dimensions(naturalWidth, naturalHeight))
              }
            />
          )}
          <p class="quiet">{[result.type, size, bytes(result.size)].filter(Boolean).join(' · ')}</p>
        </>
      )}
    </div>
  )
}

async function ask(id: string, signal: AbortSignal): Promise<Result> {
  try {
    const response = await fetch(`query?id=${encodeURIComponent(id)}`, { signal })
    if (!response.ok) {
      const message = failureOf(await response.text()) ?? `The server responded with status ${response.status}.`
      return { state: 'failed', message }
    }
    const blob = await response.blob()
    const address = blob.type.startsWith('image/') ? URL.createObjectURL(blob) : undefined
    return { state: 'ready', address, type: blob.type.replace(/^image\//, '').replace(/[+;].*$/, ''), size: blob.size }
  } catch {
    return { state: 'failed', message: 'The server does not respond.' }
  }
}
